package camofox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Tools are the tools that work in the server's browser.
func (s *Server) Tools() []agent.BackendTool {
	return []agent.BackendTool{
		agent.NewBackendTool("browser_navigate", s.navigate),
		agent.NewBackendTool("browser_snapshot", s.snapshot),
		agent.NewBackendTool("browser_click", s.click),
		agent.NewBackendTool("browser_type", s.typeText),
		agent.NewBackendTool("browser_press", s.press),
		agent.NewBackendTool("browser_scroll", s.scroll),
		agent.NewBackendTool("browser_back", func(ctx context.Context, task string, p only) (agent.Result, error) {
			return s.move(ctx, task, "back", p)
		}),
		agent.NewBackendTool("browser_forward", func(ctx context.Context, task string, p only) (agent.Result, error) {
			return s.move(ctx, task, "forward", p)
		}),
		agent.NewBackendTool("browser_reload", func(ctx context.Context, task string, p only) (agent.Result, error) {
			return s.move(ctx, task, "refresh", p)
		}),
		agent.NewBackendTool("browser_tabs", s.tabs),
		agent.NewBackendTool("browser_get_images", s.images),
		agent.NewBackendTool("browser_screenshot", s.screenshot),
		agent.NewBackendTool("browser_vision", s.vision),
		agent.NewBackendTool("browser_evaluate", s.evaluate),
		agent.NewBackendTool("browser_close", s.end),
	}
}

// only is for tools without parameters of their own.
type only struct{ agent.Timeout }

// Element names an element by a ref of the last reading, or by a selector.
type Element struct {
	Ref      string `json:"ref,omitempty" doc:"ref from browser_snapshot"`
	Selector string `json:"selector,omitempty" doc:"CSS selector, instead of a ref"`
}

func (e Element) into(body map[string]any) error {
	switch {
	case e.Ref != "" && e.Selector != "" || e.Ref == "" && e.Selector == "":
		return fmt.Errorf("%w: name the element by ref or by selector", fault.ErrBadArguments)
	case e.Ref != "":
		body["ref"] = strings.TrimPrefix(e.Ref, "@")
	default:
		body["selector"] = e.Selector
	}
	return nil
}

// call is one call of a tool, which has the session of its task for itself.
type call struct {
	*session
	server *Server
	ctx    context.Context
}

// during makes a call of a tool in the session of a task.
func (s *Server) during(ctx context.Context, task string, t agent.Timeout, do func(*call) (agent.Result, error)) (agent.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(time.Duration(t.TimeoutMS)*time.Millisecond, s.options.Timeout))
	defer cancel()
	c := &call{session: s.session(task), server: s, ctx: ctx}
	if err := c.lock(ctx); err != nil {
		return agent.Result{}, err
	}
	defer c.unlock()
	return do(c)
}

// path is the path of a request about the tab in use.
func (c *call) path(what string) string { return "/tabs/" + url.PathEscape(c.tab) + "/" + what }

// post asks for something to be done in the tab in use.
func (c *call) post(what string, body map[string]any, answer any) error {
	if c.tab == "" {
		return errNoPage
	}
	body["userId"] = c.user
	return c.lost(c.server.client.post(c.ctx, c.path(what), body, answer))
}

// get asks for something about the tab in use.
func (c *call) get(what string, query url.Values, answer any) error {
	if c.tab == "" {
		return errNoPage
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("userId", c.user)
	return c.lost(c.server.client.get(c.ctx, c.path(what), query, answer))
}

// lost forgets the tab if the server no longer has it.
func (c *call) lost(err error) error {
	if errors.Is(err, errNoTab) || errors.Is(err, fault.ErrTargetCrashed) {
		c.tab = ""
	}
	return err
}

var errNoPage = fmt.Errorf("%w: navigate first", fault.ErrNoPage)

// may returns the URL that an agent means, if it may be loaded.
func (s *Server) may(address string) (string, error) {
	to := scheme.Complete(address)
	if s.options.EvaluateDisabled && !scheme.Plain(to) {
		return "", fmt.Errorf("%w: the URL is neither http:, https: nor about:blank", fault.ErrEvaluateDisabled)
	}
	if err := s.options.Schemes.Check(to); err != nil {
		return "", fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	return to, nil
}

type navigateParams struct {
	URL string `json:"url" need:"yes"`
	agent.Timeout
}

// landed is what the server says of a navigation.
type landed struct {
	TabID  string `json:"tabId"`
	URL    string `json:"url"`
	Status int    `json:"httpStatus"`
}

func (s *Server) navigate(ctx context.Context, task string, p navigateParams) (agent.Result, error) {
	to, err := s.may(p.URL)
	if err != nil {
		return agent.Result{}, err
	}
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		var at landed
		err := errNoPage
		if c.tab != "" {
			err = c.post("navigate", map[string]any{"url": to}, &at)
		}
		if c.tab == "" && (errors.Is(err, errNoTab) || errors.Is(err, errNoPage) || errors.Is(err, fault.ErrTargetCrashed)) {
			err = s.client.post(c.ctx, "/tabs", map[string]any{"userId": c.user, "sessionKey": c.key, "url": to}, &at)
			c.tab = at.TabID
		}
		if err != nil {
			return agent.Result{}, err
		}
		more := map[string]any{}
		if at.Status != 0 {
			more["status"] = at.Status
		}
		if !c.shown {
			c.shown = true
			if live := s.live(c.ctx); live != "" {
				more["vnc_url"] = live
			}
		}
		return c.read(0, more)
	})
}

