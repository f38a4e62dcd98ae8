package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Storage says what happened to cookies and to what pages stored.
type Storage string

// The values of [Storage].
const (
	// StorageLost: the profile was temporary and was removed with its browser.
	StorageLost Storage = "lost"
	// StorageKept: the profile directory still has whatever the browser had written.
	StorageKept Storage = "kept"
	// StorageUnknown: the host did not start the browser and does not know.
	StorageUnknown Storage = "unknown"
)

// Restart says what a task lost when its browser ended by itself, or the task was retired, and it was started again.
// Refs, tab handles, reading tokens, dialog ids and call ids continue their numbering, so that none from before means
// something else now.
type Restart struct {
	// Reason says how the browser ended, or why the task was retired.
	Reason string
	// At is when the host noticed.
	At UnixTime
	// Launched says that the host had started the browser.
	Launched bool
	// Storage says what happened to cookies and to what pages stored.
	Storage Storage
	// Tabs are those that were open; their URLs and titles are untrusted text.
	Tabs []TabInfo
	// Dialogs are the ids of the open dialogs, and Calls those of the calls that were waiting to be resumed.
	Dialogs, Calls []string
	// Armed says that an answer was armed for the next dialog.
	Armed bool
}

// Restarted says what was lost when the task's browser was last replaced; nil if it never was.
func (t *Task) Restarted() *Restart { return t.restart }

// Launched reports whether the host started the task's browser.
func (t *Task) Launched() bool { return t.shared.process != nil }

// profile returns the directory of a profile that outlives its browser; empty if none is known.
func (t *Task) profile() string {
	if p := t.shared.process; p != nil && !p.HasTemporaryProfile() {
		return p.UserDataDir()
	}
	return ""
}

// follow makes the task continue the numbering of an ended task with the same id.
func (t *Task) follow(last *Task) {
	ended := ""
	if t.restart != nil {
		ended = t.restart.Reason
	}
	t.pages.Follow(last.pages, last.lastDialog(), ended)
}

// lastDialog returns the highest dialog number known, including the tasks that this one followed.
func (t *Task) lastDialog() int {
	highest := t.engine.Earlier().Dialog
	for _, s := range []*Snapshot{t.Snapshot(), t.engine.Final()} {
		if s != nil {
			highest = max(highest, s.LastDialog)
		}
	}
	return highest
}

// restartInfo describes what is lost with a task. last is its snapshot before its end, or nil; calls are those that
// were waiting to be resumed.
func (t *Task) restartInfo(now time.Time, last *Snapshot, calls []string) *Restart {
	r := &Restart{Reason: t.Snapshot().Disconnected, At: UnixTime{Time: now}, Launched: t.Launched(), Storage: StorageUnknown, Calls: calls}
	if t.Launched() {
		r.Storage = StorageLost
		if err := t.shared.process.Err(); err != nil {
			r.Reason = err.Error()
		}
	}
	if t.shared.lease != nil {
		r.Storage = StorageLost
	}
	if t.profile() != "" {
		r.Storage = StorageKept
	}
	r.Reason = cmp.Or(r.Reason, "its connection ended")
	if last != nil {
		r.Tabs, r.Armed = t.pages.TabsIn(last), last.Armed != nil
		for _, d := range last.PendingDialogs {
			r.Dialogs = append(r.Dialogs, d.ID)
		}
	}
	return r
}

// restarts records, by task id, the browsers that ended by themselves, and the tasks that were retired.
type restarts struct {
	mu sync.Mutex
	by map[string]*restartRecord
}

// restartRecord may be used only while holding the task's key of Host.starting.
type restartRecord struct {
	ends    []time.Time // within the window, oldest first
	last    *Task       // not yet followed by another
	restart *Restart    // what was lost with it
}

// noteEnd records that a task's browser ended by itself.
func (l *restarts) noteEnd(id string, now time.Time, window time.Duration) *restartRecord {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.recordOf(id)
	one.ends = append(one.since(now.Add(-window)), now)
	return one
}

