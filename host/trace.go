package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
	"github.com/hermes-cdp/hermes-cdp/host/internal/trace"
)

// TraceOptions configures a trace. The zero value works if [RecordingOptions.Dir] is set.
type TraceOptions struct {
	// Dir is the directory for the file, made with mode 0700. Empty: [RecordingOptions.Dir]. How long traces are kept, and
	// how many, is that of recordings.
	Dir string
	// Calls is how many calls are kept; the oldest go. Default 1,000.
	Calls int
	// Bytes bounds what is kept of pictures and texts together. The oldest pictures go first, then the oldest calls.
	// Default 32 MiB.
	Bytes int64
}

// Trace is what is known about a trace.
type Trace struct {
	// Path is the file, once it is written.
	Path string `json:"path,omitempty"`
	// Began is when it was started.
	Began UnixTime `json:"began"`
	// Calls counts the calls that have begun since, and Failed those that failed.
	Calls  int `json:"calls"`
	Failed int `json:"failed"`
	// Pictures are those that it shows; while it is running newer ones may take their place. Seen are those that the
	// browser has sent: it sends one when a page has changed.
	Pictures int `json:"pictures"`
	Seen     int `json:"pictures_seen"`
	// Bytes is the size of the file; before there is one, of what is kept.
	Bytes int64 `json:"bytes"`
}

// TracedCall is a call that a trace shows; see [Task.TraceCall].
type TracedCall struct {
	Name string
	// Arguments are a JSON object. Values that may be secret by their names are masked.
	Arguments json.RawMessage
	// Tab is the tab that the call is for: a handle or a target id. Empty: the tab in use.
	Tab string
	// Typed are those of the arguments that are typed into something. They are masked, and taken out of all else that the
	// trace shows, unless the end of the call says that they are no secrets.
	Typed []string
}

// TracedEnd is how a [TracedCall] ended.
type TracedEnd struct {
	// Text is the result for people. Empty: the text of Err.
	Text string
	// Failed says that the call did not do what was asked. Err is why, and may be nil.
	Failed bool
	Err    error
	// Plain are those of the typed texts that went into fields that show them.
	Plain []string
}

// tracing is the trace of a task while it is running.
type tracing struct {
	log     *trace.Trace
	store   trace.Store
	began   time.Time
	unlook  func()
	stopped chan struct{} // closed when it is over
	finish  sync.Once
	done    chan struct{} // closed once the file is written, or cannot be
	result  Trace
	err     error
}

