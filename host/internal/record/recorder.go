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

// Recorder follows what the tabs of a task show, each in a goroutine of its own, and records it or passes it on. It
// reads the snapshots of the task and nothing else of the state machine. Only the end of the task waits for it, and
// only briefly.
type Recorder struct {
	task    *engine.Task
	newFilm func(recording.Meta) film
	taking  taking
	see     atomic.Pointer[func(Picture)] // gets every picture as well; nil: nobody
	log     *slog.Logger
	changed func()          // called when a file begins or ends
	ctx     context.Context // ends when the recording does
	stop    func()
	work    sync.WaitGroup // the goroutines of the tabs
	done    chan struct{}  // closed when all files are complete

	tabs map[string]*tabRecorder // by target; owned by run

	warned atomic.Bool // a failure was logged as a warning
}

// taking says how pictures are taken.
type taking struct {
	// every is the least time between two pictures of a tab. The next one is requested after it. A page that does not
	// change sends none.
	every time.Duration
	// side is the maximum width and height in pixels; the browser scales larger pictures down.
	side int64
}

// Start begins to record a task; changed is called when a file begins or ends.
func Start(t *engine.Task, store *recording.Store, log *slog.Logger, changed func()) *Recorder {
	r := newRecorder(t, log)
	r.taking, r.changed = taking{200 * time.Millisecond, 1280}, changed
	r.newFilm = func(m recording.Meta) film { return store.NewTape(m) }
	return r.start()
}

// Look follows what the tabs of a task show without recording it, and passes the pictures to see, which must not block.
func Look(t *engine.Task, log *slog.Logger, see func(Picture)) *Recorder {
	r := newRecorder(t, log)
	r.taking, r.changed = taking{100 * time.Millisecond, 960}, func() {}
	r.newFilm = func(recording.Meta) film { return noFilm{} }
	r.Share(see)
	return r.start()
}

// Share also passes the pictures that come from now on to see, which must not block; nil ends that.
func (r *Recorder) Share(see func(Picture)) {
	if see == nil {
		r.see.Store(nil)
		return
	}
	r.see.Store(&see)
}

// Stop ends it before the end of its task. It does not wait.
func (r *Recorder) Stop() { r.stop() }

func newRecorder(t *engine.Task, log *slog.Logger) *Recorder {
	ctx, stop := context.WithCancel(context.Background())
	return &Recorder{task: t, log: log, ctx: ctx, stop: stop, done: make(chan struct{}), tabs: map[string]*tabRecorder{}}
}

func (r *Recorder) start() *Recorder {
	go func() {
		defer close(r.done)
		r.run()
		r.stop()
		r.work.Wait()
	}()
	return r
}

// run follows the tabs of the task until it ends.
func (r *Recorder) run() {
	for {
		s, superseded := r.task.Current()
		r.follow(s)
		select {
		case <-superseded:
		case <-r.task.Done():
			return
		case <-r.ctx.Done():
			return
		}
	}
}

// follow starts to record new tabs and stops for closed ones.
func (r *Recorder) follow(s *view.Snapshot) {
	there := map[string]bool{}
	for i := range s.Targets {
		it := &s.Targets[i]
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		there[it.ID] = true
		handle := r.task.Handle(it.ID) // for every tab in order, so that handles are numbered like the tabs
		if it.SessionID == "" || !it.Ready || it.Crashed {
			continue
		}
		tab := r.tabs[it.ID]
		if tab == nil {
			tab = r.begin(it.ID, handle)
		}
		tab.setSession(it.SessionID)
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
		recorder: r, target: target, handle: handle, ctx: ctx, stop: stop, slot: engine.NewSlot(), moved: make(chan struct{}, 1),
		film: r.newFilm(recording.Meta{Task: r.task.ID(), Tab: handle, Target: target}),
	}
	r.tabs[target] = tab
	r.work.Go(func() {
		defer stop()
		tab.run()
	})
	return tab
}

// recorderGrace is how long the end of a task waits for its files to be completed. The writes are small, but a disk may
// hang.
const recorderGrace = 2 * time.Second

// Wait waits until the files of a task that has ended are complete. It may be called on nil.
func (r *Recorder) Wait(ctx context.Context) {
	if r == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recorderGrace)
	defer cancel()
	select {
	case <-r.done:
	case <-ctx.Done():
		r.log.Warn("the recordings of the task were not completed in time", "task", r.task.ID())
	}
}

// logFailure logs why a tab is no longer recorded. Only the first failure of a task is a warning: what fails for one
// tab fails for most.
func (r *Recorder) logFailure(tab string, err error) {
	level := slog.LevelDebug
	if !r.warned.Swap(true) {
		level = slog.LevelWarn
	}
	r.log.Log(r.ctx, level, "a tab is not recorded any longer", "task", r.task.ID(), "tab", tab, "error", err)
}
