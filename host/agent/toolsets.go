package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
)

// Toolsets says which tools are offered to whom. The zero value offers the toolset browser to everybody.
//
// A toolset is one of: a bundle of this package, such as browser-read; a key of Custom; the source of tools, such as
// the name of a plugin, or "mcp-" and the name of an MCP server; all, or *, for everything. A list may also name single
// tools.
type Toolsets struct {
	// Use are the toolsets of everyone without specific ones. Empty: browser.
	Use []string
	// Custom are additional toolsets by name, each a list of toolsets and tools.
	Custom map[string][]string
	// Platforms are toolsets that replace Use, keyed by the name that a client gives itself.
	Platforms map[string][]string
	// Disabled are tools that are disabled, whichever toolsets have them.
	Disabled []string
}

// The bundles of this package's tools; browser-full has all tools, and there are [composites].
type bundle int

const (
	inBrowser   bundle = 1 << iota // the default: the tools that agents commonly know, and those needed to go on
	inRead                         // reads only; navigating counts as reading, as it sends no more than a request
	inSafe                         // runs no script and no raw command, and sends no files
	inMouse                        // by coordinates, for models that see
	inNetwork                      // what pages request, which the host only records for those who can see it
	inRoute                        // decides on the requests of pages
	inInspect                      // says more of an element than a snapshot, and keeps pages as files
	inEmulation                    // sets what pages are told about the device and the user, and their permissions
	inTrace                        // keeps what the calls of a task do and show in a file
	inState                        // keeps logins in files, and takes them from there
	inRecord                       // keeps a video of the task
	inOperator                     // asks the person who runs the host
)

var bundleNames = map[bundle]string{
	inBrowser: "browser", inRead: "browser-read", inSafe: "browser-safe", inMouse: "browser-mouse", inNetwork: "browser-network",
	inRoute: "browser-route", inInspect: "browser-inspect", inEmulation: "browser-emulation", inTrace: "browser-trace",
	inState: "browser-state", inRecord: "browser-record", inOperator: "browser-operator",
}

// bundles are the toolsets of this package.
var bundles = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{"browser-full": nil}
	for _, name := range slices.Sorted(maps.Keys(builtins())) {
		out["browser-full"] = append(out["browser-full"], name)
		for bundle, has := range bundleNames {
			if builtins()[name].in&bundle != 0 {
				out[has] = append(out[has], name)
			}
		}
	}
	for name, of := range composites {
		for _, member := range of {
			if list, ok := out[member]; ok {
				out[name] = append(out[name], list...)
			} else {
				out[name] = append(out[name], member)
			}
		}
		slices.Sort(out[name])
		out[name] = slices.Compact(out[name])
	}
	return out
})

// composites are toolsets of others, for those who do not know them: what other agents' configurations call by these
// names.
var composites = map[string][]string{
	"safe":      {"browser-safe"},
	webToolset:  {searchTool, "web_extract"},
	"debugging": {"browser", "browser-network", "browser-inspect", "browser-trace", "browser_evaluate"},
}

// Bundles lists this package's own toolsets, by name.
func Bundles() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(everything), maps.Keys(bundles()))))
}

// everything are the names of the toolset of all tools.
var everything = []string{"all", "*"}

// ToolsetError says what is wrong with a toolset. It wraps [fault.ErrToolset].
type ToolsetError struct {
	// Key is the configuration key, such as custom_toolsets.mine.
	Key string
	// Name is the invalid name in it.
	Name string
	// Loop is the cycle of toolsets that leads back to Name; nil if the name is unknown.
	Loop []string
	// Known are the existing toolsets.
	Known []string
	near  string // a toolset or tool of nearly that name
	text  string
}

// Error names the key, the name and what is allowed.
func (e *ToolsetError) Error() string {
	at := fault.ErrToolset.Error() + ": " + e.Key
	switch {
	case e.text != "":
		return at + ": " + e.text
	case e.Loop != nil:
		return fmt.Sprintf("%s: %s contains itself through %s; remove one of them", at, e.Name, strings.Join(e.Loop, ", "))
	}
	return fmt.Sprintf("%s: %q is neither a toolset nor a tool%s; toolsets are %s", at, e.Name, misspelt.DidYouMean(e.near), strings.Join(e.Known, ", "))
}

// Unwrap returns [fault.ErrToolset].
func (e *ToolsetError) Unwrap() error { return fault.ErrToolset }

// catalog is what toolsets can refer to at one moment.
type catalog struct {
	toolsets Toolsets
	tools    map[string]string // the source of each tool
	sources  []string          // including those without tools
	awaited  bool              // an announced source has no tools yet, so unknown names may be its tools
}

// searchTool is added to the toolset browser while an MCP server offers it, as whoever reads pages also searches for
// them.
const searchTool = "web_search"

// webToolset is the toolset of what MCP servers offer to search the web and to read it without a browser.
const webToolset = "web"

