package agent

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// testCatalog has the tools of this package, two of the plugin prices, and a plugin without tools.
func testCatalog(t Toolsets) catalog {
	c := catalog{toolsets: t, tools: map[string]string{"prices_list": "prices", "prices_set": "prices"}, sources: []string{"prices", "quiet"}}
	for name := range builtins() {
		c.tools[name] = SourceBrowser
	}
	return c
}

func TestBundlesNameToolsThatThereAre(t *testing.T) {
	c := testCatalog(Toolsets{})
	for name, members := range bundles() {
		if name == webToolset { // whose tools are those of servers
			continue
		}
		for _, member := range members {
			if !c.knows(member) {
				t.Errorf("the bundle %s names %s, which is neither a toolset nor a tool", name, member)
			}
		}
	}
}

func TestTheToolsetWebHasToolsOfServersOnly(t *testing.T) {
	c := testCatalog(Toolsets{})
	c.tools["web_search"], c.tools["web_extract"], c.tools["web_other"] = ServerSource("search"), "prices", ServerSource("search")
	if got := slices.Collect(maps.Keys(c.expand([]string{"web"}))); !slices.Equal(got, []string{"web_search"}) {
		t.Errorf("it has %v", got)
	}
	if err := testCatalog(Toolsets{Use: []string{"web"}}).check(); err != nil {
		t.Errorf("without such a server: %v", err)
	}
}

func TestToolsets(t *testing.T) {
	full := slices.Sorted(maps.Keys(builtins()))
	for name, c := range map[string]struct {
		toolsets Toolsets
		use      []string
		has      []string
		hasNot   []string
	}{
		"browser is the default bundle":                   {Toolsets{}, []string{"browser"}, []string{"browser_cdp", "browser_dialog", "browser_resume", "browser_close"}, []string{"browser_evaluate", "prices_list"}},
		"browser-full has all of this package":            {Toolsets{}, []string{"browser-full"}, full, []string{"prices_list"}},
		"browser-read does not touch":                     {Toolsets{}, []string{"browser-read"}, nil, []string{"browser_click", "browser_type", "browser_evaluate", "browser_console", "browser_cdp", "browser_upload"}},
		"browser-safe runs nothing and sends no files":    {Toolsets{}, []string{"browser-safe"}, []string{"browser_dialog"}, []string{"browser_cdp", "browser_evaluate", "browser_console", "browser_upload"}},
		"all has those of plugins, too":                   {Toolsets{}, []string{"all"}, append(full, "prices_list", "prices_set"), nil},
		"so has *":                                        {Toolsets{}, []string{"*"}, append(full, "prices_list"), nil},
		"a plugin's tools are a toolset of its name":      {Toolsets{}, []string{"prices"}, []string{"prices_list", "prices_set"}, []string{"browser_close"}},
		"a plugin without tools is an empty one":          {Toolsets{}, []string{"quiet"}, nil, []string{"browser_close", "prices_list"}},
		"a single tool can stand beside toolsets":         {Toolsets{}, []string{"prices", "browser_close"}, []string{"prices_set", "browser_close"}, []string{"browser_resume"}},
		"a custom one expands to others":                  {Toolsets{Custom: map[string][]string{"mine": {"inner", "prices_set"}, "inner": {"browser_close"}}}, []string{"mine"}, []string{"browser_close", "prices_set"}, []string{"prices_list"}},
		"a disabled tool stays off though all has it":     {Toolsets{Disabled: []string{"browser_cdp"}}, []string{"all", "browser_cdp"}, []string{"browser_close"}, []string{"browser_cdp"}},
		"what two toolsets share is there once, at least": {Toolsets{Custom: map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": {"browser_close"}}}, []string{"a"}, []string{"browser_close"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			catalog := testCatalog(c.toolsets)
			if err := catalog.check(); err != nil {
				t.Fatal(err)
			}
			got := catalog.expand(c.use)
			for _, tool := range c.has {
				if !got[tool] {
					t.Errorf("%s is not there", tool)
				}
			}
			for _, tool := range c.hasNot {
				if got[tool] {
					t.Errorf("%s is there", tool)
				}
			}
		})
	}
}

func TestBadToolsets(t *testing.T) {
	for name, c := range map[string]struct {
		toolsets Toolsets
		says     string
	}{
		"an unknown one is used":          {Toolsets{Use: []string{"brwser"}}, `toolsets: "brwser" is neither a toolset nor a tool; did you mean browser?; toolsets are *, all, browser`},
		"a client's name is none":         {Toolsets{Use: []string{"hermes-cli"}}, `toolsets: "hermes-cli" is neither a toolset nor a tool`},
		"a custom one names an unknown":   {Toolsets{Custom: map[string][]string{"mine": {"browser", "browser_fly"}}}, `custom_toolsets.mine: "browser_fly" is neither`},
		"a platform has an unknown one":   {Toolsets{Platforms: map[string][]string{"hermes-cli": {"nothing"}}}, `platform_toolsets.hermes-cli: "nothing" is neither`},
		"a custom one leads to itself":    {Toolsets{Custom: map[string][]string{"mine": {"mine"}}}, "custom_toolsets.mine: mine contains itself through mine, mine"},
		"two custom ones lead in a loop":  {Toolsets{Custom: map[string][]string{"a": {"b"}, "b": {"browser", "a"}}}, "a contains itself through a, b, a"},
		"one leads into a loop of others": {Toolsets{Custom: map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"b"}}}, "contains itself through a, b, c, b"},
		"a custom one hides a bundle":     {Toolsets{Custom: map[string][]string{"browser": {"browser_close"}}}, `"browser" is a toolset already`},
		"a custom one hides a plugin":     {Toolsets{Custom: map[string][]string{"prices": {"browser_close"}}}, `"prices" is a toolset already`},
		"a custom one hides a tool":       {Toolsets{Custom: map[string][]string{"browser_close": {"browser"}}}, `"browser_close" is a tool`},
		"an unknown tool is disabled":     {Toolsets{Disabled: []string{"browser_fly"}}, `disabled_tools: "browser_fly" is not a tool; tools are browser_`},
	} {
		t.Run(name, func(t *testing.T) {
			err := testCatalog(c.toolsets).check()
			var bad *ToolsetError
			if !errors.As(err, &bad) || !errors.Is(err, fault.ErrToolset) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want ...%s...", err, c.says)
			}
		})
	}
}
