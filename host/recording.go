package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
	"github.com/hermes-cdp/hermes-cdp/host/internal/trace"
	"github.com/hermes-cdp/hermes-cdp/internal/retention"
)

// RecordingOptions says where recordings and traces of tasks are kept; see [TaskOptions.Record] and [Task.StartTrace].
// They show whatever the tabs showed, including what was typed. Several hosts may share a directory.
type RecordingOptions struct {
	// Dir is the directory, created with mode 0700; files in it have mode 0600. Empty: nothing can be recorded.
	Dir string
	// Keep is how long a recording or a trace is kept after it ends. Default 72 h.
	Keep time.Duration
	// MaxBytes is the size at which a recording continues in a new file. Default 64 MiB, and at most half of TotalBytes.
	MaxBytes int64
	// TotalBytes limits the size of all recordings together, and that of all traces; the oldest are removed to make room.
	// Default 1 GiB.
	TotalBytes int64
}

func (o RecordingOptions) withDefaults() RecordingOptions {
	o.Keep = cmp.Or(o.Keep, 72*time.Hour)
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	o.TotalBytes = cmp.Or(o.TotalBytes, 1<<30)
	o.MaxBytes = min(o.MaxBytes, o.TotalBytes/2) // so that a tab's next file does not displace all of the previous one
	return o
}

// RecordingState is the state of a [Recording].
type RecordingState string

// The states of recordings.
const (
	// RecordingRunning: it is being written.
	RecordingRunning RecordingState = "recording"
	// RecordingFinished: it is complete.
	RecordingFinished RecordingState = "finished"
	// RecordingUnfinished: a killed process left it open. It is playable, and the next host on its directory finishes it.
	RecordingUnfinished RecordingState = "unfinished"
	// RecordingFailed: it ended or did not start because it could not be written.
	RecordingFailed RecordingState = "failed"
)

// Recording is a video of what a task showed, in WebM with VP8: the tab in use, with its dialogs drawn into it.
type Recording struct {
	ID     string `json:"id"`
	TaskID string `json:"task_id"`
	// File is the file's name and Path its path; both are empty for a recording that could not be started.
	File string `json:"file,omitempty"`
	Path string `json:"path,omitempty"`
	// Began is when the first frame was shown, in Unix seconds with a fraction.
	Began UnixTime `json:"began"`
	// Duration is in seconds.
	Duration float64 `json:"duration_s"`
	// Frames counts the frames written, Dropped those that the browser sent and that were not written.
	Frames  int            `json:"frames"`
	Dropped int            `json:"dropped"`
	Bytes   int64          `json:"bytes"`
	State   RecordingState `json:"state"`
	// EndedBy is task (its task ended), stop, size (a new file continues it), error, or killed; empty until it has ended.
	EndedBy string `json:"ended_by,omitempty"`
	// Error says why it failed; empty for a recording of another process.
	Error string `json:"error,omitempty"`
}

// Recordings lists the recordings of a task, by this or another process, oldest first; an empty task means all tasks.
// Errors come from reading the directory.
func (h *Host) Recordings(task string) (_ []Recording, err error) {
	defer fault.During("recordings", &err)
	return h.recordings.list(task)
}

// OpenRecording opens a recording for reading. One that is still being written can be read up to its current end. The
// caller closes the file. Errors: ErrNoRecording and those of opening the file.
func (h *Host) OpenRecording(id string) (_ *os.File, _ Recording, err error) {
	defer fault.During("open_recording", &err)
	return h.recordings.openFile(id)
}

// RecordingsChanged returns a channel that is closed when a recording starts or ends. Call it before reading the list.
func (h *Host) RecordingsChanged() <-chan struct{} { return h.recordings.changes.wait() }

// Recordings lists the recordings in a directory without a host, like [Host.Recordings] for all tasks.
func Recordings(o RecordingOptions) ([]Recording, error) {
	return (&recordings{store: newRecordingStore(o)}).list("")
}

// recordings are the recordings of a host.
type recordings struct {
	store   *recording.Store // nil if there is no directory
	traces  trace.Store      // of the same directory
	log     *slog.Logger
	changes broadcast
	tended  chan struct{} // closed when tend's goroutine has ended; nil: it was never started
}

// newTraceStore returns the store of traces that are kept like recordings, in a directory.
func newTraceStore(o RecordingOptions, dir string) trace.Store {
	o = o.withDefaults()
	return trace.Store{Dir: dir, Keep: o.Keep, TotalBytes: o.TotalBytes}
}

func newRecordingStore(o RecordingOptions) *recording.Store {
	if o.Dir == "" {
		return nil
	}
	if dir, err := filepath.Abs(o.Dir); err == nil {
		o.Dir = dir // it is shown to people and programs with other working directories
	}
	return recording.NewStore(recording.Options(o.withDefaults()))
}

// tendEvery is the time between two removals of old recordings.
const tendEvery = time.Hour

// tend removes old recordings, at once and then every hour, until ctx ends.
func (r *recordings) tend(ctx context.Context) {
	if r.store == nil {
		return
	}
	r.tended = make(chan struct{})
	go func() {
		defer close(r.tended)
		retention.Tend(ctx, tendEvery, func() {
			if err := errors.Join(r.store.Tend(time.Now()), r.traces.Tend(time.Now())); err != nil {
				r.log.Warn("the directory of recordings cannot be maintained", "error", err)
			}
		})
	}()
}

// wait waits for tend to end, but no longer than ctx, as a disk can hang.
func (r *recordings) wait(ctx context.Context) {
	if r.tended == nil {
		return
	}
	select {
	case <-r.tended:
	case <-ctx.Done():
		r.log.Warn("maintenance of the directory of recordings did not end in time")
	}
}

