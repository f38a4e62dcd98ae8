package toolpick

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Enable takes a tool off the list of those that are disabled, and adds it, or a toolset, to what is in use unless that
// has it already.
func (c Choice) Enable(r *agent.Registry, name string) (Choice, error) {
	c.Disabled = without(c.Disabled, name)
	if hasName(r, used(c), name) {
		return c, nil
	}
	c.Toolsets = append(slices.Clone(used(c)), name)
	return c, nil
}

// Disable takes a toolset out of those in use, and puts a tool on the list of those that are disabled.
func (c Choice) Disable(r *agent.Registry, name string) (Choice, error) {
	isTool := slices.ContainsFunc(r.List(agent.View{}), func(t agent.Listing) bool { return t.Name == name })
	switch {
	case isTool && !slices.Contains(c.Disabled, name):
		c.Disabled = append(slices.Clone(c.Disabled), name)
		fallthrough
	case isTool:
		c.Toolsets = without(c.Toolsets, name)
		return c, nil
	case !slices.Contains(used(c), name):
		return c, fmt.Errorf("the toolset %s is not in use; in use are %s", name, strings.Join(used(c), ", "))
	case len(used(c)) == 1:
		return c, fmt.Errorf("%s is the only toolset in use, and none would mean the default one; enable another first", name)
	}
	c.Toolsets = without(used(c), name)
	return c, nil
}

// Without takes a tool or a toolset out of those in use. A toolset that has the tool gives way to its other tools.
func (c Choice) Without(r *agent.Registry, name string) (Choice, error) {
	list := used(c)
	if !slices.Contains(list, name) {
		has := membersWith(r, list, name)
		if len(has) == 0 {
			return c, fmt.Errorf("%s is not in use; in use are %s", name, strings.Join(list, ", "))
		}
		for set, members := range has {
			at := slices.Index(list, set)
			list = slices.Insert(without(list, set), at, members...)
		}
	}
	if list = without(list, name); len(list) == 0 {
		return c, fmt.Errorf("%s is all that is in use, and nothing would mean what everybody gets; enable another first", name)
	}
	c.Toolsets = list
	return c, nil
}

// membersWith lists the tools of each of the toolsets that have a tool.
func membersWith(r *agent.Registry, toolsets []string, tool string) map[string][]string {
	has := map[string][]string{}
	for _, set := range toolsets {
		var members []string
		for _, t := range r.List(agent.View{Toolsets: []string{set}}) {
			if t.On {
				members = append(members, t.Name)
			}
		}
		if slices.Contains(members, tool) {
			has[set] = members
		}
	}
	return has
}

// hasName tells whether toolsets have a tool, or name a toolset.
func hasName(r *agent.Registry, toolsets []string, name string) bool {
	if slices.Contains(toolsets, name) {
		return true
	}
	for _, t := range r.List(agent.View{Toolsets: toolsets}) {
		if t.Name == name {
			return t.On || t.Disabled && slices.ContainsFunc(t.Toolsets, func(set string) bool { return slices.Contains(toolsets, set) })
		}
	}
	return false
}
