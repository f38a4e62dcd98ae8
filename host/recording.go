package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
	"github.com/hermes-cdp/hermes-cdp/internal/retention"
)

// RecordingOptions says where recordings of tasks are kept; see [TaskOptions.Record]. They show whatever the tabs showed,
// what was typed into them included. Several hosts may share a folder.
type RecordingOptions struct {
	// Dir is the folder, made with mode 0700; the files in it have 0600. Empty: nothing can be recorded.
	Dir string
	// Keep is how long a recording is kept after its end. Default 72 h.
	Keep time.Duration
	// MaxBytes is the size at which a file ends and another one goes on. Default 64 MiB, and at most half of TotalBytes.
	MaxBytes int64
	// TotalBytes is how much all files may have: the oldest are removed for new ones. Default 1 GiB.
	TotalBytes int64
}

func (o RecordingOptions) withDefaults() RecordingOptions {
	o.Keep = cmp.Or(o.Keep, 72*time.Hour)
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	o.TotalBytes = cmp.Or(o.TotalBytes, 1<<30)
	o.MaxBytes = min(o.MaxBytes, o.TotalBytes/2) // what makes room for a tab's next file is then not all of the one before
	return o
}

// RecordingState is how far a [Recording] is.
type RecordingState string

// The states of recordings.
const (
	// RecordingRunning is one that is being written.
	RecordingRunning RecordingState = "recording"
	// RecordingFinished is one that has been ended.
	RecordingFinished RecordingState = "finished"
	// RecordingUnfinished is one that a killed process left open. It plays; the next host on its folder ends it.
	RecordingUnfinished RecordingState = "unfinished"
	// RecordingFailed is one that ended, or did not begin, because it could not be written.
	RecordingFailed RecordingState = "failed"
)

// Recording is a video of what one tab showed: WebM with VP8, one file for each tab.
type Recording struct {
	ID       string `json:"id"`
	TaskID   string `json:"task_id"`
	Tab      string `json:"tab"` // its handle in the task, such as t1
	TargetID string `json:"target_id"`
	// File is the name in the folder, and Path the whole; both are empty for one that could not be begun.
	File string `json:"file,omitempty"`
	Path string `json:"path,omitempty"`
	// Began is when the first frame was shown, in Unix seconds with a fraction.
	Began UnixTime `json:"began"`
	// Duration is in seconds.
	Duration float64 `json:"duration_s"`
	// Frames were written. Dropped were sent by the browser, and not written.
	Frames  int            `json:"frames"`
	Dropped int            `json:"dropped"`
	Bytes   int64          `json:"bytes"`
	State   RecordingState `json:"state"`
	// EndedBy is tab (the tab or its task ended), size (another file goes on), error, or killed; empty until it has ended.
	EndedBy string `json:"ended_by,omitempty"`
	// Error says why it failed; empty for one that another process wrote.
	Error string `json:"error,omitempty"`
}

// ErrNoRecording says that there is no recording of an id.
var ErrNoRecording = errors.New("no such recording")

// Recordings lists what has been recorded of a task, in this process or another one, the oldest first; of all tasks where
// task is empty. An error is that of the folder.
func (h *Host) Recordings(task string) ([]Recording, error) { return h.recordings.list(task) }

// OpenRecording opens a recording for reading, also one that is being written: it is then read up to where it is. The caller
// closes the file. Errors: ErrNoRecording, that of the file.
func (h *Host) OpenRecording(id string) (*os.File, Recording, error) {
	return h.recordings.openFile(id)
}

// RecordingsChanged gives a channel that is closed when a recording begins or ends. Take it before you look.
func (h *Host) RecordingsChanged() <-chan struct{} { return h.recordings.changes.wait() }

// Recordings lists what is in a folder of recordings without a host: as [Host.Recordings], for all tasks.
func Recordings(o RecordingOptions) ([]Recording, error) {
	return (&recordings{store: newRecordingStore(o)}).list("")
}

// recordings are those of a host.
type recordings struct {
	store   *recording.Store // nil where there is no folder
	log     *slog.Logger
	changes broadcast
	tended  chan struct{} // closed when nobody tends the folder any more; nil: nobody ever did
}

func newRecordingStore(o RecordingOptions) *recording.Store {
	if o.Dir == "" {
		return nil
	}
	if dir, err := filepath.Abs(o.Dir); err == nil {
		o.Dir = dir // it is shown to people and programs that are somewhere else
	}
	return recording.NewStore(recording.Options(o.withDefaults()))
}

// tendEvery is the time between two looks for what has been kept for long enough.
const tendEvery = time.Hour

// tend removes old recordings, at once and then each hour, until ctx ends.
func (r *recordings) tend(ctx context.Context) {
	if r.store == nil {
		return
	}
	r.tended = make(chan struct{})
	go func() {
		defer close(r.tended)
		retention.Tend(ctx, tendEvery, func() {
			if err := r.store.Tend(time.Now()); err != nil {
				r.log.Warn("the directory of recordings cannot be maintained", "error", err)
			}
		})
	}()
}

// wait waits for who tends the folder, when that is to end: for no longer than ctx, as a disk can hang.
func (r *recordings) wait(ctx context.Context) {
	if r.tended == nil {
		return
	}
	select {
	case <-r.tended:
	case <-ctx.Done():
		r.log.Warn("the folder of recordings has not been tended to the end")
	}
}

func (r *recordings) list(task string) ([]Recording, error) {
	list := []Recording{}
	if r.store == nil {
		return list, nil
	}
	all, err := r.store.List(task)
	if err != nil {
		return nil, fmt.Errorf("the folder of recordings: %w", err)
	}
	for _, i := range all {
		list = append(list, publicRecording(i))
	}
	return list, nil
}

func (r *recordings) openFile(id string) (*os.File, Recording, error) {
	if r.store == nil {
		return nil, Recording{}, fmt.Errorf("%w: %q; there is no folder for recordings", ErrNoRecording, id)
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
		ID: i.ID, TaskID: i.Task, Tab: i.Tab, TargetID: i.Target, Path: i.Path, Began: UnixTime{Time: i.Began}, Duration: i.Duration.Seconds(),
		Frames: i.Frames, Dropped: i.Dropped, Bytes: i.Bytes, State: RecordingState(i.State), EndedBy: string(i.Ending), Error: i.Error,
	}
	if i.Path != "" {
		out.File = filepath.Base(i.Path)
	}
	return out
}

// record begins to record a task, where there is a folder for it.
func (t *Task) record() {
	h := t.host
	if h.recordings.store == nil {
		h.log.Warn("the task is not recorded: there is no folder for recordings", "task", t.ID())
		return
	}
	t.recorder.Store(record.Start(t.engine, h.recordings.store, h.log, h.recordings.changes.tell))
}

// Recorded tells whether what the task's tabs show is being recorded; see [TaskOptions.Record].
func (t *Task) Recorded() bool { return t.recorder.Load() != nil && t.engine.Alive() }
