package record

import (
	"bytes"
	"context"
	"image"
	"log/slog"
	"maps"
	"sync"
	"time"

	"golang.org/x/image/vp8"

	"github.com/hermes-cdp/hermes-cdp/host/internal/dialogbox"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
	encoder "github.com/hermes-cdp/hermes-cdp/host/internal/vp8"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// answerShown is how long a dialog stays in a recording once its answer is seen. The answer may have come at once, and
// the film, which draws pictures meanwhile, may see it late.
const answerShown = time.Second

// Film records a task: what the tab in use shows, with its dialogs drawn into it. A goroutine of its own writes it, so
// that a disk delays neither the pictures nor the task.
type Film struct {
	task    *engine.Task
	tape    *recording.Tape
	log     *slog.Logger
	changed func() // called when a file begins or ends
	began   time.Time
	unlook  func()

	ctx   context.Context // ends when the recording is to
	stop  func()
	fresh chan struct{} // holds one token when there is something new in what mu guards
	done  chan struct{} // closed when the file is complete

	mu      sync.Mutex
	newest  map[string]*newest // of each tab
	missed  int                // pictures of the tab in use that were replaced before they were written
	refused error              // why a tab is not seen

	// owned by run
	shown   scene
	last    Picture              // what the tab in use showed last
	answers map[string]time.Time // when the film saw that a recent dialog of any tab had been answered, by id
	err     error
}

// newest is the newest picture of a tab.
type newest struct {
	Picture
	taken bool
}

// scene is what a frame shows.
type scene struct {
	target  string
	at      time.Time // of the picture of the page
	dialog  string
	answers bool // the dialog has been answered
}

// NewFilm begins to record a task; changed is called when a file begins or ends.
func NewFilm(t *engine.Task, c *Camera, store *recording.Store, log *slog.Logger, changed func()) *Film {
	ctx, stop := context.WithCancel(context.Background())
	f := &Film{
		task: t, log: log, changed: changed, began: time.Now(), ctx: ctx, stop: stop, tape: store.NewTape(recording.Meta{Task: t.ID()}),
		fresh: make(chan struct{}, 1), done: make(chan struct{}), newest: map[string]*newest{}, answers: map[string]time.Time{},
	}
	f.unlook = c.Look(Viewer{Every: 200 * time.Millisecond, Side: 1280, See: f.see, Refused: f.refuse})
	go f.run()
	return f
}

// Done is closed when the recording has ended: with its task, by Stop, or because it failed.
func (f *Film) Done() <-chan struct{} { return f.done }

// Stop ends the recording. It does not wait.
func (f *Film) Stop() { f.stop() }

// Files are the ids of its files, the oldest first, and why it failed. Call it after Done.
func (f *Film) Files() ([]string, error) { return f.tape.IDs(), f.err }

// endGrace is how long the end of a task waits for its recording. The writes are small, but a disk may hang.
const endGrace = 2 * time.Second

// Wait waits until the file of a task that has ended is complete. It may be called on nil.
func (f *Film) Wait(ctx context.Context) {
	if f == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, endGrace)
	defer cancel()
	select {
	case <-f.done:
	case <-ctx.Done():
		f.log.Warn("the recording of the task was not completed in time", "task", f.task.ID())
	}
}

// see takes a picture in place of an older one of its tab.
func (f *Film) see(p Picture) {
	f.mu.Lock()
	if p.Target == f.task.Snapshot().TabInUse {
		f.missed += p.Missed
		if before := f.newest[p.Target]; before != nil && !before.taken {
			f.missed++
		}
	}
	f.newest[p.Target] = &newest{Picture: p}
	f.mu.Unlock()
	f.wake()
}

func (f *Film) refuse(err error) {
	f.mu.Lock()
	f.refused = err
	f.mu.Unlock()
}

func (f *Film) wake() {
	select {
	case f.fresh <- struct{}{}:
	default:
	}
}

func (f *Film) run() {
	why := f.follow()
	f.unlook()
	if f.err == nil {
		f.err = f.finish(why)
	}
	if f.err != nil {
		f.log.Warn("the task is not recorded any longer", "task", f.task.ID(), "error", f.err)
	}
	close(f.done)
	f.changed()
}

// follow writes what is new, until the recording ends or fails.
func (f *Film) follow() recording.Ending {
	for {
		now, superseded := f.task.Current()
		next, err := f.roll(now)
		if err != nil {
			f.err = err
			return recording.EndedError
		}
		select {
		case <-superseded:
		case <-f.fresh:
		case <-next:
		case <-f.task.Done():
			return recording.EndedTask
		case <-f.ctx.Done():
			return recording.EndedStop
		}
	}
}

// finish writes the last picture and ends the file.
func (f *Film) finish(why recording.Ending) error {
	_, err := f.roll(f.task.Snapshot())
	f.mu.Lock()
	refused := f.refused
	f.mu.Unlock()
	switch {
	case err != nil:
		return err
	case len(f.tape.IDs()) == 0 && refused != nil:
		f.tape.Fail(time.Now(), refused)
		return refused
	}
	return f.tape.End(time.Now(), why)
}

