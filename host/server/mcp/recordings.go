package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

const (
	// maxVideo limits a recording that is sent through a session, in bytes.
	maxVideo = 8 << 20
	// partRecordings is the last part of the URI of a task's recordings; each finished one is below it.
	partRecordings = "recordings"
)

// listedRecording is a recording with its URI if it can be read.
type listedRecording struct {
	host.Recording
	URI string `json:"uri,omitempty"`
}

// addRecordings offers the recordings of the session's own task only.
func (s *session) addRecordings() {
	if s.server.options.Recordings == nil {
		return
	}
	address := uri(s.task, partRecordings)
	s.sdk.AddResource(&mcp.Resource{
		URI: address, Name: partRecordings, Description: "The recorded videos of the tabs, if they are recorded.", MIMEType: mimeJSON,
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.readRecordings()
	})
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: address + "/{id}", Name: "recording", Description: "A finished video.", MIMEType: tasks.MIMEVideo,
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.readRecording(r.Params.URI, strings.TrimPrefix(r.Params.URI, address+"/"))
	})
}

func (s *session) readRecordings() (*mcp.ReadResourceResult, error) {
	list, err := s.server.options.Recordings.Recordings(s.task)
	if err != nil {
		return nil, err
	}
	out := resource{TaskID: s.task, Recordings: []listedRecording{}}
	if t := s.server.options.Tasks.Running(s.task); t != nil {
		out.Running, out.Recorded = true, t.Recorded()
	}
	address := uri(s.task, partRecordings)
	for _, r := range list {
		listed := listedRecording{Recording: r}
		if readable(r) {
			listed.URI = address + "/" + r.ID
		}
		out.Recordings = append(out.Recordings, listed)
	}
	text, err := marshal(out)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: address, MIMEType: mimeJSON, Text: text}}}, nil
}

// readable reports whether a recording is complete and small enough.
func readable(r host.Recording) bool {
	return r.State != host.RecordingRunning && r.Path != "" && r.Bytes <= maxVideo
}

func (s *session) readRecording(address, id string) (_ *mcp.ReadResourceResult, err error) {
	file, r, err := s.server.options.Recordings.OpenRecording(id)
	if err == nil && r.TaskID != s.task { // this session must not learn that it exists
		err = errors.Join(host.ErrNoRecording, file.Close())
	}
	switch {
	case errors.Is(err, host.ErrNoRecording):
		return nil, mcp.ResourceNotFoundError(address)
	case err != nil:
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	switch {
	case r.Bytes > maxVideo:
		return nil, invalid(fmt.Sprintf("the recording has %d bytes, and at most %d can be read here; it is the file %s", r.Bytes, maxVideo, r.Path))
	case !readable(r):
		return nil, invalid("the recording is not finished; it is the file " + r.Path)
	}
	video, err := io.ReadAll(io.LimitReader(file, maxVideo))
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: address, MIMEType: tasks.MIMEVideo, Blob: video}}}, nil
}

// watchRecordings notifies the client when a recording of the session's task starts or ends.
func (s *session) watchRecordings() {
	recordings := s.server.options.Recordings
	for before := s.recordingStates(); ; {
		changed := recordings.RecordingsChanged()
		if now := s.recordingStates(); now != before {
			before = now
			// An error only means that the client is gone.
			_ = s.sdk.ResourceUpdated(s.running, &mcp.ResourceUpdatedNotificationParams{URI: uri(s.task, partRecordings)})
		}
		select {
		case <-changed:
		case <-s.running.Done():
			return
		}
	}
}

// recordingStates returns a text that changes when a recording starts or ends.
func (s *session) recordingStates() string {
	list, err := s.server.options.Recordings.Recordings(s.task)
	if err != nil {
		return err.Error()
	}
	var text strings.Builder
	for _, r := range list {
		fmt.Fprintln(&text, r.ID, r.State)
	}
	return text.String()
}
