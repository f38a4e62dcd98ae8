package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// ErrRestartLoop says that a browser was not started for a task, because those before it ended by themselves one after the
// other; the text says when it is tried again, and what to look at.
var ErrRestartLoop = errors.New("the browser ends by itself again and again")

// Storage is what became of cookies and of what pages stored.
type Storage string

// What can have become of it.
const (
	// StorageLost is that of a profile that was made for one browser and went with it.
	StorageLost Storage = "lost"
	// StorageKept is that of a profile folder, as far as the browser had written it.
	StorageKept Storage = "kept"
	// StorageUnknown is that of a browser at an address: whoever runs it knows.
	StorageUnknown Storage = "unknown"
)

// Restart says what a task has lost: its browser ended by itself, and the task was started again on another. Refs, handles
// of tabs, tokens of readings, ids of dialogs and of calls go on counting, so that none of before means something else now.
type Restart struct {
	// Reason is how the browser ended.
	Reason string
	// At is when that was learned.
	At UnixTime
	// Launched says that the host had started the browser.
	Launched bool
	// Storage is what became of cookies and of what pages stored.
	Storage Storage
	// Tabs are those that were open; their addresses and titles are untrusted text.
	Tabs []Tab
	// Dialogs are the ids of those that were open, and Calls those of the calls that waited to be resumed.
	Dialogs, Calls []string
	// Armed says that an answer waited for the next dialog.
	Armed bool
}

// Restarted says what was lost when the task's browser was replaced last; nil for the first one.
func (t *Task) Restarted() *Restart { return t.restart }

// Launched tells whether the host started the task's browser.
func (t *Task) Launched() bool { return t.shared.process != nil }

// profile is the folder of a profile that outlives its browser; empty where there is none that is known of.
func (t *Task) profile() string {
	if p := t.shared.process; p != nil && !p.HasTemporaryProfile() {
		return p.UserDataDir()
	}
	return ""
}

// follow makes a task go on where one of the same id, which has ended, stopped counting.
func (t *Task) follow(last *Task) {
	ended := ""
	if t.restart != nil {
		ended = t.restart.Reason
	}
	t.pages.Follow(last.pages, last.lastDialog(), ended)
}

// lastDialog is the highest number of a dialog that is remembered, or that of a former life.
func (t *Task) lastDialog() int {
	highest := t.engine.Former().Dialog
	for _, s := range []*Snapshot{t.Snapshot(), t.engine.Final()} {
		if s == nil {
			continue
		}
		for _, d := range slices.Concat(s.PendingDialogs, s.RecentDialogs) {
			highest = max(highest, engine.NumberAfter("d-", d.ID))
		}
	}
	return highest
}

// restartInfo describes what ended with a task whose browser is gone, once the task has ended; calls are those that waited.
func (t *Task) restartInfo(now time.Time, calls []string) *Restart {
	r := &Restart{Reason: t.Snapshot().Disconnected, At: UnixTime{Time: now}, Launched: t.Launched(), Storage: StorageUnknown, Calls: calls}
	if t.Launched() {
		r.Storage = StorageLost
		if err := t.shared.process.Err(); err != nil {
			r.Reason = err.Error()
		}
	}
	if t.profile() != "" {
		r.Storage = StorageKept
	}
	r.Reason = cmp.Or(r.Reason, "its connection ended")
	if t.engine.Final() != nil {
		r.Tabs, r.Armed = t.pages.TabsIn(t.engine.Final()), t.engine.Final().Armed != nil
		for _, d := range t.engine.Final().PendingDialogs {
			r.Dialogs = append(r.Dialogs, d.ID)
		}
	}
	return r
}

// restarts remembers, by the id of a task, the browsers that ended by themselves.
type restarts struct {
	mu sync.Mutex
	by map[string]*restartRecord
}

// restartRecord is used under the task's key of Host.starting.
type restartRecord struct {
	ends    []time.Time // within the window, oldest first
	last    *Task       // that nothing has followed yet
	restart *Restart    // what was lost with it
}

