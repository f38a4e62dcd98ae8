package trace

import (
	"slices"
	"sync"
	"time"
)

// Options bound a trace.
type Options struct {
	// Calls is how many calls are kept; the oldest go.
	Calls int
	// Bytes bounds the pictures and texts that are kept together. The oldest pictures go first, then the oldest calls.
	Bytes int64
}

// Bounds of what one call keeps; more is counted.
const (
	maxText  = 16 << 10 // bytes of a result, and of arguments as they are shown
	maxGiven = 64 << 10 // bytes of arguments
	maxShort = 2 << 10  // bytes of a URL, a line or a message
	maxLines = 200      // console lines, requests and dialogs, each
	maxSteps = 200
	maxTabs  = 50 // whose newest picture is kept
)

// settling is how long after the end of a call a newer picture still shows what the call did.
const settling = time.Second

// Trace collects the calls of a task. Its methods may be called from any goroutine, and never wait for a browser.
type Trace struct {
	options Options
	began   time.Time

	mu       sync.Mutex
	prelude  *call   // what happened before the first call
	calls    []*call // oldest first
	numbered int     // calls that have begun
	failed   int
	bytes    int64
	latest   map[string]*Picture // the newest picture of each tab
	pictures []*Picture          // those that calls show, oldest first
	secrets  map[string]bool     // what calls that were left out had typed
	seen     sighting
	sent     int // pictures that came from the browser
	lost     losses
}

// losses count what the bounds left out.
type losses struct{ pictures, calls int }

// Picture is what a tab showed.
type Picture struct {
	Target string
	At     time.Time
	// WebP is the picture; nil once it had to make room for newer ones.
	WebP          []byte
	Width, Height int // in pixels
	counted       bool
}

// Call is a call that begins.
type Call struct {
	Name string
	// Arguments are a JSON object, as given.
	Arguments []byte
	// Place is the tab that it is for.
	Place
	// Typed are the texts in the arguments that are typed somewhere. They are taken for secrets until the call's end says
	// otherwise.
	Typed []string
}

// Place is a tab, its handle, and where it is.
type Place struct{ Target, Tab, URL string }

// End is how a call ended.
type End struct {
	Failed bool
	// Text is the result or the error, for people.
	Text string
	// Plain are those of the typed texts that went into fields that show them.
	Plain []string
	// Place is the tab that the picture after the call shows: the one that the call named, else the one in use.
	Place
	// NoPicture says why there is none: the page waits for an answer, or does not answer.
	NoPicture string
}

// DialogOpen is the reason of [End.NoPicture] that the tab has an open dialog, which is shown instead.
const DialogOpen = "a dialog is open"

// Step is an action on a page within a call.
type Step struct {
	Name, Element, Error string
	Took                 time.Duration
}

// call is a call of the trace.
type call struct {
	Call
	number   int
	began    time.Time
	took     time.Duration
	ended    bool
	end      End
	before   *Picture
	after    *Picture
	steps    []Step
	lines    []Line
	dialogs  []*Dialog
	requests []*Request
	more     struct{ steps, lines, dialogs, requests int }
	bytes    int64
	dropped  bool
}

// New begins a trace.
func New(o Options, now time.Time) *Trace {
	return &Trace{options: o, began: now, prelude: &call{}, latest: map[string]*Picture{}, secrets: map[string]bool{}, seen: newSighting()}
}

// Running is a call that has begun.
type Running struct {
	trace *Trace
	call  *call
}

// Begin begins a call.
func (t *Trace) Begin(c Call, now time.Time) *Running {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.numbered++
	c.Arguments, c.URL = clip(c.Arguments, maxGiven), clip(c.URL, maxShort)
	one := &call{Call: c, number: t.numbered, began: now, before: t.latest[c.Target]}
	t.calls = append(t.calls, one)
	t.grow(one, len(c.Arguments)+len(c.URL)+len(c.Name))
	t.show(one.before)
	t.makeRoom()
	return &Running{t, one}
}

// Step adds an action that the call did.
func (r *Running) Step(s Step) {
	r.trace.mu.Lock()
	defer r.trace.mu.Unlock()
	if len(r.call.steps) == maxSteps {
		r.call.more.steps++
		return
	}
	s.Element, s.Error = clip(s.Element, maxShort), clip(s.Error, maxShort)
	r.call.steps = append(r.call.steps, s)
	r.trace.grow(r.call, len(s.Name)+len(s.Element)+len(s.Error))
	r.trace.makeRoom()
}

