package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

// builtIn has the caps for what the configuration does not say. The top frame is not counted as a child.
var builtIn = settings{maxChildren: 30, maxOOPIFDepth: 2}

// settings is the configuration of the module, or of the module for one task.
type settings struct {
	maxChildren   int64
	maxOOPIFDepth int64
	rules         []rule
}

// rule drops the frames of an origin with everything below them, or keeps them below a dropped frame.
type rule struct {
	name   string // such as rules[2], or task rules[0]
	origin string // glob
	action action
}

type action uint8

const (
	actionNone action = iota
	actionDrop
	actionKeep
)

// readSettings rejects what it does not understand; the error names the key. what is the kind of configuration. Its
// caps replace those of base, and its rules come first.
func readSettings(what string, object abi.Struct, base settings) (settings, error) {
	r := config.Read(what, object)
	s := settings{
		maxChildren:   r.Int("max_children", base.maxChildren, 0, 100_000),
		maxOOPIFDepth: r.Int("max_oopif_depth", base.maxOOPIFDepth, 0, 1000),
	}
	prefix := ""
	if what != "configuration" {
		prefix = "task "
	}
	r.Objects("rules", func(item *config.Reader) {
		out := rule{name: prefix + item.Place(), origin: item.String("origin", ""), action: actionDrop}
		if item.OneOf("action", "", "drop", "keep") == "keep" {
			out.action = actionKeep
		}
		if !item.Has("origin") {
			item.Refuse("origin", "a pattern, like https://*.example.com")
		}
		if !item.Has("action") {
			item.Refuse("action", "drop or keep")
		}
		s.rules = append(s.rules, out)
	})
	s.rules = append(s.rules, base.rules...)
	return s, r.Err()
}

// originOf is the origin that rules are about. That of a sandboxed frame is opaque, but its URL is known.
func originOf(frame *abi.Frame) string {
	if strings.Contains(frame.Origin, "://") && len(frame.Origin) > len("://") {
		return frame.Origin
	}
	scheme, rest, ok := strings.Cut(frame.URL, "://")
	if !ok {
		return frame.Origin
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return scheme + "://" + rest
}

// match returns the first rule for an origin, or nil.
func (s *settings) match(origin string) *rule {
	for i := range s.rules {
		if glob.Match(s.rules[i].origin, origin) {
			return &s.rules[i]
		}
	}
	return nil
}
