package record

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Recorder records the tabs of a task, each by a goroutine of its own. It looks at the task's snapshots and at nothing else
// that the state machine has, and nothing waits for it but, for a moment, the end of the task.
type Recorder struct {
	task    *engine.Task
	store   *recording.Store
	log     *slog.Logger
	changed func()          // tells those who list recordings
	ctx     context.Context // ends when the recording does
	work    sync.WaitGroup  // the goroutines of tabs
	done    chan struct{}   // closed when all files have been ended

	tabs map[string]*tabRecorder // by target; owned by run

	said atomic.Bool // that something is wrong
}

// Start begins to record a task; changed is called when a file begins or ends.
func Start(t *engine.Task, store *recording.Store, log *slog.Logger, changed func()) *Recorder {
	ctx, stop := context.WithCancel(context.Background())
	r := &Recorder{task: t, store: store, log: log, changed: changed, ctx: ctx, done: make(chan struct{}), tabs: map[string]*tabRecorder{}}
	go func() {
		defer close(r.done)
		r.run()
		stop()
		r.work.Wait()
	}()
	return r
}

// run follows the tabs of the task until its end.
func (r *Recorder) run() {
	for {
		s, superseded := r.task.Current()
		r.follow(s)
		select {
		case <-superseded:
		case <-r.task.Done():
			return
		}
	}
}

// follow begins with tabs that are new and ends with those that are gone.
func (r *Recorder) follow(s *view.Snapshot) {
	there := map[string]bool{}
	for i := range s.Targets {
		it := &s.Targets[i]
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		there[it.ID] = true
		handle := r.task.Handle(it.ID) // of each tab in its turn, as Tabs gives them
		if it.SessionID == "" || !it.Ready || it.Crashed {
			continue
		}
		tab := r.tabs[it.ID]
		if tab == nil {
			tab = r.begin(it.ID, handle)
		}
		tab.on(it.SessionID)
	}
	for id, tab := range r.tabs {
		if !there[id] {
			tab.stop()
			delete(r.tabs, id)
		}
	}
}

func (r *Recorder) begin(target, handle string) *tabRecorder {
	ctx, stop := context.WithCancel(r.ctx)
	tab := &tabRecorder{
		recorder: r, handle: handle, ctx: ctx, stop: stop, slot: engine.NewSlot(), moved: make(chan struct{}, 1),
		tape: r.store.NewTape(recording.Meta{Task: r.task.ID(), Tab: handle, Target: target}),
	}
	r.tabs[target] = tab
	r.work.Go(func() {
		defer stop()
		tab.run()
	})
	return tab
}

// recorderGrace is how long the end of a task waits for its files to be ended: they are small writes, but a disk can hang.
const recorderGrace = 2 * time.Second

// Wait waits until the files of a task that has ended have been ended, too.
func (r *Recorder) Wait(ctx context.Context) {
	if r == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recorderGrace)
	defer cancel()
	select {
	case <-r.done:
	case <-ctx.Done():
		r.log.Warn("the recordings of the task have not been ended in time", "task", r.task.ID())
	}
}

// say logs what is wrong, once for each task: what fails for one tab fails for most.
func (r *Recorder) say(tab string, err error) {
	level := slog.LevelDebug
	if !r.said.Swap(true) {
		level = slog.LevelWarn
	}
	r.log.Log(r.ctx, level, "a tab is not recorded any more", "task", r.task.ID(), "tab", tab, "error", err)
}