// End ends the call.
func (r *Running) End(e End, now time.Time) {
	t, c := r.trace, r.call
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Text, e.URL = clip(e.Text, maxText), clip(e.URL, maxShort)
	c.end, c.ended, c.took = e, true, now.Sub(c.began)
	if e.Failed {
		t.failed++
	}
	if e.NoPicture == "" {
		t.setAfter(c, t.latest[e.Target])
	}
	t.grow(c, len(e.Text)+len(e.URL))
	t.makeRoom()
}

// See takes a new picture of a tab. It is also the one after the last call, if that has just ended.
func (t *Trace) See(p Picture) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent++
	if len(t.latest) > maxTabs {
		clear(t.latest) // most of these tabs are closed; the others soon send another
	}
	t.latest[p.Target] = &p
	if len(t.calls) == 0 {
		return
	}
	last := t.calls[len(t.calls)-1]
	if last.ended && last.end.NoPicture == "" && last.end.Target == p.Target && p.At.Sub(last.began.Add(last.took)) <= settling {
		t.setAfter(last, &p)
		t.makeRoom()
	}
}

// setAfter shows a picture after a call, in place of the one that was taken for it until now.
func (t *Trace) setAfter(c *call, p *Picture) {
	old := c.after
	c.after = p
	t.show(p)
	t.release(old)
}

// release no longer counts a picture that no call shows.
func (t *Trace) release(p *Picture) {
	if p == nil || !p.counted || slices.ContainsFunc(t.calls, func(c *call) bool { return c.before == p || c.after == p }) {
		return
	}
	t.pictures = slices.DeleteFunc(t.pictures, func(q *Picture) bool { return q == p })
	p.counted = false
	t.bytes -= int64(len(p.WebP))
}

// show counts a picture that a call shows.
func (t *Trace) show(p *Picture) {
	if p == nil || p.counted || p.WebP == nil {
		return
	}
	p.counted = true
	t.pictures = append(t.pictures, p)
	t.bytes += int64(len(p.WebP))
}

func (t *Trace) grow(c *call, n int) {
	if c.dropped {
		return
	}
	c.bytes += int64(n)
	t.bytes += int64(n)
}

// makeRoom gives up the oldest pictures, then the oldest calls, until the trace is within its bounds.
func (t *Trace) makeRoom() {
	for len(t.calls) > t.options.Calls {
		t.dropOldest()
	}
	for t.bytes > t.options.Bytes && len(t.pictures) > 0 {
		t.bytes -= int64(len(t.pictures[0].WebP))
		t.pictures[0].WebP, t.pictures[0].counted = nil, false
		t.pictures = t.pictures[1:]
		t.lost.pictures++
	}
	for t.bytes > t.options.Bytes && len(t.calls) > 1 {
		t.dropOldest()
	}
}

// dropOldest gives up the oldest call. What it typed stays a secret, and its pictures may be those of others.
func (t *Trace) dropOldest() {
	c := t.calls[0]
	t.calls = t.calls[1:]
	t.lost.calls++
	for _, text := range c.secrets() {
		t.secrets[text] = true
	}
	c.dropped = true
	t.bytes -= c.bytes
	for _, r := range c.requests {
		delete(t.seen.requests, r.Number)
	}
	t.release(c.before)
	t.release(c.after)
}

// secrets returns what the call typed that may be a secret.
func (c *call) secrets() []string {
	return slices.DeleteFunc(slices.Clone(c.Typed), func(text string) bool { return slices.Contains(c.end.Plain, text) })
}

// Totals count what a trace has.
type Totals struct {
	Calls, Failed int
	// Pictures and Bytes are kept now; Seen pictures came from the browser.
	Pictures, Seen int
	Bytes          int64
}

// Totals returns the current counts.
func (t *Trace) Totals() Totals {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Totals{Calls: t.numbered, Failed: t.failed, Pictures: len(t.pictures), Seen: t.sent, Bytes: t.bytes}
}

// slack is how much more of a text is kept than is shown, so that a secret at its end is whole when it is taken out.
const slack = 1 << 10

func clip[T ~string | ~[]byte](text T, limit int) T {
	return text[:min(len(text), limit+slack)]
}

// Unsettled returns how long to wait for the picture after the last call: until a time after its end, unless there is a
// newer picture already.
func (t *Trace) Unsettled(now time.Time, limit time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) == 0 {
		return 0
	}
	last := t.calls[len(t.calls)-1]
	if !last.ended || last.end.NoPicture != "" {
		return 0
	}
	return max(0, last.began.Add(last.took+limit).Sub(now))
}
