package mcp

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

const mimeJSON = "application/json"

// uri returns the URI of a part of a task, whose name may have any characters.
func uri(task string, part tasks.Part) string {
	return "hermes://task/" + url.PathEscape(task) + "/" + string(part)
}

var descriptions = map[tasks.Part]string{
	tasks.PartSnapshot: "What is known about the tabs, their frames, dialogs and console, without asking a page.",
	tasks.PartDialogs:  "The open dialogs and the recently closed ones.",
	tasks.PartFrames:   "The frames of each tab.",
}

// addResources offers the parts of the session's own task only.
func (s *session) addResources() {
	for _, part := range tasks.Parts() {
		s.sdk.AddResource(&mcp.Resource{
			URI: uri(s.task, part), Name: string(part), Description: descriptions[part], MIMEType: mimeJSON,
		}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return s.read(ctx, part)
		})
	}
}

// resource is the content of a part of a task.
type resource struct {
	TaskID string `json:"task_id"`
	// Running is false before the first call of a tool that needs a browser, and after the browser has ended.
	Running bool `json:"running"`
	// Untrusted are the keys whose values come from pages.
	Untrusted []string       `json:"untrusted,omitempty"`
	Snapshot  *host.Snapshot `json:"snapshot,omitempty"`
	Dialogs   *tasks.Dialogs `json:"dialogs,omitempty"`
	Frames    []tasks.Frames `json:"frames,omitempty"`
	// Recorded says that the tabs are being recorded.
	Recorded   bool              `json:"recorded,omitempty"`
	Recordings []listedRecording `json:"recordings,omitzero"`
}

// read returns the current state of a part. It starts nothing, and dialogs do not block it.
func (s *session) read(ctx context.Context, part tasks.Part) (*mcp.ReadResourceResult, error) {
	out := resource{TaskID: s.task}
	if t := s.server.options.Tasks.Running(s.task); t != nil {
		out.Running, out.Untrusted = true, tasks.Untrusted()
		switch part {
		case tasks.PartDialogs:
			dialogs := tasks.DialogsOf(t.Snapshot())
			out.Dialogs = &dialogs
		case tasks.PartFrames:
			out.Frames = tasks.FramesOf(t.SettledSnapshot(ctx))
		default:
			out.Snapshot = t.SettledSnapshot(ctx)
		}
	}
	text, err := marshal(out)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri(s.task, part), MIMEType: mimeJSON, Text: text}}}, nil
}

// subscribe starts notifying a client of the changes of a part.
func (s *session) subscribe(_ context.Context, r *mcp.SubscribeRequest) error {
	if s.server.options.Recordings != nil && r.Params.URI == uri(s.task, partRecordings) {
		s.watchingRecordings.Do(func() { s.work.Go(s.watchRecordings) })
		return nil
	}
	known := slices.ContainsFunc(tasks.Parts(), func(p tasks.Part) bool { return uri(s.task, p) == r.Params.URI })
	if !known {
		return invalid(fmt.Sprintf("there is no resource %q; resources/list lists the existing ones", r.Params.URI))
	}
	s.watching.Do(func() { s.work.Go(s.watch) })
	return nil
}

// watch notifies the client of the changes of the session's task, also after it was started again.
func (s *session) watch() {
	for {
		t, err := s.server.options.Tasks.Await(s.running, s.task)
		if err != nil {
			return // the session has ended
		}
		s.updated(tasks.Parts()) // it has just started, or ended in the meantime
		tasks.Watch(s.running, t, t.Snapshot(), func(changed []tasks.Part, _ *host.Snapshot) { s.updated(changed) })
		select {
		case <-t.Done():
			s.updated(tasks.Parts())
		case <-s.running.Done():
			return
		}
	}
}

// updated notifies subscribers; an error only means that the client is gone.
func (s *session) updated(parts []tasks.Part) {
	for _, part := range parts {
		_ = s.sdk.ResourceUpdated(s.running, &mcp.ResourceUpdatedNotificationParams{URI: uri(s.task, part)})
	}
}

// marshal encodes a resource, with text from pages escaped for display.
func marshal(v any) (string, error) {
	text, err := tasks.JSON(v)
	return string(text), err
}