// serverSource begins the names of sources that are MCP servers.
const serverSource = "mcp-"

// ServerSource returns the source, and so the toolset, of an MCP server's tools.
func ServerSource(name string) string { return serverSource + name }

// members returns the direct members of a toolset; ok reports whether name is a toolset.
func (c catalog) members(name string) (list []string, ok bool) {
	if slices.Contains(everything, name) {
		return slices.Sorted(maps.Keys(c.tools)), true
	}
	if list, ok := bundles()[name]; ok {
		switch ofServer := func(tool string) bool { return strings.HasPrefix(c.tools[tool], serverSource) }; {
		case name == SourceBrowser && ofServer(searchTool):
			list = append(slices.Clone(list), searchTool)
		case name == webToolset:
			list = slices.DeleteFunc(slices.Clone(list), func(tool string) bool { return !ofServer(tool) })
		}
		return list, true
	}
	if list, ok := c.toolsets.Custom[name]; ok {
		return list, true
	}
	if !slices.Contains(c.sources, name) {
		return nil, false
	}
	for tool, source := range c.tools {
		if source == name {
			list = append(list, tool)
		}
	}
	return list, true
}

// expand returns the tools in toolsets, without those that do not exist now.
func (c catalog) expand(names []string) map[string]bool {
	out, seen := map[string]bool{}, map[string]bool{}
	var add func(names []string)
	add = func(names []string) {
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			if list, ok := c.members(name); ok {
				add(list)
			} else if _, ok := c.tools[name]; ok {
				out[name] = true
			}
		}
	}
	add(names)
	for _, name := range c.toolsets.Disabled {
		delete(out, name)
	}
	return out
}

// names lists all toolsets.
func (c catalog) names() []string {
	list := slices.Concat(slices.Collect(maps.Keys(bundles())), slices.Collect(maps.Keys(c.toolsets.Custom)), c.sources, everything)
	slices.Sort(list)
	return slices.Compact(list)
}

// check looks for names that are unknown, custom toolsets that hide others, and loops.
func (c catalog) check() error {
	for _, name := range slices.Sorted(maps.Keys(c.toolsets.Custom)) {
		key := "custom_toolsets." + name
		if _, ok := bundles()[name]; ok || slices.Contains(everything, name) || slices.Contains(c.sources, name) {
			return &ToolsetError{Key: key, Name: name, text: fmt.Sprintf("%q is a toolset already; choose another name", name)}
		}
		if _, ok := c.tools[name]; ok {
			return &ToolsetError{Key: key, Name: name, text: fmt.Sprintf("%q is a tool; choose another name", name)}
		}
		if err := c.checkList(key, c.toolsets.Custom[name]); err != nil {
			return err
		}
		if loop := c.loop(name, []string{name}); loop != nil {
			return &ToolsetError{Key: key, Name: name, Loop: loop}
		}
	}
	for _, client := range slices.Sorted(maps.Keys(c.toolsets.Platforms)) {
		if err := c.checkList("platform_toolsets."+client, c.toolsets.Platforms[client]); err != nil {
			return err
		}
	}
	if err := c.checkList("toolsets", c.toolsets.Use); err != nil {
		return err
	}
	return c.checkDisabled()
}

func (c catalog) checkList(key string, list []string) error {
	for _, name := range list {
		if !c.knows(name) {
			near := misspelt.Nearest(name, slices.AppendSeq(c.names(), maps.Keys(c.tools)), max(1, len(name)/4), misspelt.Edits)
			return &ToolsetError{Key: key, Name: name, Known: c.names(), near: near}
		}
	}
	return nil
}

func (c catalog) knows(name string) bool {
	_, isSet := c.members(name)
	return isSet || c.hasTool(name)
}

// hasTool reports whether a tool of that name exists, or may exist once all sources have registered theirs. A name that
// looks like a bundle of ours, or like the toolset of a server, is not a tool.
func (c catalog) hasTool(name string) bool {
	_, there := c.tools[name]
	ours := strings.HasPrefix(name, SourceBrowser) || strings.HasPrefix(name, serverSource)
	return there || c.awaited && namePattern.MatchString(name) && !ours
}

func (c catalog) checkDisabled() error {
	for _, name := range c.toolsets.Disabled {
		if !c.hasTool(name) {
			return &ToolsetError{Key: "disabled_tools", Name: name, text: fmt.Sprintf(
				"%q is not a tool; tools are %s", name, strings.Join(slices.Sorted(maps.Keys(c.tools)), ", "))}
		}
	}
	return nil
}

// loop returns the path by which a custom toolset contains one of those above it, or nil.
func (c catalog) loop(name string, above []string) []string {
	for _, member := range c.toolsets.Custom[name] {
		if slices.Contains(above, member) {
			return append(above, member)
		}
		if found := c.loop(member, append(slices.Clone(above), member)); found != nil {
			return found
		}
	}
	return nil
}
