package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

const (
	// eventBuffer is how many events can wait for a reader before some are lost.
	eventBuffer = 1024
	// keepAlive is how often a silent stream sends a comment, because proxies close idle connections.
	keepAlive = 15 * time.Second
)

// The events of this API, in addition to those of [host.EventKind].
const (
	eventState   = "state"  // the state when the stream begins
	eventFrames  = "frames" // the frame trees, after a change
	eventDropped = string(control.EventDropped)
	eventEnd     = "end" // the task has ended, and so does the stream
)

// eventNames are all events that a client can ask for.
var eventNames = []string{
	eventState, eventFrames, eventDropped, eventEnd,
	string(host.EventDialogOpened), string(host.EventDialogClosed), string(host.EventConsole),
	string(host.EventTargetAttached), string(host.EventTargetGone), string(host.EventTargetCrashed),
	string(host.EventPluginFault), string(host.EventPluginChanged), string(host.EventNavigationDenied), string(host.EventNavigationRewritten), string(host.EventDownload),
	string(host.EventDisconnected), string(host.EventReconnected), string(host.EventBridged),
}

// state is the state of a task when a stream begins. Text from pages in it is untrusted.
type state struct {
	TaskID string `json:"task_id"`
	tasks.Dialogs
	Frames  []tasks.Frames        `json:"frames"`
	Console []host.ConsoleMessage `json:"console_messages"`
	untrusted
}

// untrusted lists the keys whose values come from pages.
type untrusted struct {
	Untrusted []string `json:"untrusted,omitempty"`
}

// event is an event of the host, marked.
type event struct {
	host.Event
	untrusted
}

// markedEvent marks an event that contains text from a page.
func markedEvent(e host.Event) event {
	if e.Dialog == nil && e.Target == nil && e.Console == nil && e.Navigation == nil {
		return event{Event: e}
	}
	return event{e, untrusted{tasks.Untrusted()}}
}

type frames struct {
	TaskID string         `json:"task_id"`
	Frames []tasks.Frames `json:"frames"`
	untrusted
}

type dropped struct {
	TaskID  string `json:"task_id"`
	Dropped uint64 `json:"dropped"`
}

type end struct {
	TaskID string `json:"task_id"`
	Reason string `json:"reason,omitempty"`
}

// events streams the events of a running task. Nothing after the first event is missed, except what [eventDropped]
// reports.
func (a *api) events(w http.ResponseWriter, r *http.Request) error {
	only, err := onlyOf(r)
	if err != nil {
		return err
	}
	id, err := taskOf(r)
	if err != nil {
		return err
	}
	task := a.Tasks.Running(id)
	if task == nil {
		return bad(fault.ErrUnknownTask, "the task %q is not running; the first call of a tool starts it", id)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	s := &stream{w: w, control: http.NewResponseController(w), only: only, task: task}
	s.run(r.Context())
	return nil
}

// onlyOf returns which events are wanted; nil means all.
func onlyOf(r *http.Request) ([]string, error) {
	list := r.URL.Query().Get("only")
	if list == "" {
		return nil, nil
	}
	only := strings.Split(list, ",")
	for _, name := range only {
		if !slices.Contains(eventNames, name) {
			return nil, bad(fault.ErrBadRequest, "only: there is no event %q; the events are: %s", name, strings.Join(eventNames, ", "))
		}
	}
	return only, nil
}

// stream is one listening client.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	only    []string
	task    *host.Task
	lost    uint64 // lost events already reported
}

// run streams until the client or the task is gone.
func (s *stream) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	events := s.task.Events(eventBuffer)
	defer events.Close()
	since := s.task.SettledSnapshot(ctx)
	trees := make(chan *host.Snapshot)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.watchFrames(ctx, since, trees)
	}()
	defer func() {
		cancel()
		<-watched
	}()
	beat := time.NewTicker(keepAlive)
	defer beat.Stop()
	err := s.control.Flush() // once the client has the headers, it misses nothing
	if err == nil {
		err = s.send(eventState, state{
			TaskID: s.task.ID(), Dialogs: tasks.DialogsOf(since), Frames: tasks.FramesOf(since), Console: since.Console,
			untrusted: untrusted{tasks.Untrusted()},
		})
	}
	for err == nil {
		select {
		case e, open := <-events.C:
			if !open {
				_ = s.send(eventEnd, end{s.task.ID(), s.task.Snapshot().Disconnected})
				return
			}
			if err = s.tellLost(events.Dropped()); err == nil {
				err = s.send(string(e.Kind), markedEvent(e))
			}
		case now := <-trees:
			err = s.send(eventFrames, frames{s.task.ID(), tasks.FramesOf(now), untrusted{tasks.Untrusted()}})
		case <-beat.C:
			err = s.write(": the stream lives\n\n")
		case <-ctx.Done():
			return
		}
	}
}

// watchFrames sends each snapshot whose frame trees have changed.
func (s *stream) watchFrames(ctx context.Context, since *host.Snapshot, trees chan<- *host.Snapshot) {
	tasks.Watch(ctx, s.task, since, func(changed []tasks.Part, now *host.Snapshot) {
		if !slices.Contains(changed, tasks.PartFrames) {
			return
		}
		select {
		case trees <- now:
		case <-ctx.Done():
		}
	})
}

// tellLost reports how many events a slow client has missed, before the next one.
func (s *stream) tellLost(n uint64) error {
	if n == s.lost {
		return nil
	}
	s.lost = n
	return s.send(eventDropped, dropped{s.task.ID(), n})
}

func (s *stream) send(name string, data any) error {
	if s.only != nil && !slices.Contains(s.only, name) {
		return nil
	}
	text, err := tasks.JSON(data) // on one line
	if err != nil {
		return err
	}
	return s.write(fmt.Sprintf("event: %s\ndata: %s\n", name, text))
}

func (s *stream) write(text string) error {
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}
