package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// fakeRecordings are files that all have the same content.
type fakeRecordings struct {
	path string

	mu      sync.Mutex
	list    []host.Recording
	changed chan struct{}
	looked  chan string // the tasks whose recordings were listed
}

func newFakeRecordings(t *testing.T, list ...host.Recording) *fakeRecordings {
	t.Helper()
	f := &fakeRecordings{path: filepath.Join(t.TempDir(), "video.webm"), list: list, changed: make(chan struct{}), looked: make(chan string, 100)}
	if err := os.WriteFile(f.path, []byte("the video"), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fakeRecordings) Recordings(task string) (list []host.Recording, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.list {
		if r.TaskID == task {
			list = append(list, r)
		}
	}
	select {
	case f.looked <- task:
	default:
	}
	return list, nil
}

func (f *fakeRecordings) OpenRecording(id string) (*os.File, host.Recording, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.list {
		if r.ID == id {
			file, err := os.Open(f.path)
			return file, r, err
		}
	}
	return nil, host.Recording{}, host.ErrNoRecording
}

func (f *fakeRecordings) RecordingsChanged() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// add adds a recording and notifies.
func (f *fakeRecordings) add(r host.Recording) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, r)
	close(f.changed)
	f.changed = make(chan struct{})
}

func TestAClientReadsTheRecordingsOfItsTask(t *testing.T) {
	const task = "a {b} %zz/c" // must be escaped in a URI
	recordings := newFakeRecordings(t,
		host.Recording{ID: "small", TaskID: task, State: host.RecordingFinished, Path: "/small.webm", Bytes: 9},
		host.Recording{ID: "large", TaskID: task, State: host.RecordingFinished, Path: "/large.webm", Bytes: maxVideo + 1},
		host.Recording{ID: "running", TaskID: task, State: host.RecordingRunning, Path: "/running.webm", Bytes: 9},
		host.Recording{ID: "theirs", TaskID: "another", State: host.RecordingFinished, Path: "/theirs.webm", Bytes: 9},
	)
	eachOf(t, Options{Tools: newFakeTools(nil), Tasks: newFakeTasks(), Recordings: recordings}, SessionOptions{Task: task}, nil, func(t *testing.T, c *mcp.ClientSession) {
		ctx := t.Context()
		resources, err := c.ListResources(ctx, nil)
		if err != nil || len(resources.Resources) != 4 {
			t.Fatalf("the resources are %+v, %v", resources, err)
		}
		templates, err := c.ListResourceTemplates(ctx, nil)
		if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].MIMEType != tasks.MIMEVideo {
			t.Fatalf("the templates are %+v, %v", templates, err)
		}
		address := uri(task, partRecordings)
		got, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: address})
		if err != nil {
			t.Fatal(err)
		}
		var list resource
		if err := json.Unmarshal([]byte(got.Contents[0].Text), &list); err != nil || list.TaskID != task || len(list.Recordings) != 3 {
			t.Fatalf("the list is %s, %v", got.Contents[0].Text, err)
		}
		for i, want := range []string{address + "/small", "", ""} {
			if list.Recordings[i].URI != want {
				t.Errorf("recording %d is at %q", i, list.Recordings[i].URI)
			}
		}
		got, err = c.ReadResource(ctx, &mcp.ReadResourceParams{URI: address + "/small"})
		if err != nil || string(got.Contents[0].Blob) != "the video" || got.Contents[0].MIMEType != tasks.MIMEVideo {
			t.Errorf("the video is %+v, %v", got, err)
		}
		for id, want := range map[string]string{"large": "/large.webm", "running": "/running.webm", "theirs": "not found", "../small": "not found", "": "not found"} {
			_, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: address + "/" + id})
			var wrong *jsonrpc.Error
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Message, want) {
				t.Errorf("%q: %v", id, err)
			}
		}
	})
}

func TestAClientHearsOfTheRecordingsOfItsTask(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	recordings := newFakeRecordings(t)
	updated := make(chan string, 100)
	o := &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI }}
	eachSubscriber(t, Options{Tools: newFakeTools(nil), Tasks: newFakeTasks(), Recordings: recordings}, SessionOptions{Task: "mine"}, o, func(t *testing.T, c *subscriber) {
		if err := c.subscribe(ctx, uri("mine", partRecordings)); err != nil {
			t.Fatal(err)
		}
		looks := func(n int) {
			t.Helper()
			for range n {
				select {
				case <-recordings.looked:
				case <-ctx.Done():
					t.Fatal("nobody looked")
				}
			}
		}
		looks(2) // the initial state, and the change
		recordings.add(host.Recording{ID: "theirs", TaskID: "another"})
		looks(1)
		recordings.add(host.Recording{ID: "begun", TaskID: "mine", State: host.RecordingRunning})
		looks(1)
		select {
		case got := <-updated:
			if got != uri("mine", partRecordings) || len(updated) > 0 {
				t.Errorf("%s was updated, and %d more", got, len(updated))
			}
		case <-ctx.Done():
			t.Fatal("no update came")
		}
	})
}
