package host

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lasturl"
	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Task is one agent's share of a browser, supervised until it is closed. It is safe for concurrent use.
type Task struct {
	engine  *engine.Task // the task's share of the connection
	pages   *act.Pages   // reads the task's tabs and acts on them
	host    *Host
	place   place
	policy  string // for dialogs; set before the task is registered
	alone   bool   // nothing else uses its browser context; likewise
	shared  *shared
	hub     *hub
	camera  *record.Camera
	hold    hold
	filming sync.Mutex                  // held while a recording starts or stops
	film    atomic.Pointer[record.Film] // nil: not recorded
	notices notices                     // about this task alone
	tracing atomic.Pointer[tracing]     // nil: not traced
	began   time.Time
	restart *Restart // immutable once the task has begun; nil: not restarted
}

func (h *Host) newTask(id string, at place, s *shared) *Task {
	t := &Task{host: h, place: at, shared: s, hub: &hub{}, began: time.Now()}
	t.engine = engine.NewTask(id, s.link, t.hub)
	t.camera = record.NewCamera(t.engine, h.log)
	t.pages = act.NewPages(t.engine, h.rules, lasturl.New(t.profile(), h.log))
	t.pages.Traced = t.traceAction
	return t
}

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdict on the current trees. It waits
// for that at most as long as the filter may take; after that, or when ctx ends, it returns the latest snapshot.
func (t *Task) SettledSnapshot(ctx context.Context) *Snapshot {
	ctx, cancel := context.WithTimeout(ctx, t.host.frameDeadline())
	defer cancel()
	return t.engine.SettledSnapshot(ctx)
}

// Events subscribes to the events of the task; buffer limits how many may wait for the reader.
func (t *Task) Events(buffer int) *Subscription { return t.hub.subscribe(buffer) }

// Close ends the supervision: open dialogs are dismissed, tabs that the task opened are closed and others are left as
// they are, and a launched browser ends with its last task. It is safe to call it more than once.
func (t *Task) Close(ctx context.Context) error { return fault.Of("close", t.host.closeTask(ctx, t)) }

// pluginDeadlineSlack is how long a settled snapshot waits beyond the hook's own deadline: for a question already in
// progress, and for scheduling.
const pluginDeadlineSlack = time.Second

// DownloadDir is the directory for what the task downloads: [Options.DownloadDir], or one that is removed with the
// task.
func (t *Task) DownloadDir() string { return t.engine.DownloadDir() }

// ID returns the task's id.
func (t *Task) ID() string { return t.engine.ID() }

// Snapshot returns what is known about the task now. It never waits and takes no lock.
func (t *Task) Snapshot() *Snapshot { return t.engine.Snapshot() }

// Wait returns the first snapshot from now on that satisfies the condition, with ok true. If ctx ends or the task is
// closed first, it returns the latest snapshot, with ok false.
func (t *Task) Wait(ctx context.Context, condition func(*Snapshot) bool) (snapshot *Snapshot, ok bool) {
	return t.engine.Wait(ctx, condition)
}

// Done returns a channel that is closed when the task has been closed or its browser is gone.
func (t *Task) Done() <-chan struct{} { return t.engine.Done() }

// ClearConsole discards the task's console messages. Their total keeps counting.
func (t *Task) ClearConsole(ctx context.Context) (err error) {
	defer fault.During("clear_console", &err)
	_, err = t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ClearConsole{Request: id, Task: t.ID()}
	})
	return err
}

// Began is when the task began.
func (t *Task) Began() time.Time { return t.began }

// Tab returns a tab of the task by its handle, such as t1, or its target id; without an id, the tab that is in use at
// the time of each call: the one that was last opened or brought to the front. It asks nobody, so that the tab need not
// exist; then its methods return [ErrUnknownTarget].
func (t *Task) Tab(id string) Tab { return t.pages.Tab(id) }

// Tabs returns the tabs and popups of the task, by their handles, in the order in which they opened.
func (t *Task) Tabs() []Tab { return t.pages.Tabs() }

// ListTabs describes the tabs and popups of the task, with current titles: those in a [Snapshot] may be old, as
// Chromium announces a title only together with other changes. The browser is asked, but no page; if it does not answer
// soon, the known titles are returned. Errors: [ErrDisconnected], [ErrBrowserGone], [ErrClosed] and [ErrTask], because
// then the tabs are unknown.
func (t *Task) ListTabs(ctx context.Context) (_ []TabInfo, err error) {
	defer fault.During("list_tabs", &err)
	return t.pages.ListTabs(ctx)
}

// OpenTab opens a tab that belongs to the task, and returns when it is the tab in use. Its URL is still loading then.
// Errors: [ErrRefused] for a URL whose scheme is not allowed, [ErrEvaluateDisabled] for one that would run script,
// [ErrTask], [ErrClosed], and the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (_ Tab, err error) {
	defer fault.During("open_tab", &err)
	return t.pages.OpenTab(ctx, url)
}

// ResolveRef says where the element of a ref (e5 or @e5) is. It does not ask the browser: it uses the last reading and
// the documents that exist now. Errors: [ErrUnknownRef], and a [*StaleRefError] for an element that the last reading
// did not find or whose document is gone.
func (t *Task) ResolveRef(ref string) (_ ElementRef, err error) {
	defer fault.During("resolve_ref", &err)
	return t.pages.ResolveRef(ref)
}

