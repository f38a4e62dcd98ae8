package browsertool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// RecordParams are the parameters of browser_record.
type RecordParams struct {
	// Action is start or stop.
	Action string `json:"action" enum:"start,stop" need:"yes"`
	toolkit.Timeout
}

// RecordResult is the result of browser_record.
type RecordResult struct {
	// Recording says that the task is being recorded now.
	Recording bool `json:"recording"`
	// Files are the videos: several if one reached its maximum size, none if no tab showed anything.
	Files []RecordedFile `json:"files,omitempty"`
}

// RecordedFile is a video.
type RecordedFile struct {
	Path string `json:"path,omitempty"`
	// Duration is in seconds.
	Duration float64 `json:"duration_s"`
	Bytes    int64   `json:"bytes" schema:"-"`
	// Problem says why it ended before it was stopped.
	Problem string `json:"problem,omitempty" schema:"-"`
}

// Record starts a recording of the task, or stops it. Errors are those of [host.Task.StartRecording] and
// [host.Task.StopRecording].
func (b *Browser) Record(ctx context.Context, p RecordParams) (RecordResult, error) {
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	if p.Action == "start" {
		err := b.kit.Task.StartRecording()
		return RecordResult{Recording: err == nil}, err
	}
	list, err := b.kit.Task.StopRecording(ctx)
	var r RecordResult
	for _, one := range list {
		r.Files = append(r.Files, RecordedFile{Path: one.Path, Duration: one.Duration, Bytes: one.Bytes, Problem: problemOf(one)})
	}
	return r, err
}

func problemOf(r host.Recording) string {
	if r.State == host.RecordingFailed {
		return result.Visible(r.Error)
	}
	return ""
}

func (RecordResult) OwnText() bool { return true }

// Text says whether the task is recorded, or where the videos are.
func (r RecordResult) Text() string {
	switch {
	case r.Recording:
		return "the task is recorded from now on; action stop completes the file"
	case len(r.Files) == 0:
		return "no tab showed anything, so there is no file"
	}
	lines := make([]string, len(r.Files))
	for i, f := range r.Files {
		took := time.Duration(f.Duration * float64(time.Second)).Round(time.Second / 10)
		if lines[i] = fmt.Sprintf("the recording of %s is in %s", took, f.Path); f.Path == "" {
			lines[i] = "there is no recording"
		}
		if f.Problem != "" {
			lines[i] += "; it ended by itself: " + f.Problem
		}
	}
	return strings.Join(lines, "\n")
}
