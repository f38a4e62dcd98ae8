// Package toolpick lets a person choose the tools that agents get: on a screen, or by lines where there is none.
//
// What is chosen is the tools; a toolset is a way to switch all of its own. [State.Choice] then finds the few names
// that say so in a configuration file.
package toolpick

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Choice is what the configuration says of tools.
type Choice struct {
	// Toolsets are the toolsets and tools in use. Empty: [Default].
	Toolsets []string `json:"toolsets"`
	// Disabled are tools that are off whatever toolset has them.
	Disabled []string `json:"disabled_tools"`
}

// Default is the toolset that is in use where none is named.
const Default = "browser"

// Tool is a tool that can be chosen.
type Tool struct {
	Name, Source, Description string
	// Toolsets are those that have it, but for those of everything.
	Toolsets []string
	// Barred says why it cannot work even where it is on; empty: it can.
	Barred string
}

// Set is a toolset that can be chosen. All has no need to be among the Toolsets of tools.
type Set struct {
	Name string
	// About says what it is, or where it comes from.
	About string
	// Hidden is not offered, but kept where it is in use.
	Hidden bool
}

// All are the names of the toolset of everything.
var All = []string{"all", "*"}

// State is a choice that is being made.
type State struct {
	tools []Tool
	sets  []Set
	was   Choice
	on    map[string]bool // tools
	empty map[string]bool // toolsets in use that have no tool now
	began map[string]bool // tools that were on
	had   map[string]bool // empty toolsets that were in use
	liked []string        // toolsets that were switched on, the last first
}

// New begins with what is chosen now. Names that are neither a tool's nor a toolset's are dropped when a change is
// written.
func New(tools []Tool, sets []Set, now Choice) *State {
	s := &State{tools: tools, sets: sets, was: now}
	s.on, s.empty = s.expand(now)
	s.began, s.had = maps.Clone(s.on), maps.Clone(s.empty)
	return s
}

// expand gives the tools that a choice has, and the toolsets in use that have none.
func (s *State) expand(c Choice) (on, empty map[string]bool) {
	on, empty = map[string]bool{}, map[string]bool{}
	for _, name := range used(c) {
		members := s.Members(name)
		if s.isSet(name) && len(members) == 0 {
			empty[name] = true
		}
		if !s.isSet(name) && s.isTool(name) {
			members = []string{name}
		}
		for _, m := range members {
			on[m] = true
		}
	}
	for _, name := range c.Disabled {
		delete(on, name)
	}
	return on, empty
}

func used(c Choice) []string {
	if len(c.Toolsets) == 0 {
		return []string{Default}
	}
	return c.Toolsets
}

func (s *State) isSet(name string) bool {
	return slices.Contains(All, name) || slices.ContainsFunc(s.sets, func(it Set) bool { return it.Name == name })
}

func (s *State) isTool(name string) bool {
	return slices.ContainsFunc(s.tools, func(t Tool) bool { return t.Name == name })
}

// Members are the tools of a toolset.
func (s *State) Members(set string) []string {
	var list []string
	for _, t := range s.tools {
		if slices.Contains(All, set) || slices.Contains(t.Toolsets, set) {
			list = append(list, t.Name)
		}
	}
	return list
}

// Tools are those that can be chosen; Sets those that are offered.
func (s *State) Tools() []Tool { return s.tools }

// Sets are the toolsets that are offered.
func (s *State) Sets() []Set {
	return slices.DeleteFunc(slices.Clone(s.sets), func(it Set) bool { return it.Hidden && !slices.Contains(used(s.was), it.Name) })
}

// On tells whether a tool is chosen.
func (s *State) On(tool string) bool { return s.on[tool] }

// Count tells how many of a toolset's tools are chosen.
func (s *State) Count(set string) (on, all int) {
	members := s.Members(set)
	for _, m := range members {
		if s.on[m] {
			on++
		}
	}
	return on, len(members)
}

// Full tells whether all of a toolset is chosen; a toolset without tools is where it is in use.
func (s *State) Full(set string) bool {
	on, all := s.Count(set)
	return on == all && (all > 0 || s.empty[set])
}

// SwitchTool switches a tool on or off.
func (s *State) SwitchTool(name string) {
	if s.on[name] {
		delete(s.on, name)
	} else if s.isTool(name) {
		s.on[name] = true
	}
}

// SwitchSet switches all tools of a toolset on, or off where all are on.
func (s *State) SwitchSet(name string) {
	full, members := s.Full(name), s.Members(name)
	s.liked = without(s.liked, name)
	if !full {
		s.liked = append([]string{name}, s.liked...)
	}
	of := s.on
	if len(members) == 0 {
		of, members = s.empty, []string{name}
	}
	for _, m := range members {
		if full {
			delete(of, m)
		} else {
			of[m] = true
		}
	}
}

// Changed tells whether something else is chosen than in the beginning.
func (s *State) Changed() bool { return !maps.Equal(s.on, s.began) || !maps.Equal(s.empty, s.had) }

// Why says why a tool is on or off.
func (s *State) Why(t Tool) string {
	if s.on[t.Name] != s.began[t.Name] {
		return map[bool]string{true: "on, as you chose", false: "off, as you chose"}[s.on[t.Name]]
	}
	by := slices.DeleteFunc(slices.Clone(used(s.was)), func(name string) bool {
		return name != t.Name && !slices.Contains(t.Toolsets, name) && !slices.Contains(All, name)
	})
	switch {
	case !s.on[t.Name] && slices.Contains(s.was.Disabled, t.Name):
		return "off, by disabled_tools"
	case !s.on[t.Name]:
		return "off, in no toolset in use" + has(t)
	case t.Barred != "":
		return "on, but " + t.Barred
	case slices.Contains(by, t.Name):
		return "on, by its name in toolsets"
	}
	return "on, by " + strings.Join(by, ", ")
}

func has(t Tool) string {
	if len(t.Toolsets) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s has it", t.Toolsets[0])
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}