// Refs lists the elements that have a ref and were present when their frame was last read, in the order in which they
// got their refs. It does not ask the browser.
func (t *Task) Refs() []ElementRef {
	return t.pages.Refs()
}

// LastURL returns the URL of the last page that [Tab.Navigate] loaded in a tab of the task, of the tasks that it
// followed, and of earlier browsers with its profile directory; empty if there is none. HTTP errors (status 400 and
// above), failed navigations, and documents that are not of a site or file, such as about:blank, do not count. It is
// untrusted text: a site may have redirected there.
func (t *Task) LastURL() string {
	return t.pages.LastURL()
}

// CheckURL reports whether the task may load a URL; every way of loading one checks it as well. Errors: ErrRefused
// for a scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for a URL without
// a scheme that is not completed; see [Tab.Navigate].
func (t *Task) CheckURL(address string) (err error) {
	defer fault.During("check_url", &err)
	return t.host.rules.MayLoad(scheme.Complete(address))
}

// IsPlainURL reports whether loading a URL runs no script except a site's own: its scheme is http:, https: or file:,
// or it is about:blank. If [Options.EvaluateDisabled] is set, no other URL is loaded for an agent: javascript: URLs run
// in the page being left, and data: and blob: URLs bring their own script. Whether the scheme is allowed at all is a
// matter of [Options.AllowSchemes].
func IsPlainURL(address string) bool { return scheme.Plain(address) }

// Subscription receives the events of a task in order. Its buffer is bounded: if the reader is too slow, new events are
// dropped and counted, and the supervisor goes on.
type Subscription struct {
	// C is closed when the subscription, the task or the host is closed.
	C       <-chan Event
	events  chan Event
	dropped atomic.Uint64
	hub     *hub
}

// Dropped returns how many events were lost because C was full.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription.
func (s *Subscription) Close() { s.hub.remove(s) }

// hub distributes the events of a task to its subscriptions.
type hub struct {
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

func (h *hub) subscribe(buffer int) *Subscription {
	s := &Subscription{events: make(chan Event, max(buffer, 1)), hub: h}
	s.C = s.events
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(s.events)
		return s
	}
	if h.subs == nil {
		h.subs = map[*Subscription]struct{}{}
	}
	h.subs[s] = struct{}{}
	return s
}

func (h *hub) remove(s *Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.subs[s]; ok {
		delete(h.subs, s)
		close(s.events)
	}
}

// Publish implements the Observer of package engine.
func (h *hub) Publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		select {
		case s.events <- e:
		default:
			s.dropped.Add(1)
		}
	}
}

// Close implements the Observer of package engine.
func (h *hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.subs {
		close(s.events)
	}
	clear(h.subs)
}

// Emulate replaces what is emulated in all tabs of the task, their frames and workers, those that open later before
// their first script runs, and again after a reconnect. The zero value ends it, and so does the end of the task. On an
// error, what was emulated before is emulated again. Errors: ErrBadArguments, which names what the browser does not
// take, such as an unknown timezone; ErrTask; ErrClosed; and the context's, as a page that a dialog blocks may not
// reply.
//
// Pages of one renderer process share timezone, locale and being offline, whichever task they belong to. Permissions
// are those of the task's browser context. In the browser's default context, ending them also ends those that other
// tasks of the connection have.
func (t *Task) Emulate(ctx context.Context, e Emulation) (err error) {
	defer fault.During("emulate", &err)
	return t.engine.Emulate(ctx, e)
}

// Device is what emulates a well known device, such as "Pixel 7": its viewport, its touch screen and its user agent,
// which has the version of this browser if the device's own is a Chromium. Errors: ErrBadArguments, which names the
// nearest device, and those of [Task.CDP].
func (t *Task) Device(ctx context.Context, name string) (_ Emulation, err error) {
	defer fault.During("device", &err)
	reply, err := t.CDP(ctx, CDPCall{Method: browser.CommandGetVersion})
	if err != nil {
		return Emulation{}, err
	}
	var said browser.GetVersionResult
	if err := json.Unmarshal(reply.Result, &said); err != nil {
		return Emulation{}, err
	}
	_, version, _ := strings.Cut(said.Product, "/")
	major, _, _ := strings.Cut(version, ".")
	return view.Device(name, major+".0.0.0") // as browsers shorten it
}

// Emulation returns what is emulated.
func (t *Task) Emulation() Emulation { return t.engine.Emulation() }

// emulationOf is what a task emulates from the start.
func (t *Task) emulationOf(ctx context.Context, o TaskOptions) (Emulation, error) {
	e := o.Emulation
	if o.Device == "" {
		return e, nil
	}
	d, err := t.Device(ctx, o.Device)
	e.Width, e.Height, e.Scale = cmp.Or(e.Width, d.Width), cmp.Or(e.Height, d.Height), cmp.Or(e.Scale, d.Scale)
	e.UserAgent, e.Mobile, e.Touch = cmp.Or(e.UserAgent, d.UserAgent), e.Mobile || d.Mobile, e.Touch || d.Touch
	return e, err
}
