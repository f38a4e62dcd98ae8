package agent

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// guarded is a call on which plugins decide, before it and after it. Nil: none of them does.
type guarded struct {
	host  *host.Host
	use   host.ToolUse
	after bool
}

// guard asks the plugins before a call, and returns the call as they leave it. What they change is checked like what an
// agent writes, so that no plugin can grant what the agent lacks.
func (r *Registry) guard(ctx context.Context, c Call, e entry) (Call, *guarded, error) {
	before, after := r.host.DecidesOnTools()
	if !before && !after {
		return c, nil, nil
	}
	g := &guarded{host: r.host, after: after, use: host.ToolUse{
		Task: c.Task, Tool: e.Name, Source: e.Source, Client: c.Client, Arguments: map[string]any{}, ReadOnly: e.ReadOnly, Destructive: e.Destructive,
	}}
	if len(bytes.TrimSpace(c.Arguments)) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(c.Arguments))
		decoder.UseNumber()
		if err := decoder.Decode(&g.use.Arguments); err != nil || g.use.Arguments == nil || decoder.More() {
			return c, g, result.BadArgument("", "%s takes a JSON object", e.Name)
		}
	}
	g.at(r, c)
	if !before {
		return c, g, nil
	}
	// The tool gets what the plugins saw, so that a repeated key does not mean one thing to them and another to it.
	c.Arguments, _ = json.Marshal(g.use.Arguments) // it was decoded
	asked := g.use
	changed, err := r.host.BeforeTool(ctx, &g.use)
	if err == nil && g.use.Confirmed {
		if g.at(r, c); g.use.TargetID != asked.TargetID || g.use.Origin != asked.Origin {
			err = &host.ToolDeniedError{Tool: e.Name, Reason: "the operator allowed it for the page that was there, and the tab in question shows another one by now: read it again"}
		}
	}
	if err != nil || !changed {
		return c, g, err
	}
	if c.Arguments, err = json.Marshal(g.use.Arguments); err != nil {
		return c, g, err
	}
	check, err := schema.Compile(string(e.Input))
	if builtin, is := builtins()[e.Name]; is {
		check, err = builtin.check, nil
	}
	if err == nil {
		err = check.Check(g.use.Arguments)
	}
	if err != nil {
		return c, g, result.BadArgument("", "a plugin changed them: %v", err)
	}
	return c, g, nil
}

// at says which document the call is about: that of the tab which the arguments name, or of the one in use.
func (g *guarded) at(r *Registry, c Call) {
	t := r.host.Task(c.Task)
	if t == nil {
		return
	}
	b, snapshot := r.browserOf(t), t.Snapshot()
	tab := snapshot.Page()
	if id, ok := b.TargetOf(c.Arguments); ok {
		tab = snapshot.Tab(id)
	}
	if tab == nil {
		return
	}
	g.use.TargetID = tab.ID
	if tab.RawFrameTree != nil {
		g.use.URL, g.use.Origin = tab.RawFrameTree.Top.URL, tab.RawFrameTree.Top.Origin
	}
}

// finish asks the plugins about the result of the call, and returns what the agent gets.
func (g *guarded) finish(ctx context.Context, r result.Result, tools result.Offered) result.Result {
	if g == nil || !g.after {
		return r
	}
	o := host.ToolOutcome{Text: result.Unfenced(r.Text), IsError: r.IsError, Pictures: len(r.Images)}
	err := asJSON(r.Structured, &o.Structured)
	var changed bool
	if err == nil {
		changed, err = g.host.AfterTool(ctx, g.use, &o)
	}
	if err != nil {
		return result.Failed(err, g.use.Origin, tools)
	}
	if !changed {
		return r
	}
	if o.Structured == nil {
		o.Structured = map[string]any{}
	}
	o.Structured["success"] = !r.IsError
	if o.Pictures == 0 {
		r.Images = nil
	}
	return result.Result{Text: result.Fence(result.VisibleLines(o.Text)), Structured: o.Structured, Images: r.Images, IsError: r.IsError}
}

// asJSON copies a value as JSON has it.
func asJSON(from map[string]any, to *map[string]any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
