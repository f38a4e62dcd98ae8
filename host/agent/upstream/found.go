package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// maxTools and maxPages limit what a server may list; each tool has a cost for models.
	maxTools = 1000
	maxPages = 200
	// maxSchema and maxDescription limit the schema and the description of a tool, in bytes.
	maxSchema      = 64 << 10
	maxDescription = 8 << 10
	// maxLeftOut limits how many of the tools that cannot be offered are reported.
	maxLeftOut = 20
)

// found is a server's tool that can be offered; only its name for agents is missing.
type found struct {
	tool   agent.Tool
	remote string // its name on the server
}

// listing is what a server offers.
type listing struct {
	tools     []found
	unmatched []string
	leftOut   []string
}

// list asks the server for all pages of its tools.
func (n *session) list(ctx context.Context) (listing, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, n.limits.list, fmt.Errorf("it did not list its tools within %v", n.limits.list))
	defer cancel()
	defer context.AfterFunc(n.running, cancel)()
	all, more, err := n.allTools(ctx)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return listing{}, err
	}
	out := choose(n.spec, all)
	if more {
		out.leave("those after the first "+fmt.Sprint(maxTools), "a server may not offer more; select some with include")
	}
	return out, nil
}

func (n *session) allTools(ctx context.Context) (all []*mcp.Tool, more bool, err error) {
	if c := n.conn.InitializeResult().Capabilities; c == nil || c.Tools == nil {
		return nil, false, nil
	}
	params := &mcp.ListToolsParams{}
	for range maxPages {
		page, err := n.conn.ListTools(ctx, params)
		if err != nil {
			return nil, false, err
		}
		all = append(all, page.Tools...)
		switch {
		case len(all) > maxTools:
			return all[:maxTools], true, nil
		case page.NextCursor == "":
			return all, false, nil
		}
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
	return all, true, nil
}

// choose keeps the tools that should and can be offered.
func choose(spec Server, all []*mcp.Tool) listing {
	var out listing
	matched, seen := map[string]bool{}, map[string]bool{}
	for _, t := range all {
		included := matches(spec.Include, t.Name, matched) || len(spec.Include) == 0
		excluded := matches(spec.Exclude, t.Name, matched)
		if !included || excluded || seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		tool, err := convert(t)
		if err != nil {
			out.leave(t.Name, err.Error())
			continue
		}
		out.tools = append(out.tools, found{tool, t.Name})
	}
	for _, pattern := range slices.Concat(spec.Include, spec.Exclude) {
		if !matched[pattern] && !slices.Contains(out.unmatched, pattern) {
			out.unmatched = append(out.unmatched, pattern)
		}
	}
	return out
}

// matches reports whether a name matches one of the patterns, and records which of them match.
func matches(patterns []string, name string, matched map[string]bool) bool {
	fits := false
	for _, pattern := range patterns {
		if ok, err := path.Match(pattern, name); pattern == name || ok && err == nil {
			fits, matched[pattern] = true, true
		}
	}
	return fits
}

func (l *listing) leave(tool, why string) {
	if len(l.leftOut) < maxLeftOut {
		l.leftOut = append(l.leftOut, pagetext.Line(pagetext.Shorten(tool, 100))+": "+why)
	}
}

// convert turns a server's tool into one for agents. What the server declares about its effects is taken as it is, with
// the protocol's defaults: destructive and open world.
func convert(t *mcp.Tool) (agent.Tool, error) {
	if t.Name == "" {
		return agent.Tool{}, fmt.Errorf("it has no name")
	}
	input, err := inputSchema(t.InputSchema)
	if err != nil {
		return agent.Tool{}, err
	}
	out := agent.Tool{
		Title: pagetext.Line(pagetext.Shorten(t.Title, 200)), Description: pagetext.Lines(pagetext.Shorten(t.Description, maxDescription)),
		Input: input, Output: outputSchema(t.OutputSchema), Destructive: true, OpenWorld: true,
	}
	if a := t.Annotations; a != nil {
		if out.Title == "" {
			out.Title = pagetext.Line(pagetext.Shorten(a.Title, 200))
		}
		out.ReadOnly = a.ReadOnlyHint
		out.Destructive = a.DestructiveHint == nil || *a.DestructiveHint
		out.OpenWorld = a.OpenWorldHint == nil || *a.OpenWorldHint
	}
	out.Destructive = out.Destructive && !out.ReadOnly
	return out, nil
}

// inputSchema returns a server's input schema. Without a type it is one of an object, as every tool takes one.
func inputSchema(schema any) (json.RawMessage, error) {
	object, ok := schema.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("its input schema is not an object")
	}
	object = readableSchema(object).(map[string]any)
	if object["type"] == nil {
		object["type"] = "object"
	}
	if object["type"] != "object" {
		return nil, fmt.Errorf("its input schema is not of type object")
	}
	text, err := json.Marshal(object)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its input schema cannot be encoded as JSON: %w", err)
	case len(text) > maxSchema:
		return nil, fmt.Errorf("its input schema has %d bytes, more than %d", len(text), maxSchema)
	}
	return text, nil
}
