package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// lookEvery is the least time between two messages, in which all that changes meanwhile is one.
	lookEvery = 250 * time.Millisecond
	// keepAlive is how often a silent stream says that it lives, because proxies close idle connections.
	keepAlive = 15 * time.Second
	// maxLately is how many of the last things that happened are shown, maxCalls how many calls of a task.
	maxLately, maxCalls = 40, 200
)

// home is what the page shows of the whole daemon.
type home struct {
	control.Status
	// Agents are the names that the clients of tasks gave themselves, by task.
	Agents map[string]string `json:"agents"`
	Lately []event           `json:"lately"`
}

// event is something that happened; its texts are untrusted.
type event struct {
	At   host.UnixTime `json:"at"`
	Task string        `json:"task"`
	What string        `json:"what"`
	Text string        `json:"text"`
}

// taskView is what the page shows of one task.
type taskView struct {
	Snapshot *host.Snapshot     `json:"snapshot"`
	Tabs     []host.TabInfo     `json:"tabs"`
	Calls    []agent.CallRecord `json:"calls"`
}

// stream sends what the page shows, and then what of it has changed: looking is cheap, as snapshots are read without a
// lock, and nothing is sent while nothing changes.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/event-stream")
	out := &changes{w: w, control: http.NewResponseController(w), last: map[string][]byte{}, sampled: time.Now()}
	tick, beat := time.NewTicker(lookEvery), time.NewTicker(keepAlive)
	defer tick.Stop()
	defer beat.Stop()
	for {
		if err := s.show(r.Context(), out, r.URL.Query().Get("task")); err != nil {
			return nil // the client is gone
		}
		select {
		case <-tick.C:
		case <-beat.C:
			if out.write(": the stream lives\n\n") != nil {
				return nil
			}
		case <-s.closing.Done():
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

func (s *Server) show(ctx context.Context, out *changes, task string) error {
	status, err := s.o.API.Status(ctx)
	if err != nil {
		return err
	}
	status.Daemon.Uptime = 0 // these are others each time
	for i, b := range status.Browsers {
		status.Browsers[i].Idle = 0
		for j := range b.Tasks {
			b.Tasks[j].Idle = 0
		}
	}
	for _, sample := range s.o.Charts.After(out.sampled) {
		if err := out.tell("sample", sample); err != nil {
			return err
		}
		out.sampled = sample.At.Time
	}
	if err := out.tell("home", s.home(status)); err != nil || task == "" {
		return err
	}
	t := s.o.Task(task)
	if t == nil {
		return out.tell("gone", task)
	}
	list := s.o.Calls(task)
	view := taskView{Snapshot: t.Snapshot(), Tabs: []host.TabInfo{}, Calls: list[max(0, len(list)-maxCalls):]}
	for _, tab := range t.Tabs() {
		view.Tabs = append(view.Tabs, tab.Info())
	}
	return out.tell("task", view)
}

func (s *Server) home(status control.Status) home {
	h := home{Status: status, Agents: map[string]string{}, Lately: []event{}}
	for _, c := range s.o.Calls("") {
		if c.Client != "" {
			h.Agents[c.Task] = c.Client
		}
		if c.Code != "" {
			h.Lately = append(h.Lately, event{host.UnixTime{Time: c.Began.Add(c.Took)}, c.Task, "call", c.Tool + " failed: " + c.Code})
		}
	}
	for _, t := range s.o.Tasks() {
		for _, d := range t.Snapshot().RecentDialogs {
			h.Lately = append(h.Lately, event{d.ClosedAt, t.ID(), "dialog", fmt.Sprintf("%s %q closed by %s", d.Type, pagetext.ShortenRunes(d.Message, 80), d.ClosedBy)})
		}
	}
	slices.SortStableFunc(h.Lately, func(a, b event) int { return b.At.Compare(a.At.Time) })
	h.Lately = h.Lately[:min(len(h.Lately), maxLately)]
	return h
}

// changes sends the parts of a stream that differ from what was sent last.
type changes struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    map[string][]byte
	sampled time.Time // the newest sample of the charts that was sent
}

func (c *changes) tell(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil || bytes.Equal(text, c.last[name]) {
		return err
	}
	c.last[name] = text
	return c.write("event: " + name + "\ndata: " + string(text) + "\n\n")
}

func (c *changes) write(text string) error {
	if _, err := c.w.Write([]byte(text)); err != nil {
		return err
	}
	return c.control.Flush()
}

// taskOf returns the task that a request names.
func (s *Server) taskOf(r *http.Request) (*host.Task, error) {
	id := r.URL.Query().Get("task")
	if t := s.o.Task(id); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%w %q", fault.ErrUnknownTask, id)
}
