package camofox

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// image is a picture of a page.
type image struct {
	Src    string `json:"src"`
	Alt    string `json:"alt"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
}

func (s *Server) images(ctx context.Context, task string, p only) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		var answer struct {
			Images []image `json:"images"`
		}
		if err := c.get("images", url.Values{"limit": {"20"}}, &answer); err != nil {
			return agent.Result{}, err
		}
		lines := []string{fmt.Sprintf("%d images", len(answer.Images))}
		for i, one := range answer.Images {
			lines = append(lines, fmt.Sprintf("%s %s", pagetext.QuoteShown(one.Alt), pagetext.Line(one.Src)))
			answer.Images[i].Alt = pagetext.Line(one.Alt)
		}
		return agent.Result{Text: strings.Join(lines, "\n"), Structured: map[string]any{
			"success": true, "images": answer.Images, "count": len(answer.Images), "untrusted": agent.Untrusted{Fields: []string{"images"}},
		}}, nil
	})
}

type screenshotParams struct {
	FullPage bool `json:"full_page,omitempty"`
	agent.Timeout
}

func (s *Server) screenshot(ctx context.Context, task string, p screenshotParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		picture, err := c.picture(p.FullPage)
		if err != nil {
			return agent.Result{}, err
		}
		return s.shown(picture)
	})
}

func (c *call) picture(full bool) ([]byte, error) {
	var picture []byte
	return picture, c.get("screenshot", url.Values{"fullPage": {strconv.FormatBool(full)}}, &picture)
}

// shown is the result with a picture.
func (s *Server) shown(picture []byte) (agent.Result, error) {
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return agent.Result{}, s.client.failed(0, "the picture is no PNG")
	}
	return agent.Result{
		Text:       fmt.Sprintf("a picture of %d x %d pixels", size.Width, size.Height),
		Images:     []agent.Image{{MIMEType: "image/png", Data: picture}},
		Structured: map[string]any{"success": true, "width": size.Width, "height": size.Height, "untrusted": agent.Untrusted{Fields: []string{"image"}}},
	}, nil
}

type visionParams struct {
	Question string `json:"question" need:"yes"`
	agent.Timeout
}

// vision takes a picture for a question, which the model of [Options.Vision] answers, if there is one.
func (s *Server) vision(ctx context.Context, task string, p visionParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		picture, err := c.picture(false)
		if err != nil {
			return agent.Result{}, err
		}
		r, err := s.shown(picture)
		if err != nil || s.options.Vision == nil {
			r.Text += "; look at it for: " + pagetext.Line(p.Question)
			return r, err
		}
		answer, err := s.options.Vision.Ask(c.ctx, p.Question, picture)
		if err != nil {
			r.Structured["analysis_error"] = pagetext.Line(err.Error())
			r.Text = "no analysis: " + pagetext.Line(err.Error()) + "\n" + r.Text
			return r, nil
		}
		r.Structured["analysis"] = pagetext.Lines(answer)
		r.Text = "a model that looked at the picture says: " + pagetext.Lines(answer) + "\n" + r.Text
		return r, nil
	})
}

// tab is a tab as the server lists it. The server's ids are long, so agents get t1, t2, in the server's order.
type tab struct {
	ID    string `json:"tabId"`
	URL   string `json:"url"`
	Title string `json:"title"`
	Group string `json:"listItemId"`
}

type tabsParams struct {
	Action string `json:"action" need:"yes" enum:"list,open,focus,close"`
	Tab    string `json:"tab,omitempty" doc:"t1, t2, as listed"`
	URL    string `json:"url,omitempty" doc:"of the tab to open"`
	agent.Timeout
}

func (s *Server) tabs(ctx context.Context, task string, p tabsParams) (agent.Result, error) {
	return s.during(ctx, task, p.Timeout, func(c *call) (agent.Result, error) {
		switch p.Action {
		case "open":
			if err := c.open(p.URL); err != nil {
				return agent.Result{}, err
			}
		case "focus", "close":
			if err := c.choose(p.Tab, p.Action == "close"); err != nil {
				return agent.Result{}, err
			}
		}
		list, err := c.list()
		if err != nil {
			return agent.Result{}, err
		}
		return c.listed(list), nil
	})
}

// open opens a tab and goes on with it.
func (c *call) open(address string) error {
	body := map[string]any{"userId": c.user, "sessionKey": c.key}
	if address != "" {
		to, err := c.server.may(address)
		if err != nil {
			return err
		}
		body["url"] = to
	}
	var at landed
	err := c.server.client.post(c.ctx, "/tabs", body, &at)
	if err == nil {
		c.tab = at.TabID
	}
	return err
}

// choose goes on with a tab, or closes it.
func (c *call) choose(handle string, closes bool) error {
	list, err := c.list()
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(strings.TrimPrefix(handle, "t"))
	if err != nil || number < 1 || number > len(list) {
		return fmt.Errorf("%w: the tab %s is not one of t1 to t%d", fault.ErrBadArguments, pagetext.QuoteShown(handle), len(list))
	}
	id := list[number-1].ID
	if !closes {
		c.tab = id
		return nil
	}
	err = c.server.client.send(c.ctx, "DELETE", "/tabs/"+url.PathEscape(id), url.Values{"userId": {c.user}}, nil, nil)
	if err == nil && c.tab == id {
		c.tab = ""
		if rest := slices.DeleteFunc(list, func(t tab) bool { return t.ID == id }); len(rest) > 0 {
			c.tab = rest[len(rest)-1].ID
		}
	}
	return err
}

// list lists the tabs of the task, popups included.
func (c *call) list() ([]tab, error) {
	var answer struct {
		Tabs []tab `json:"tabs"`
	}
	err := c.server.client.get(c.ctx, "/tabs", url.Values{"userId": {c.user}}, &answer)
	return slices.DeleteFunc(answer.Tabs, func(t tab) bool { return t.Group != c.key }), err
}

func (c *call) listed(list []tab) agent.Result {
	lines, tabs := []string{fmt.Sprintf("%d tabs", len(list))}, []map[string]any{}
	for i, t := range list {
		handle, mark := "t"+strconv.Itoa(i+1), ""
		if t.ID == c.tab {
			mark = " (in use)"
		}
		tabs = append(tabs, map[string]any{"tab": handle, "url": t.URL, "title": pagetext.Line(t.Title), "in_use": t.ID == c.tab})
		lines = append(lines, fmt.Sprintf("%s%s %s %s", handle, mark, pagetext.Line(t.URL), pagetext.QuoteShown(t.Title)))
	}
	return agent.Result{Text: strings.Join(lines, "\n"), Structured: map[string]any{"success": true, "tabs": tabs, "untrusted": agent.Untrusted{Fields: []string{"tabs"}}}}
}