// roll writes what the tab in use shows now, unless that was written already. The channel tells when that changes by
// itself.
func (f *Film) roll(now *view.Snapshot) (next <-chan time.Time, err error) {
	if f.task.IsClosed() {
		return nil, nil // its tabs are being closed, one by one
	}
	f.take(now)
	dialog, until := f.dialogOf(now)
	s := scene{target: f.last.Target, at: f.last.At, dialog: dialog.ID, answers: dialog.Answer != ""}
	if dialog.ID != "" {
		next = time.After(time.Until(until))
		s.target, s.at = now.TabInUse, f.shown.at // what the page draws behind the dialog is not shown
	}
	if s == f.shown || s.target == "" && dialog.ID == "" {
		return next, nil
	}
	at := time.Now()
	if dialog.ID == "" && f.shown.dialog == "" && f.shown.target == s.target {
		at = f.last.At
	}
	frame, err := f.frame(s.target, dialog)
	if err != nil {
		return nil, err
	}
	f.shown = s
	defer f.tellNewFile(f.tape.Current())
	return next, f.tape.Frame(at, frame)
}

// take takes over the newest picture of the tab in use. A tab without one is shown once it has one.
func (f *Film) take(now *view.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tape.Drop(f.missed)
	f.missed = 0
	if p := f.newest[now.TabInUse]; p != nil {
		f.last, p.taken = p.Picture, true
	}
	maps.DeleteFunc(f.newest, func(target string, _ *newest) bool { return now.Target(target) == nil })
}

// frame is the last picture of a tab, with a dialog unless that has no id.
func (f *Film) frame(tab string, d dialogbox.Dialog) (recording.Frame, error) {
	if d.ID == "" {
		return f.last.Frame, nil
	}
	page := recording.Frame{} // it has shown nothing yet
	if f.last.Target == tab {
		page = f.last.Frame
	}
	m := decoded(page)
	dialogbox.Draw(m, d)
	data, err := encoder.Encode(m)
	return recording.Frame{Data: data, Width: m.Rect.Dx(), Height: m.Rect.Dy()}, err
}

// maxPixels bounds the pictures into which dialogs are drawn; the browser was asked for smaller ones.
const maxPixels = 2048 * 2048

// decoded returns a frame as a picture; a blank one if it is none that can be drawn into.
func decoded(f recording.Frame) *image.YCbCr {
	if f.Width*f.Height > 0 && f.Width*f.Height <= maxPixels {
		d := vp8.NewDecoder()
		d.Init(bytes.NewReader(f.Data), len(f.Data))
		if _, err := d.DecodeFrameHeader(); err == nil {
			if m, err := d.DecodeFrame(); err == nil {
				return m
			}
		}
	}
	blank := image.NewYCbCr(image.Rect(0, 0, 1280, 800), image.YCbCrSubsampleRatio420)
	for i := range blank.Cb {
		blank.Cb[i], blank.Cr[i] = 128, 128
	}
	for i := range blank.Y {
		blank.Y[i] = 235
	}
	return blank
}

// dialogOf returns the dialog of the tab in use that is open, or that has just been answered, and until when it is
// shown; without an id if there is none.
func (f *Film) dialogOf(now *view.Snapshot) (shown dialogbox.Dialog, until time.Time) {
	for _, d := range now.PendingDialogs {
		if d.TargetID == now.TabInUse && d.Suppressed == "" {
			return drawn(d), d.Deadline.Time
		}
	}
	return f.answered(now)
}

// answered returns the dialog of the tab in use that was answered last, until it has been shown for long enough.
func (f *Film) answered(now *view.Snapshot) (shown dialogbox.Dialog, until time.Time) {
	before := f.answers
	f.answers = map[string]time.Time{}
	for _, d := range now.RecentDialogs {
		seen, ok := before[d.ID]
		if !ok {
			seen = time.Now()
		}
		f.answers[d.ID] = seen
		if d.TargetID == now.TabInUse && d.Suppressed == "" && d.OpenedAt.After(f.began) && time.Since(seen) < answerShown {
			shown, until = drawn(d), seen.Add(answerShown)
		}
	}
	return shown, until
}

func drawn(d view.Dialog) dialogbox.Dialog {
	out := dialogbox.Dialog{ID: d.ID, Type: string(d.Type), Origin: d.Origin, Message: d.Message, Default: d.DefaultPrompt, Accepted: d.Accepted}
	if d.ClosedBy != "" {
		out.Answer = "dismissed by " + string(d.ClosedBy)
		if d.Accepted {
			out.Answer = "accepted by " + string(d.ClosedBy)
		}
	}
	return out
}

// tellNewFile reports a file that replaced the one before.
func (f *Film) tellNewFile(before string) {
	if f.tape.Current() != before {
		f.changed()
	}
}
