package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// The paths of recordings.
const (
	pathRecordings = Prefix + "recordings"
	pathRecording  = Prefix + "recordings/{id}"
)

// noRecordings is for a server without recordings.
type noRecordings struct{}

func (noRecordings) Recordings(string) ([]host.Recording, error) { return []host.Recording{}, nil }

func (noRecordings) OpenRecording(string) (*os.File, host.Recording, error) {
	return nil, host.Recording{}, host.ErrNoRecording
}

func (noRecordings) RecordingsChanged() <-chan struct{} { return nil }

// recordingList is the answer to GET recordings.
type recordingList struct {
	Recordings []host.Recording `json:"recordings"`
}

// recordings lists the recordings of a task, or of all tasks that the caller may work on.
func (a *api) recordings(w http.ResponseWriter, r *http.Request) error {
	caller, task := access.CallerOf(r.Context()), r.URL.Query().Get("task")
	if task != "" {
		if _, err := taskOf(r); err != nil {
			return err
		}
	}
	list, err := a.Recordings.Recordings(task)
	if err != nil {
		return err
	}
	foreign := func(r host.Recording) bool { return !caller.Allows(r.TaskID) }
	return a.write(w, recordingList{slices.DeleteFunc(list, foreign)})
}

// recording serves a video, or the ranges that a player asks for. A video that is still being written is served up to
// its current end.
func (a *api) recording(w http.ResponseWriter, r *http.Request) error {
	file, video, err := a.Recordings.OpenRecording(r.PathValue("id"))
	if err == nil && !access.CallerOf(r.Context()).Allows(video.TaskID) { // this caller must not learn that it exists
		err = errors.Join(fmt.Errorf("%w: %q", host.ErrNoRecording, r.PathValue("id")), file.Close())
	}
	if errors.Is(err, host.ErrNoRecording) {
		return bad(fault.ErrNoRecording, "%v; GET %s lists the existing ones", err, pathRecordings)
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // opened for reading
	info, err := file.Stat()
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", tasks.MIMEVideo)
	header.Set("Content-Disposition", `inline; filename="`+video.File+`"`)
	header.Set("Cache-Control", "no-store") // it may show private data
	http.ServeContent(w, r, "", info.ModTime(), file)
	return nil
}

// recordingPaths describes the paths of recordings.
func recordingPaths() object {
	video := responses("The video, as far as it has been written.", tasks.MIMEVideo, object{"type": "string", "contentMediaType": tasks.MIMEVideo}, 404)
	video["206"] = object{"description": "The range that was asked for.", "content": object{tasks.MIMEVideo: object{"schema": object{"type": "string"}}}}
	return object{
		pathRecordings: object{"get": object{
			"operationId": "listRecordings", "summary": "List the recorded videos of tabs, oldest first.",
			"parameters": []any{object{"name": "task", "in": "query", "description": "Only those of this task. Default: all.", "schema": object{"type": "string"}}},
			"responses":  responses("The recordings, including those of tasks that have ended.", "application/json", ref("Recordings")),
		}},
		pathRecording: object{"get": object{
			"operationId": "readRecording", "summary": "Read a video, or a range of its bytes.",
			"parameters": []any{object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}},
			"responses":  video,
		}},
	}
}

func recordingSchemas() object {
	text, number := object{"type": "string"}, object{"type": "number"}
	whole := object{"type": "integer", "minimum": 0}
	return object{
		"Recordings": object{
			"type": "object", "required": []any{"recordings"},
			"properties": object{"recordings": object{"type": "array", "items": ref("Recording")}},
		},
		"Recording": object{
			"type": "object", "required": []any{"id", "task_id", "began", "duration_s", "frames", "dropped", "bytes", "state"},
			"properties": object{
				"id": text, "task_id": text, "file": text, "path": text, "error": text,
				"began":      object{"type": "number", "description": "In Unix seconds."},
				"duration_s": number, "frames": whole, "bytes": whole,
				"dropped":  object{"type": "integer", "minimum": 0, "description": "Frames that the browser sent and that were not written."},
				"state":    object{"enum": []any{host.RecordingRunning, host.RecordingFinished, host.RecordingUnfinished, host.RecordingFailed}},
				"ended_by": object{"type": "string", "description": "tab, size (a new file continues it), error, killed."},
			},
		},
	}
}
