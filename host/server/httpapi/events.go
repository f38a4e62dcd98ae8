package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

const (
	// eventBuffer is how many events wait for a reader before some are lost.
	eventBuffer = 1024
	// keepAlive is how often a silent stream shows that it lives; what is between a client and the host closes idle ones.
	keepAlive = 15 * time.Second
)

// The events that are this API's own, beside those of [host.EventKind].
const (
	eventState   = "state"  // what there is when the stream begins
	eventFrames  = "frames" // the frame trees, after a change
	eventDropped = string(control.EventDropped)
	eventEnd     = "end" // the task has ended, and the stream does
)

// eventNames are all events that a client can ask for.
var eventNames = []string{
	eventState, eventFrames, eventDropped, eventEnd,
	string(host.EventDialogOpened), string(host.EventDialogClosed), string(host.EventConsole),
	string(host.EventTargetAttached), string(host.EventTargetGone), string(host.EventTargetCrashed),
	string(host.EventPluginFault), string(host.EventNavigationDenied),
	string(host.EventDisconnected), string(host.EventReconnected), string(host.EventBridged),
}

// state is what a task has when a stream begins. What pages say in it is untrusted.
type state struct {
	TaskID string `json:"task_id"`
	tasks.Dialogs
	Frames  []tasks.Frames        `json:"frames"`
	Console []host.ConsoleMessage `json:"console_messages"`
	untrusted
}

// untrusted marks what pages say: the keys whose values they chose.
type untrusted struct {
	Untrusted []string `json:"untrusted,omitempty"`
}

// event is one of the host's, marked.
type event struct {
	host.Event
	untrusted
}

// markedEvent marks an event that has the text of a page.
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

// events streams what happens to a task that runs. Nothing that happens after the first event is missed, but what is told
// by [eventDropped].
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
		return bad(http.StatusNotFound, "unknown_task", "the task %q does not run; the first call of a tool starts it", id)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	s := &stream{w: w, control: http.NewResponseController(w), only: only, task: task}
	s.run(r.Context())
	return nil
}

// onlyOf reads which events are wanted; nil means all.
func onlyOf(r *http.Request) ([]string, error) {
	list := r.URL.Query().Get("only")
	if list == "" {
		return nil, nil
	}
	only := strings.Split(list, ",")
	for _, name := range only {
		if !slices.Contains(eventNames, name) {
			return nil, bad(http.StatusBadRequest, "bad_request", "only: there is no event %q; there are: %s", name, strings.Join(eventNames, ", "))
		}
	}
	return only, nil
}

// stream is one client that listens.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	only    []string
	task    *host.Task
	lost    uint64 // events that were told to be lost
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
	err := s.control.Flush() // the headers say that nothing is missed from here on
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

// watchFrames hands over each snapshot whose frame trees are others than those before.
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

// tellLost tells how many events a client that is too slow has missed, before the next one.
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
	text, err := tasks.JSON(data) // on one line, as JSON has no line ends of its own
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