// reading is a page as the server describes it.
type reading struct {
	URL        string `json:"url"`
	Snapshot   string `json:"snapshot"`
	Refs       int    `json:"refsCount"`
	NextOffset int    `json:"nextOffset"`
}

// read returns the page, with more keys.
func (c *call) read(offset int, more map[string]any) (agent.Result, error) {
	var r reading
	if err := c.get("snapshot", url.Values{"offset": {strconv.Itoa(offset)}}, &r); err != nil {
		return agent.Result{}, err
	}
	out := map[string]any{
		"success": true, "url": r.URL, "snapshot": pagetext.Lines(r.Snapshot), "element_count": r.Refs,
		"untrusted": agent.Untrusted{Origin: originOf(r.URL), Fields: []string{"snapshot", "url"}},
	}
	var lines []string
	for _, key := range []string{"status", "vnc_url"} {
		if value, ok := more[key]; ok {
			out[key] = value
			lines = append(lines, fmt.Sprintf("%s: %v", key, value))
		}
	}
	lines = append(lines, "url: "+pagetext.Line(r.URL), pagetext.Lines(r.Snapshot))
	if r.NextOffset > 0 {
		out["next_offset"] = r.NextOffset
		lines = append(lines, fmt.Sprintf("the page goes on: browser_snapshot with offset %d", r.NextOffset))
	}
	return agent.Result{Text: strings.Join(lines, "\n"), Structured: out}, nil
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

type snapshotParams struct {
	Offset int `json:"offset,omitempty" min:"0" doc:"where to go on, as a long page's text says"`
	agent.Timeout
}

func (s *Server) snapshot(ctx context.Context, task string, p snapshotParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		return c.read(p.Offset, nil)
	})
}

// done is the result of an action.
func done(said string, url string) agent.Result {
	out := map[string]any{"success": true}
	if url != "" {
		out["url"], out["untrusted"] = url, agent.Untrusted{Origin: originOf(url), Fields: []string{"url"}}
		said += "\nurl: " + pagetext.Line(url)
	}
	return agent.Result{Text: said, Structured: out}
}

type clickParams struct {
	Element
	agent.Timeout
}

func (s *Server) click(ctx context.Context, task string, p clickParams) (agent.Result, error) {
	body := map[string]any{}
	if err := p.into(body); err != nil {
		return agent.Result{}, err
	}
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		var at landed
		if err := c.post("click", body, &at); err != nil {
			return agent.Result{}, err
		}
		return done("clicked", at.URL), nil
	})
}

type typeParams struct {
	Element
	Text   string `json:"text" need:"yes"`
	Submit bool   `json:"submit,omitempty" doc:"press Enter afterwards"`
	agent.Timeout
}

func (s *Server) typeText(ctx context.Context, task string, p typeParams) (agent.Result, error) {
	body := map[string]any{"text": p.Text, "submit": p.Submit}
	if err := p.into(body); err != nil {
		return agent.Result{}, err
	}
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		if err := c.post("type", body, nil); err != nil {
			return agent.Result{}, err
		}
		return done("typed", ""), nil
	})
}

type pressParams struct {
	Key string `json:"key" need:"yes"`
	agent.Timeout
}

func (s *Server) press(ctx context.Context, task string, p pressParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		if err := c.post("press", map[string]any{"key": p.Key}, nil); err != nil {
			return agent.Result{}, err
		}
		return done("pressed", ""), nil
	})
}

type scrollParams struct {
	Direction string `json:"direction" need:"yes" enum:"up,down,left,right"`
	Amount    int    `json:"amount,omitempty" min:"1" max:"100000" doc:"pixels"`
	agent.Timeout
}

func (s *Server) scroll(ctx context.Context, task string, p scrollParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		if err := c.post("scroll", map[string]any{"direction": p.Direction, "amount": cmp.Or(p.Amount, 500)}, nil); err != nil {
			return agent.Result{}, err
		}
		return done("scrolled", ""), nil
	})
}

// move goes through the history, or loads the page again.
func (s *Server) move(ctx context.Context, task, way string, p only) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		var at landed
		if err := c.post(way, map[string]any{}, &at); err != nil {
			return agent.Result{}, err
		}
		return c.read(0, nil)
	})
}

type evaluateParams struct {
	Expression string `json:"expression" need:"yes"`
	agent.Timeout
}

func (s *Server) evaluate(ctx context.Context, task string, p evaluateParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		var answer struct {
			Result any `json:"result"`
		}
		if err := c.post("evaluate", map[string]any{"expression": p.Expression}, &answer); err != nil {
			return agent.Result{}, err
		}
		text, err := pagetext.Marshal(answer.Result)
		if err != nil {
			return agent.Result{}, err
		}
		return agent.Result{Text: string(text), Structured: map[string]any{
			"success": true, "ok": true, "result": answer.Result, "untrusted": agent.Untrusted{Fields: []string{"result"}},
		}}, nil
	})
}

// end ends the session.
func (s *Server) end(ctx context.Context, task string, p only) (agent.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(time.Duration(p.TimeoutMS)*time.Millisecond, s.options.Timeout))
	defer cancel()
	if err := s.End(ctx, task); err != nil {
		return agent.Result{}, err
	}
	return done("closed", ""), nil
}