// noteEnd notes that the browser of a task ended by itself.
func (l *restarts) noteEnd(id string, now time.Time, window time.Duration) *restartRecord {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[string]*restartRecord{}
	}
	one := l.by[id]
	if one == nil {
		one = &restartRecord{}
		l.by[id] = one
	}
	one.ends = append(one.since(now.Add(-window)), now)
	return one
}

func (l *restarts) of(id string) *restartRecord {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[id]
}

func (l *restarts) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, id)
}

// since are the ends after a time.
func (l *restartRecord) since(t time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(l.ends), func(end time.Time) bool { return !end.After(t) })
}

// allow refuses a start after as many ends as the limit within the window. A negative limit refuses none.
func (l *restartRecord) allow(now time.Time, limit int, window time.Duration) error {
	if l == nil || limit < 0 {
		return nil
	}
	recent := l.since(now.Add(-window))
	if len(recent) < limit {
		return nil
	}
	wait := recent[len(recent)-limit].Add(window).Sub(now)
	reason := "it did not say why"
	if l.restart != nil {
		reason = l.restart.Reason
	}
	return fmt.Errorf("%w: %d times within %v, the last time: %s; it is tried again in %v; until then look at the machine's memory, "+
		"at browser.executable, browser.args and browser.user_data_dir, and at the log (hermes-cdp doctor checks them)",
		ErrRestartLoop, len(recent), window, reason, wait.Round(time.Second))
}

// Forget drops what is remembered of the former lives of a task that does not run: the next one starts anew, and restarts
// nothing.
func (h *Host) Forget(id string) { h.restarts.forget(id) }

// endDead ends a task whose browser is gone, and remembers it for the one that follows. The caller has the task's key of
// Host.starting.
func (h *Host) endDead(ctx context.Context, t *Task) {
	t.awaitExit(ctx)
	calls := t.Interrupted() // which the end forgets
	h.endOld(ctx, t)
	now := time.Now()
	one := h.restarts.noteEnd(t.ID(), now, h.options.RestartWindow)
	one.last, one.restart = t, t.restartInfo(now, calls)
}

// exitGrace is how long a browser whose connection ended may take to exit: how it did is the reason that is told.
const exitGrace = 2 * time.Second

// awaitExit waits for the end of a launched browser's process, which a broken pipe announces.
func (t *Task) awaitExit(ctx context.Context) {
	if !t.Launched() {
		return
	}
	timer := time.NewTimer(exitGrace)
	defer timer.Stop()
	select {
	case <-t.shared.process.Done():
	case <-timer.C:
	case <-ctx.Done():
	}
}

// endOld ends a task to make room for another of its id.
func (h *Host) endOld(ctx context.Context, t *Task) {
	if err := h.endTask(ctx, t); err != nil {
		h.log.Warn("the old supervisor of the task did not end cleanly", "task", t.ID(), "error", err)
	}
}

// mayStart refuses to start a browser that has ended too often.
func (h *Host) mayStart(id, address string) error {
	if address != "" { // who runs that browser has to see to it
		return nil
	}
	return h.restarts.of(id).allow(time.Now(), h.options.RestartLimit, h.options.RestartWindow)
}

// replaced is called when a task runs that took the place of one whose browser ended by itself.
func (h *Host) replaced(t *Task) {
	if one := h.restarts.of(t.ID()); one != nil { // it may have been forgotten meanwhile
		one.last = nil
	}
	h.log.Warn("the task's browser ended by itself, and another has taken its place", "task", t.ID(), "reason", t.restart.Reason)
}

// failedAtOnce notes that the browser of a task ended before the task had begun.
func (h *Host) failedAtOnce(t *Task, err error) {
	if errors.Is(err, ErrDisconnected) {
		h.restarts.noteEnd(t.ID(), time.Now(), h.options.RestartWindow)
	}
}
