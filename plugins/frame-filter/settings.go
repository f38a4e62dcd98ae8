package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

// The caps where the configuration does not say.
const (
	defaultMaxChildren   = 30 // the top frame is not counted
	defaultMaxOOPIFDepth = 2
)

// settings is the configuration of the module, and in the same form what a task changes of it.
type settings struct {
	maxChildren   int64 // -1: not given
	maxOOPIFDepth int64 // -1: not given
	rules         []rule
}

// rule drops the frames of an origin with what is below them, or keeps them below a dropped frame.
type rule struct {
	name   string // rules[2], or task rules[0]
	origin string // glob
	action action
}

type action uint8

const (
	actionNone action = iota
	actionDrop
	actionKeep
)

// readSettings refuses what it does not understand; the error names the key. what is the kind of configuration.
func readSettings(what string, object abi.Struct) (settings, error) {
	r := config.Read(what, object)
	s := settings{
		maxChildren:   r.Int("max_children", -1, 0, 100_000),
		maxOOPIFDepth: r.Int("max_oopif_depth", -1, 0, 1000),
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
	if err := r.Err(); err != nil {
		return settings{}, err
	}
	return s, nil
}

// overriddenBy lets a task's caps replace the module's, and puts its rules first.
func (s settings) overriddenBy(task settings) settings {
	if task.maxChildren >= 0 {
		s.maxChildren = task.maxChildren
	}
	if task.maxOOPIFDepth >= 0 {
		s.maxOOPIFDepth = task.maxOOPIFDepth
	}
	s.rules = append(task.rules, s.rules...)
	return s
}

func (s *settings) children() int64 {
	if s.maxChildren < 0 {
		return defaultMaxChildren
	}
	return s.maxChildren
}

func (s *settings) oopifDepth() int64 {
	if s.maxOOPIFDepth < 0 {
		return defaultMaxOOPIFDepth
	}
	return s.maxOOPIFDepth
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