// StartTrace begins a trace: what the calls of the task do from now on, with a picture of the page before and after
// each, what the console and the network said meanwhile, and dialogs. [Task.StopTrace] writes it as one HTML file; a
// trace that was not stopped is written when the task ends. It watches the network; see [Task.WatchNetwork]. The calls
// of package agent's tools are traced, and the actions of [Tab] that no such call contains. Errors: ErrTraceRunning,
// ErrBadArguments if there is no directory for the file, ErrClosed.
func (t *Task) StartTrace(options *TraceOptions) (err error) {
	defer fault.During("start_trace", &err)
	var o TraceOptions
	if options != nil {
		o = *options
	}
	recording := t.host.options.Recording
	dir := cmp.Or(o.Dir, recording.Dir)
	if dir == "" {
		return fmt.Errorf("%w: there is no directory for traces; set TraceOptions.Dir or browser.recording_dir", ErrBadArguments)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if !t.engine.Alive() {
		return ErrClosed
	}
	running := fmt.Errorf("%w: stop it first", ErrTraceRunning)
	if t.tracing.Load() != nil {
		return running
	}
	now := time.Now()
	tr := &tracing{
		log: trace.New(trace.Options{Calls: cmp.Or(o.Calls, 1000), Bytes: cmp.Or(o.Bytes, 32<<20)}, now), began: now,
		store: newTraceStore(recording, dir), stopped: make(chan struct{}), done: make(chan struct{}),
	}
	see := func(p record.Picture) {
		tr.log.See(trace.Picture{Target: p.Target, At: p.At, WebP: p.WebP, Width: p.Frame.Width, Height: p.Frame.Height})
	}
	tr.unlook = t.camera.Look(record.Viewer{Every: 100 * time.Millisecond, Side: 960, See: see})
	if !t.tracing.CompareAndSwap(nil, tr) {
		tr.unlook()
		return running
	}
	t.WatchNetwork()
	t.observe(tr)
	go t.endTraceWithTask(tr)
	return nil
}

// endTraceWithTask writes a trace that was not stopped when the task ends.
func (t *Task) endTraceWithTask(tr *tracing) {
	select {
	case <-tr.stopped:
	case <-t.Done():
		t.finishTrace(tr, "its task ended first")
	}
}

// lastPicture is how long the end of a trace waits for the picture after the last call, if that has just ended.
const lastPicture = 300 * time.Millisecond

// StopTrace ends the trace of the task and writes its file. An error says why there is none, and the trace is over all
// the same: ErrNoTrace if none is running, or that of writing the file.
func (t *Task) StopTrace(ctx context.Context) (_ Trace, err error) {
	defer fault.During("stop_trace", &err)
	tr := t.tracing.Load()
	if tr == nil {
		return Trace{}, fmt.Errorf("%w: start one first", ErrNoTrace)
	}
	select {
	case <-time.After(tr.log.Unsettled(time.Now(), lastPicture)):
	case <-ctx.Done():
	}
	go t.finishTrace(tr, "")
	select {
	case <-tr.done:
		return tr.result, tr.err
	case <-ctx.Done():
		return Trace{}, fmt.Errorf("the trace is still being written: %w", context.Cause(ctx))
	}
}

// Tracing returns what the running trace of the task has until now; nil if none is running.
func (t *Task) Tracing() *Trace {
	tr := t.tracing.Load()
	if tr == nil {
		return nil
	}
	out := tr.counted()
	return &out
}

func (tr *tracing) counted() Trace {
	n := tr.log.Totals()
	return Trace{Began: UnixTime{Time: tr.began}, Calls: n.Calls, Failed: n.Failed, Pictures: n.Pictures, Seen: n.Seen, Bytes: n.Bytes}
}

// finishTrace ends a trace once, and writes it.
func (t *Task) finishTrace(tr *tracing, reason string) {
	tr.finish.Do(func() {
		defer close(tr.done)
		close(tr.stopped)
		tr.unlook()
		t.observe(tr)
		t.tracing.CompareAndSwap(tr, nil)
		about := trace.About{Task: t.ID(), Ended: time.Now(), Reason: reason}
		tr.result = tr.counted()
		tr.result.Path, tr.result.Bytes, tr.err = tr.store.Save(tr.began, func(w io.Writer) error { return tr.log.Write(w, about) })
		if tr.err != nil {
			t.host.log.Warn("the trace of the task was not written", "task", t.ID(), "error", tr.err)
			return
		}
		t.host.log.Info("the trace of the task was written", "task", t.ID(), "path", tr.result.Path)
	})
}

// traceGrace is how long the end of a task waits for its trace; a disk may hang.
const traceGrace = 3 * time.Second

// awaitTrace waits until the trace of a task that has ended is written. tr is nil if there was none.
func (t *Task) awaitTrace(ctx context.Context, tr *tracing) {
	if tr == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, traceGrace)
	defer cancel()
	select {
	case <-tr.done:
	case <-ctx.Done():
		t.host.log.Warn("the trace of the task was not written in time", "task", t.ID())
	}
}

