package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// RouteParams are the parameters of browser_route.
type RouteParams struct {
	// Action is add, list, remove or clear.
	Action string `json:"action" need:"yes" enum:"add,list,remove,clear"`
	// Pattern is matched with the whole URL.
	Pattern string `json:"pattern,omitempty" doc:"URL; * is any text, ? any character"`
	// Do is what add does with the requests that match.
	Do string `json:"do,omitempty" enum:"block,fulfil,change"`
	// ResourceType is one of the keys of route.Types.
	ResourceType string `json:"resource_type,omitempty" enum:"document,stylesheet,image,media,font,script,texttrack,xhr,fetch,eventsource,manifest,ping,other"`
	Method       string `json:"method,omitempty" doc:"only this, such as POST"`
	Times        int    `json:"times,omitempty" min:"0" max:"1000000" doc:"only so many requests"`
	// Status is that of the answer, by default 200.
	Status int `json:"status,omitempty" min:"200" max:"599" doc:"to fulfil with; default: 200"`
	// Headers are those of the answer or, to change a request, those to send.
	Headers map[string]any `json:"headers,omitempty" doc:"of the answer, or to set on the request"`
	// RemoveHeaders are not sent.
	RemoveHeaders []string `json:"remove_headers,omitempty" doc:"from the request"`
	// ContentType is that of the answer, by default plain text.
	ContentType string `json:"content_type,omitempty" doc:"of the answer; default: text/plain"`
	// Body is the text of the answer.
	Body string `json:"body,omitempty"`
	// ID is the rule to remove.
	ID string `json:"id,omitempty" doc:"to remove, as route1"`
	toolkit.Timeout
}

// RouteResult is the result of browser_route.
type RouteResult struct {
	// ID is the rule that was added or removed.
	ID string `json:"id,omitempty"`
	// Rules are those of the task now, in the order in which they are tried: the newest first.
	Rules []RuleInfo `json:"rules"`
}

// RuleInfo is a rule in short.
type RuleInfo struct {
	ID           string `json:"id"`
	Pattern      string `json:"pattern"`
	Do           string `json:"do"`
	ResourceType string `json:"resource_type,omitempty"`
	Method       string `json:"method,omitempty"`
	Times        int    `json:"times,omitempty"`
	Matched      int    `json:"matched"`
}

// Route adds, lists and removes rules for requests. Errors are those of [host.Task.Route] and [host.Task.Unroute].
func (k *Kit) Route(ctx context.Context, p RouteParams) (RouteResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	out := RouteResult{ID: p.ID}
	var err error
	switch p.Action {
	case "add":
		var rule host.Rule
		if rule, err = p.rule(); err == nil {
			out.ID, err = k.Task.Route(ctx, rule)
		}
	case "remove":
		if p.ID == "" {
			return out, result.BadArgument("id", "it is missing; list the rules")
		}
		err = k.Task.Unroute(ctx, p.ID)
	case "clear":
		err = k.Task.Unroute(ctx, "")
	}
	var bad *host.BadRuleError
	switch {
	case errors.As(err, &bad):
		return RouteResult{}, result.BadArgument(bad.Part, "%s", bad.Problem)
	case err != nil:
		return RouteResult{}, err
	}
	out.Rules = []RuleInfo{}
	for _, r := range k.Task.Routes() {
		out.Rules = append(out.Rules, ruleInfo(r))
	}
	return out, nil
}

// rule is the rule to add. What the rule has no use for is an error, so that none of it is silently left out.
func (p RouteParams) rule() (host.Rule, error) {
	r := host.Rule{Pattern: p.Pattern, ResourceType: p.ResourceType, Method: strings.ToUpper(p.Method), Times: p.Times, Block: p.Do == "block"}
	for _, unused := range []struct {
		parameter string
		given     bool
		use       string
	}{
		{"id", p.ID != "", ""}, {"status", p.Status != 0, "fulfil"}, {"body", p.Body != "", "fulfil"},
		{"content_type", p.ContentType != "", "fulfil"}, {"remove_headers", p.RemoveHeaders != nil, "change"},
		{"headers", p.Headers != nil && p.Do == "block", "fulfil or change"},
	} {
		if unused.given && !strings.Contains(unused.use, cmp.Or(p.Do, "none")) {
			return r, result.BadArgument(unused.parameter, "it has no meaning here; leave it out%s", map[bool]string{true: ", or set do to " + unused.use}[unused.use != ""])
		}
	}
	set := map[string]string{}
	for name, value := range p.Headers {
		text, ok := value.(string)
		if !ok {
			return r, result.BadArgument("headers", "the value of %s is not a text", name)
		}
		set[http.CanonicalHeaderKey(name)] = text
	}
	switch p.Do {
	case "fulfil":
		if p.ContentType != "" || set["Content-Type"] == "" {
			set["Content-Type"] = cmp.Or(p.ContentType, "text/plain; charset=utf-8")
		}
		r.Fulfil = &host.RouteResponse{Status: cmp.Or(p.Status, http.StatusOK), Headers: set, Body: []byte(p.Body)}
	case "change":
		r.Change = &host.RouteHeaders{Set: set, Remove: p.RemoveHeaders}
	}
	return r, nil
}

func ruleInfo(r host.Rule) RuleInfo {
	info := RuleInfo{ID: r.ID, Pattern: result.Visible(r.Pattern), Do: "block", ResourceType: r.ResourceType, Method: r.Method, Times: r.Times, Matched: r.Matched}
	switch {
	case r.Fulfil != nil:
		info.Do = fmt.Sprintf("fulfil with %d, %d bytes", r.Fulfil.Status, len(r.Fulfil.Body))
	case r.Change != nil:
		info.Do = "change headers"
	}
	return info
}

// Text lists the rules.
func (r RouteResult) Text() string {
	lines := []string{result.Number(len(r.Rules), "rule") + ", the first that matches decides:"}
	if len(r.Rules) == 0 {
		lines = []string{"There are no rules; requests are left alone."}
	}
	for _, i := range r.Rules {
		line := fmt.Sprintf("%s %s: %s; matched %d", i.ID, strings.Join(strings.Fields(i.Method+" "+i.ResourceType+" "+i.Pattern), " "), i.Do, i.Matched)
		if i.Times > 0 {
			line += fmt.Sprintf(" of %d", i.Times)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
