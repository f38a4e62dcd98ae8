package tasks

import (
	"context"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Tasks starts the tasks of a host when they are needed. Its methods may be called from any goroutine.
type Tasks struct {
	host  *host.Host
	begin func(ctx context.Context, id string) error

	mu      sync.Mutex
	started chan struct{} // closed and replaced with each Start
}

// New starts tasks of a host by begin, which must do nothing for a task that runs already.
func New(h *host.Host, begin func(ctx context.Context, id string) error) *Tasks {
	return &Tasks{host: h, begin: begin, started: make(chan struct{})}
}

// Running gives a task, or nil where it has not been started or has ended.
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

// Start gives a task, and starts it before that unless it runs. Its errors are those of [host.Host.Attach] and
// [host.Host.Launch].
func (t *Tasks) Start(ctx context.Context, id string) (*host.Task, error) {
	if t.Running(id) == nil {
		if err := t.begin(ctx, id); err != nil {
			return nil, err
		}
	}
	task := t.Running(id)
	if task == nil {
		return nil, host.ErrBrowserGone // it ended as soon as it was there
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.started)
	t.started = make(chan struct{})
	return task, nil
}

// Await waits until a task runs; [Tasks.Start] wakes it. Its error is the context's.
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

// End ends a task, and with it a browser that was started for it; what its former browsers lost is forgotten. It is no error
// that there is none.
func (t *Tasks) End(ctx context.Context, id string) error {
	defer t.host.Forget(id)
	if task := t.host.Task(id); task != nil {
		return task.Close(ctx)
	}
	return nil
}
