package record

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// shoot takes the pictures of all tabs of a task for the same viewers, each tab in a goroutine of its own. It reads the
// snapshots of the task and nothing else of the state machine.
type shoot struct {
	task    *engine.Task
	viewers []*Viewer
	every   time.Duration
	side    int64
	log     *slog.Logger
	ctx     context.Context // ends when the shoot does
	stop    func()
	work    sync.WaitGroup // the goroutines of the tabs
	done    chan struct{}  // closed when they have ended

	tabs map[string]*tabShoot // by target; owned by run

	warned atomic.Bool // a refusal was logged as a warning
}

func begin(t *engine.Task, log *slog.Logger, viewers []*Viewer) *shoot {
	ctx, stop := context.WithCancel(context.Background())
	s := &shoot{task: t, viewers: viewers, every: time.Hour, log: log, ctx: ctx, stop: stop, done: make(chan struct{}), tabs: map[string]*tabShoot{}}
	for _, v := range viewers { // what suits all of them
		s.every, s.side = min(s.every, v.Every), max(s.side, v.Side)
	}
	go func() {
		defer close(s.done)
		s.run()
		s.stop()
		s.work.Wait()
	}()
	return s
}

// run follows the tabs of the task until it ends.
func (s *shoot) run() {
	for {
		now, superseded := s.task.Current()
		s.follow(now)
		select {
		case <-superseded:
		case <-s.task.Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// follow starts to look at new tabs and stops for closed ones.
func (s *shoot) follow(now *view.Snapshot) {
	there := map[string]bool{}
	for i := range now.Targets {
		it := &now.Targets[i]
		if it.Type != "page" || it.Subtype != "" {
			continue
		}
		there[it.ID] = true
		handle := s.task.Handle(it.ID) // for every tab in order, so that handles are numbered like the tabs
		if it.SessionID == "" || !it.Ready || it.Crashed {
			continue
		}
		tab := s.tabs[it.ID]
		if tab == nil {
			tab = s.begin(it.ID, handle)
		}
		tab.setSession(it.SessionID, it.Healed)
	}
	for id, tab := range s.tabs {
		if !there[id] {
			tab.stop()
			delete(s.tabs, id)
		}
	}
}

func (s *shoot) begin(target, handle string) *tabShoot {
	ctx, stop := context.WithCancel(s.ctx)
	tab := &tabShoot{
		shoot: s, target: target, handle: handle, ctx: ctx, stop: stop, slot: screencast.NewSlot(), moved: make(chan struct{}, 1),
	}
	s.tabs[target] = tab
	s.work.Go(func() {
		defer stop()
		tab.run()
	})
	return tab
}

func (s *shoot) show(p Picture) {
	for _, v := range s.viewers {
		v.See(p)
	}
}

// refused tells why a tab is no longer seen. Only the first time in a task is it a warning: what fails for one tab
// fails for most.
func (s *shoot) refused(tab string, err error) {
	level := slog.LevelDebug
	if !s.warned.Swap(true) {
		level = slog.LevelWarn
	}
	s.log.Log(s.ctx, level, "a tab is not recorded any longer", "task", s.task.ID(), "tab", tab, "error", err)
	for _, v := range s.viewers {
		if v.Refused != nil {
			v.Refused(err)
		}
	}
}
