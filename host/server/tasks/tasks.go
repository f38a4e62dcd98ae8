package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Tasks starts the tasks of a host when they are needed. It is safe for concurrent use.
type Tasks struct {
	host  *host.Host
	begin func(ctx context.Context, id string) error

	// Ended is called when a task is to be ended, for what it has elsewhere; nil: it has nothing there.
	Ended func(ctx context.Context, id string) error

	mu      sync.Mutex
	started chan struct{}   // closed and replaced with each Start
	begun   map[string]bool // the tasks that begin was called for
	held    map[string]int  // how often each is held
}

// New returns the tasks of a host. It starts them with begin, which must do nothing for a running task.
func New(h *host.Host, begin func(ctx context.Context, id string) error) *Tasks {
	return &Tasks{host: h, begin: begin, started: make(chan struct{}), begun: map[string]bool{}, held: map[string]int{}}
}

// Running returns a task, or nil if it has not been started or has ended.
func (t *Tasks) Running(id string) *host.Task {
	task := t.host.Task(id)
	if task == nil {
		return nil
	}
	select {
	case <-task.Done():
		return nil
	default:
		return task
	}
}

// Start returns a task, and first starts it if it is not running. Errors are those of [host.Host.Attach] and
// [host.Host.Launch].
func (t *Tasks) Start(ctx context.Context, id string) (*host.Task, error) {
	if t.Running(id) == nil {
		if err := t.begin(ctx, id); err != nil {
			return nil, err
		}
		t.mu.Lock()
		t.begun[id] = true
		t.mu.Unlock()
	}
	task := t.Running(id)
	if task == nil {
		return nil, host.ErrBrowserGone // it ended right after it started
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.started)
	t.started = make(chan struct{})
	return task, nil
}

// Await waits until a task is running; [Tasks.Start] wakes it. The error is the context's.
func (t *Tasks) Await(ctx context.Context, id string) (*host.Task, error) {
	for {
		t.mu.Lock()
		started := t.started
		t.mu.Unlock()
		if task := t.Running(id); task != nil {
			return task, nil
		}
		select {
		case <-started:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// End ends a task and a browser that was started for it, and discards what earlier browsers lost. It is not an error if
// there is no such task.
func (t *Tasks) End(ctx context.Context, id string) error {
	defer t.host.Forget(id)
	var errs []error
	if t.Ended != nil {
		errs = append(errs, t.Ended(ctx, id))
	}
	if task := t.host.Task(id); task != nil {
		errs = append(errs, task.Close(ctx))
	}
	return errors.Join(errs...)
}

// Hold keeps a task from being idle until release is called: somebody is connected who may use it at any time.
func (t *Tasks) Hold(id string) (release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[id]++
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.held[id]--; t.held[id] == 0 {
			delete(t.held, id)
		}
	})
}

// maxScan is how long it takes at most to notice that a task is idle.
const maxScan = 30 * time.Second

// EndIdle ends tasks on which no call has worked for a limit, until ctx ends. It leaves alone those that are held, and
// those that somebody else has started. A later call starts such a task again, and is told what was lost.
func (t *Tasks) EndIdle(ctx context.Context, limit time.Duration, log *slog.Logger) {
	ticker := time.NewTicker(min(limit/4, maxScan))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, task := range t.idle(limit) {
			err := task.Retire(ctx, fmt.Sprintf("no call had come for %v, so the task was ended", limit))
			if err != nil && ctx.Err() == nil {
				log.Warn("an idle task did not end cleanly", "task", task.ID(), "error", err)
			}
			log.Info("ended a task, because no call has worked on it", "task", task.ID(), "for", limit)
		}
	}
}

// idle lists the tasks to end.
func (t *Tasks) idle(limit time.Duration) []*host.Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*host.Task
	for id := range t.begun {
		task := t.Running(id)
		switch {
		case task == nil:
			delete(t.begun, id)
		case t.held[id] == 0 && task.Held() == nil && task.Idle() >= limit:
			list = append(list, task)
		}
	}
	return list
}
