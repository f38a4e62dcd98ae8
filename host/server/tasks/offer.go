package tasks

import (
	"context"
	"log/slog"
	"os"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Offer is what a server offers to agents.
type Offer struct {
	// Tools are the tools to offer; a call starts its task if it needs one.
	Tools agent.Tools
	// CheckToolsets validates names of toolsets; nil accepts all.
	CheckToolsets func(names []string) error
	// Settle is called before tools are listed or called, to wait for tools that arrive shortly after the server starts.
	// May be nil.
	Settle func(context.Context)
	// Tasks are the tasks of the tools.
	Tasks Source
	// Recordings are the recordings of the tasks; nil: there are none.
	Recordings Recordings
	// Version is shown to clients.
	Version string
	// Logger receives what happens; nil logs nothing.
	Logger *slog.Logger
}

// Source are the tasks that calls work on; [Tasks] has them.
type Source interface {
	// Running returns a task, or nil if it has not been started or has ended.
	Running(id string) *host.Task
	// Await waits until a task runs.
	Await(ctx context.Context, id string) (*host.Task, error)
	// Hold keeps a task from being ended as idle until release is called.
	Hold(id string) (release func())
	// End ends a task; it is not an error if there is none.
	End(ctx context.Context, id string) error
}

// Recordings are the recordings of tasks; [host.Host] has them.
type Recordings interface {
	// Recordings lists the recordings of a task, or of all tasks if task is empty.
	Recordings(task string) ([]host.Recording, error)
	// OpenRecording opens a recording for reading.
	OpenRecording(id string) (*os.File, host.Recording, error)
	// RecordingsChanged returns a channel that is closed when a recording starts or ends.
	RecordingsChanged() <-chan struct{}
}

// MIMEVideo is the type of a recording.
const MIMEVideo = "video/webm"

// WithDefaults returns an offer whose functions and logger are not nil.
func (o Offer) WithDefaults() Offer {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Settle == nil {
		o.Settle = func(context.Context) {}
	}
	if o.CheckToolsets == nil {
		o.CheckToolsets = func([]string) error { return nil }
	}
	return o
}