// noteRetired records what was lost with a task whose browser did not end by itself.
func (l *restarts) noteRetired(t *Task, lost *Restart) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.recordOf(t.ID())
	one.last, one.restart = t, lost
}

func (l *restarts) recordOf(id string) *restartRecord {
	if l.by == nil {
		l.by = map[string]*restartRecord{}
	}
	one := l.by[id]
	if one == nil {
		one = &restartRecord{}
		l.by[id] = one
	}
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

// since returns the ends after t.
func (l *restartRecord) since(t time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(l.ends), func(end time.Time) bool { return !end.After(t) })
}

// allow refuses a start if the number of ends within the window has reached the limit. A negative limit refuses none.
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
	check := "the machine's memory, browser.executable, browser.args and browser.user_data_dir, and the log (hermes-cdp doctor checks them)"
	if l.restart != nil {
		reason = l.restart.Reason
		if !l.restart.Launched {
			check = "the sessions at the service that browsers are rented from, and the log"
		}
	}
	return fmt.Errorf("%w: %d times within %v, the last time: %s; the host tries again in %v; until then check %s",
		ErrRestartLoop, len(recent), window, reason, wait.Round(time.Second), check)
}

// Forget discards what is remembered about earlier browsers of a task that is not running: the next task with this id
// starts afresh.
func (h *Host) Forget(id string) { h.restarts.forget(id) }

// Idle is how long no call has worked on the task; 0 while one does, or waits to be resumed.
func (t *Task) Idle() time.Duration { return t.engine.Idle() }

// Retire is Close for a task that may be wanted again: the next one with this id continues its numbering, and its
// [Task.Restarted] says what was lost, and gives the reason.
func (t *Task) Retire(ctx context.Context, reason string) (err error) {
	defer fault.During("retire", &err)
	h := t.host
	unlock, err := h.starting.Lock(ctx, "task "+t.ID())
	if err != nil {
		return err
	}
	defer unlock()
	if h.Task(t.ID()) != t {
		return nil
	}
	lost := t.restartInfo(time.Now(), t.Snapshot(), t.Interrupted())
	lost.Reason = reason
	err = h.endTask(ctx, t)
	h.restarts.noteRetired(t, lost)
	return err
}

// endDead ends a task whose browser is gone, and remembers it for the task that follows. The caller holds the task's
// key of Host.starting.
func (h *Host) endDead(ctx context.Context, t *Task) {
	t.awaitExit(ctx)
	calls := t.Interrupted() // before endOld discards them
	h.endOld(ctx, t)
	now := time.Now()
	one := h.restarts.noteEnd(t.ID(), now, h.options.RestartWindow)
	one.last, one.restart = t, t.restartInfo(now, t.engine.Final(), calls)
}

// exitGrace is how long a browser may take to exit after its connection ended: its exit status is the reason to report.
const exitGrace = 2 * time.Second

// awaitExit waits for a launched browser's process to exit, which usually follows a broken pipe.
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

// endOld ends a task to make room for another with its id.
func (h *Host) endOld(ctx context.Context, t *Task) {
	if err := h.endTask(ctx, t); err != nil {
		h.log.Warn("the old supervisor of the task did not end cleanly", "task", t.ID(), "error", err)
	}
}

// mayStart refuses to start a browser that has ended too often.
func (h *Host) mayStart(id, address string) error {
	if address != "" { // whoever runs that browser is responsible for it
		return nil
	}
	return h.restarts.of(id).allow(time.Now(), h.options.RestartLimit, h.options.RestartWindow)
}

// replaced is called once a task has begun that takes the place of one whose browser is gone.
func (h *Host) replaced(t *Task) {
	if one := h.restarts.of(t.ID()); one != nil { // it may have been forgotten in the meantime
		one.last = nil
	}
	h.log.Warn("another browser has taken the place of the task's", "task", t.ID(), "reason", t.restart.Reason)
}

// failedAtOnce records that a task's browser ended before the task had begun.
func (h *Host) failedAtOnce(t *Task, err error) {
	if errors.Is(err, ErrDisconnected) {
		h.restarts.noteEnd(t.ID(), time.Now(), h.options.RestartWindow)
	}
}
