package agents

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// row is what is done with a tool in every place. Rows are run in their order, on one page.
type row struct {
	name string
	tool string
	// top says that it is about a whole tab, and so of no interest in a frame.
	top bool
	run func(t *testing.T, s *spot)
}

// rows are those of all tools.
var rows = slices.Concat(readRows, actRows, fieldRows, scriptRows, dialogRows, interactRows, leaveRows)

// Every tool does in every place what it is for.
func TestEveryToolInEveryPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, p, "play")
			for _, r := range rows {
				if r.top && s.framed() {
					continue
				}
				t.Run(r.tool+", "+r.name, func(t *testing.T) {
					r.run(t, s.in(t))
				})
			}
		})
	}
}

// in gives the same page to a subtest, which may read it again.
func (s *spot) in(t *testing.T) *spot {
	sub := *s
	owner := *s.user
	owner.t = t
	sub.user = &owner
	t.Cleanup(func() {
		s.read, s.tab, s.target, s.frame = sub.read, sub.tab, sub.target, sub.frame
	})
	return &sub
}

func TestEveryToolHasARow(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", host.Options{})
	var has []string
	for _, r := range rows {
		has = append(has, r.tool)
	}
	for _, tool := range everyone(b) {
		if !slices.Contains(has, tool.Name) {
			t.Errorf("nothing is done with %s", tool.Name)
		}
	}
}

// everyone lists all tools of the package, those that need a task, too.
func everyone(b *bench) []agent.Tool {
	var list []agent.Tool
	for _, l := range b.registry.List(agent.View{}) {
		if l.Source == agent.SourceBrowser {
			list = append(list, l.Tool)
		}
	}
	return list
}
