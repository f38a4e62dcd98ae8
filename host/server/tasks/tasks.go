package tasks

import (
	"context"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Tasks starts the tasks of a host when they are needed. It is safe for concurrent use.
type Tasks struct {
	host  *host.Host
	begin func(ctx context.Context, id string) error

	mu      sync.Mutex
	started chan struct{} // closed and replaced with each Start
}

// New returns the tasks of a host. It starts them with begin, which must do nothing for a running task.
func New(h *host.Host, begin func(ctx context.Context, id string) error) *Tasks {
	return &Tasks{host: h, begin: begin, started: make(chan struct{})}
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
	if task := t.host.Task(id); task != nil {
		return task.Close(ctx)
	}
	return nil
}
