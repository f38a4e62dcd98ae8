package agent

import (
	"encoding/json"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// CallRecord is a call of a tool, for a time line. It has no text that was typed and no result.
type CallRecord struct {
	Number uint64        `json:"number"`
	Task   string        `json:"task"`
	Client string        `json:"client,omitempty"` // what the client called itself; untrusted text
	Tool   string        `json:"tool"`
	Began  host.UnixTime `json:"began"`
	// Took is 0 while it runs.
	Took    time.Duration `json:"took_ns"`
	Running bool          `json:"running,omitempty"`
	// Code is why it failed; empty: it did what was asked.
	Code string `json:"code,omitempty"`
	// About is what it was about, such as a ref or an origin; untrusted text.
	About string `json:"about,omitempty"`
}

// keptCalls is how many calls are kept in all.
const keptCalls = 1000

// calls are the last calls of a registry, oldest first.
type calls struct {
	mu   sync.Mutex
	last uint64
	list []*CallRecord
}

// begin records a call; ended is called with its result.
func (c *calls) begin(call Call) (ended func(Result)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	began := time.Now()
	one := &CallRecord{
		Number: c.last, Task: call.Task, Client: pagetext.ShortenRunes(result.Visible(call.Client), 64), Tool: call.Name,
		Began: host.UnixTime{Time: began}, Running: true, About: about(call.Arguments),
	}
	c.list = append(c.list, one)
	if len(c.list) > keptCalls {
		c.list = slices.Delete(c.list, 0, len(c.list)-keptCalls)
	}
	return func(r Result) {
		c.mu.Lock()
		defer c.mu.Unlock()
		one.Running, one.Took = false, time.Since(began)
		if r.IsError {
			one.Code, _ = r.Structured["code"].(string)
			if one.Code == "" {
				one.Code = string(host.ErrFailed)
			}
		}
	}
}

// Calls returns the last calls of a task, or of all tasks for an empty name, oldest first.
func (r *Registry) Calls(task string) []CallRecord {
	r.calls.mu.Lock()
	defer r.calls.mu.Unlock()
	list := []CallRecord{}
	for _, one := range r.calls.list {
		if task == "" || one.Task == task {
			list = append(list, *one)
		}
	}
	return list
}

// about says what a call is about, of arguments that cannot be secrets: what is typed, scripts, headers, and the paths
// and queries of URLs stay out.
func about(arguments json.RawMessage) string {
	var p struct{ Action, Ref, Selector, Role, Name, Tab, Direction, URL string }
	if json.Unmarshal(arguments, &p) != nil {
		return ""
	}
	text := ""
	for _, part := range []string{p.Action, p.Ref, p.Selector, p.Role, p.Name, p.Direction, originOnly(p.URL), p.Tab} {
		if part != "" {
			text += " " + part
		}
	}
	if text == "" {
		return ""
	}
	return pagetext.ShortenRunes(result.Visible(text[1:]), 120)
}

func originOnly(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
