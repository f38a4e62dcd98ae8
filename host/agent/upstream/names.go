package upstream

import (
	"slices"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// owner is a server's tool, by its name there.
type owner struct{ server, tool string }

// names are the names under which tools are offered. An assigned name is never given to another tool.
type names struct {
	byName  map[string]owner
	byOwner map[owner]string
}

func newNames() names { return names{map[string]owner{}, map[owner]string{}} }

// name returns the name of a tool: the one it already has, else its own, else one made of the server's name and its
// own. taken are the names of other sources.
func (n names) name(server, tool string, taken map[string]bool) string {
	who := owner{server, tool}
	if name, had := n.byOwner[who]; had {
		return name
	}
	base := agent.ToolName(server + "_" + tool)
	if !agent.IsToolName(base) { // it begins like this program's own names
		base = agent.ToolName("mcp_" + base)
	}
	name := tool
	if !agent.IsToolName(name) || !n.free(name, taken) {
		name = base
	}
	for i := 2; !n.free(name, taken); i++ {
		end := "_" + strconv.Itoa(i)
		name = base[:min(len(base), agent.MaxToolName-len(end))] + end
	}
	n.byName[name], n.byOwner[who] = who, name
	return name
}

func (n names) free(name string, taken map[string]bool) bool {
	_, given := n.byName[name]
	return !given && !taken[name]
}

// of returns the names of those tools of a server that have one, sorted.
func (n names) of(server string, tools []found) []string {
	var out []string
	for _, t := range tools {
		if name, ok := n.byOwner[owner{server, t.remote}]; ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