// observe adds what happened since the last time to the trace; a nil trace has none.
func (t *Task) observe(tr *tracing) {
	if tr == nil {
		return
	}
	s := t.Snapshot()
	seen := trace.Seen{Total: s.ConsoleTotal}
	for _, m := range s.Console {
		seen.Lines = append(seen.Lines, trace.Line{Type: m.Type, From: m.From, Text: m.Text, Source: m.Source})
	}
	for _, d := range slices.Concat(s.RecentDialogs, s.PendingDialogs) {
		seen.Dialogs = append(seen.Dialogs, trace.Dialog{
			ID: d.ID, Type: string(d.Type), Message: d.Message, URL: d.URL, Tab: t.handle(d.TargetID),
			ClosedBy: string(d.ClosedBy), Accepted: d.Accepted, Text: d.Text,
		})
	}
	for _, r := range t.Requests().List {
		seen.Requests = append(seen.Requests, trace.Request{
			Number: r.Number, Method: r.Method, URL: r.URL, Type: r.Type, Failure: r.Failure, Status: r.Status,
			Pending: !r.Ended, Took: r.Took, Size: r.Size,
		})
	}
	tr.log.Observe(seen)
}

func (t *Task) handle(target string) string {
	if target == "" {
		return ""
	}
	return t.engine.Handle(target)
}

// tabNow says which tab is meant and where it is.
func (t *Task) tabNow(tab string) trace.Place {
	s := t.Snapshot()
	target := s.Page()
	if tab != "" {
		target = s.Target(t.Tab(tab).Info().TargetID)
	}
	if target == nil {
		return trace.Place{}
	}
	return trace.Place{Target: target.ID, Tab: t.handle(target.ID), URL: target.URL}
}

// tracedCall is the key of the running call in a context, whose actions on pages are its steps.
type tracedCall struct{}

// TraceCall adds a call to the running trace of the task, if there is one, until end is called. The actions that are
// called with the returned context are shown as parts of it. It never waits for the browser: pictures are the newest
// that the browser has sent.
func (t *Task) TraceCall(ctx context.Context, c TracedCall) (_ context.Context, end func(TracedEnd)) {
	tr := t.tracing.Load()
	if tr == nil {
		return ctx, func(TracedEnd) {}
	}
	t.observe(tr)
	running := tr.log.Begin(trace.Call{Name: c.Name, Arguments: c.Arguments, Place: t.tabNow(c.Tab), Typed: c.Typed}, time.Now())
	return context.WithValue(ctx, tracedCall{}, running), func(e TracedEnd) {
		out := trace.End{Failed: e.Failed || e.Err != nil, Text: cmp.Or(e.Text, textOf(e.Err)), Plain: e.Plain, Place: t.tabNow(c.Tab)}
		out.NoPicture = t.noPicture(out.Target, e.Err)
		running.End(out, time.Now())
		t.observe(tr)
	}
}

// noPicture says why a tab shows nothing that a picture could be of; empty if it does.
func (t *Task) noPicture(target string, err error) string {
	for _, d := range t.Snapshot().PendingDialogs {
		if d.TargetID == target {
			return trace.DialogOpen
		}
	}
	if errors.Is(err, ErrDelivered) || errors.Is(err, ErrRendererBusy) {
		return "the page does not answer"
	}
	return ""
}

// traceAction is told of every action on a page. It is a part of the call that the context is of, or else a call.
func (t *Task) traceAction(ctx context.Context, a act.Action) (end func(act.ActionResult, error)) {
	began := time.Now()
	if running, ok := ctx.Value(tracedCall{}).(*trace.Running); ok {
		return func(r act.ActionResult, err error) {
			running.Step(trace.Step{Name: a.Name, Element: cmp.Or(r.Element, a.At), Error: textOf(err), Took: time.Since(began)})
		}
	}
	if t.tracing.Load() == nil {
		return func(act.ActionResult, error) {}
	}
	var typed []string
	if a.Typed != "" {
		typed = append(typed, a.Typed)
	}
	arguments, _ := json.Marshal(map[string]string{a.What: a.At}) // texts always can be
	if a.At == "" {
		arguments = nil
	}
	_, ended := t.TraceCall(ctx, TracedCall{Name: a.Name, Arguments: arguments, Tab: a.Tab, Typed: typed})
	return func(r act.ActionResult, err error) {
		e := TracedEnd{Text: r.Element, Err: err}
		if err == nil && !r.Secret {
			e.Plain = typed
		}
		ended(e)
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