func (r *recordings) list(task string) ([]Recording, error) {
	list := []Recording{}
	if r.store == nil {
		return list, nil
	}
	all, err := r.store.List(task)
	if err != nil {
		return nil, fmt.Errorf("the directory of recordings: %w", err)
	}
	for _, i := range all {
		list = append(list, publicRecording(i))
	}
	return list, nil
}

func (r *recordings) openFile(id string) (*os.File, Recording, error) {
	if r.store == nil {
		return nil, Recording{}, fmt.Errorf("%w: %q; no directory for recordings is configured", ErrNoRecording, id)
	}
	file, i, err := r.store.Open(id)
	switch {
	case errors.Is(err, recording.ErrNotFound):
		return nil, Recording{}, fmt.Errorf("%w: %q", ErrNoRecording, id)
	case err != nil:
		return nil, Recording{}, fmt.Errorf("recording %q: %w", id, err)
	}
	return file, publicRecording(i), nil
}

func publicRecording(i recording.Info) Recording {
	out := Recording{
		ID: i.ID, TaskID: i.Task, Path: i.Path, Began: UnixTime{Time: i.Began}, Duration: i.Duration.Seconds(),
		Frames: i.Frames, Dropped: i.Dropped, Bytes: i.Bytes, State: RecordingState(i.State), EndedBy: string(i.Ending), Error: i.Error,
	}
	if i.Path != "" {
		out.File = filepath.Base(i.Path)
	}
	return out
}

// StartRecording begins a video of what the tab in use shows from now on, with the dialogs of that tab, which no
// picture of a page has, drawn into it. [Task.StopRecording] ends it, and else the end of the task does. It delays
// nothing: if it cannot be written, because the disk is full, it ends, which [Task.RecordingProblem] and [Task.Notices]
// say, and the task goes on. Errors: ErrRecordingRunning, ErrBadArguments if there is no directory for the file,
// ErrClosed.
func (t *Task) StartRecording() (err error) {
	defer fault.During("start_recording", &err)
	h := t.host
	if h.recordings.store == nil {
		return fmt.Errorf("%w: there is no directory for recordings; set RecordingOptions.Dir or browser.recording_dir", ErrBadArguments)
	}
	t.filming.Lock()
	defer t.filming.Unlock()
	if !t.engine.Alive() {
		return ErrClosed
	}
	if t.recorded() {
		return fmt.Errorf("%w: stop it first", ErrRecordingRunning)
	}
	film := record.NewFilm(t.engine, t.camera, h.recordings.store, h.log, h.recordings.changes.tell)
	t.film.Store(film)
	go t.tellProblem(film)
	return nil
}

// tellProblem says in the notices why a recording ended by itself.
func (t *Task) tellProblem(film *record.Film) {
	<-film.Done()
	if _, err := film.Files(); err != nil {
		t.notices.add("the recording has ended, and the task goes on without it: " + err.Error())
	}
}

// StopRecording ends the recording of the task and returns its files: more than one if one reached its maximum size,
// none if no tab showed anything. One that failed before is returned as well. Errors: ErrNotRecorded, and the
// context's.
func (t *Task) StopRecording(ctx context.Context) (_ []Recording, err error) {
	defer fault.During("stop_recording", &err)
	t.filming.Lock()
	defer t.filming.Unlock()
	film := t.film.Load()
	if film == nil {
		return nil, fmt.Errorf("%w: start a recording first", ErrNotRecorded)
	}
	film.Stop()
	select {
	case <-film.Done():
	case <-ctx.Done():
		return nil, fmt.Errorf("the recording is still being written: %w", context.Cause(ctx))
	}
	t.film.Store(nil)
	ids, failed := film.Files()
	list, err := t.host.recordings.list(t.ID())
	list = slices.DeleteFunc(list, func(r Recording) bool { return !slices.Contains(ids, r.ID) })
	if failed != nil && len(list) == 0 {
		list = []Recording{{TaskID: t.ID(), State: RecordingFailed, EndedBy: string(recording.EndedError), Error: failed.Error()}}
	}
	return list, err
}

// Recorded reports whether the task is being recorded; see [TaskOptions.Record].
func (t *Task) Recorded() bool { return t.recorded() && t.engine.Alive() }

func (t *Task) recorded() bool {
	film := t.film.Load()
	if film == nil {
		return false
	}
	select {
	case <-film.Done():
		return false
	default:
		return true
	}
}

// RecordingProblem says why the recording of the task ended by itself; empty if it did not, and once it was stopped.
func (t *Task) RecordingProblem() string {
	film := t.film.Load()
	if film == nil || t.recorded() {
		return ""
	}
	_, err := film.Files()
	return textOf(err)
}

// LivePicture is what a tab showed at a time.
type LivePicture struct {
	TargetID string
	At       time.Time
	WebP     []byte
	// Width and Height are those of the picture in pixels, PageWidth and PageHeight those of the viewport that it shows in
	// CSS pixels, which is what [Tab.ClickAt] takes.
	Width, Height         int
	PageWidth, PageHeight float64
}

// liveEvery is the least time between two pictures of a tab.
const liveEvery = 100 * time.Millisecond

// Watch shows what the tabs of the task show from now on, until stop is called: a picture of each tab, and then one
// whenever it has changed. see is called from several goroutines and must not block.
func (t *Task) Watch(see func(LivePicture)) (stop func()) {
	return t.camera.Look(record.Viewer{Every: liveEvery, Side: 1280, See: func(p record.Picture) {
		see(LivePicture{
			TargetID: p.Target, At: p.At, WebP: p.WebP, Width: p.Frame.Width, Height: p.Frame.Height,
			PageWidth: p.PageWidth, PageHeight: p.PageHeight,
		})
	}})
}
