package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func custom(name string) Custom {
	return Custom{
		Tool: Tool{Name: name, Description: "A test.", Input: json.RawMessage(`{"type":"object"}`)},
		Run: func(context.Context, *Browser, json.RawMessage) (Result, error) {
			return Result{Text: "ran", Structured: map[string]any{"success": true}}, nil
		},
	}
}

func TestEmbeddersRegisterToolsetsOfTheirOwn(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{})
	told := 0
	stop := r.Changed(func() { told++ })
	if err := r.Register("mine", custom("mine_one"), custom("mine_two")); err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("told %d times of the change", told)
	}
	if has(r.Tools(View{}), "mine_one") {
		t.Error("the default toolset has it")
	}
	if got := r.Tools(View{Toolsets: []string{"mine"}}); len(got) != 2 || got[0].Name != "mine_one" || got[0].Source != "mine" {
		t.Errorf("got %+v", got)
	}
	stop()
	if err := r.Register("mine"); err != nil || told != 1 || len(r.Tools(View{Toolsets: []string{"mine"}})) != 0 {
		t.Errorf("they are there still: %v", err)
	}
	for name, c := range map[string]struct {
		source string
		tool   Custom
	}{
		"a source that is a bundle":     {"browser-read", custom("one")},
		"a source with a space":         {"my own", custom("one")},
		"a name that is ours":           {"mine", custom("browser_fly")},
		"a name with a dot":             {"mine", custom("mine.one")},
		"no Run":                        {"mine", Custom{Tool: custom("one").Tool}},
		"an input that is not a object": {"mine", Custom{Tool: Tool{Name: "one", Input: json.RawMessage(`{"type":"array"}`)}, Run: custom("one").Run}},
	} {
		if err := r.Register(c.source, c.tool); !errors.Is(err, fault.ErrBadTool) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestWhoSeesWhichTools(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{
		Open: func(context.Context, string) (*host.Task, error) { return nil, errors.New("not in this test") },
		Toolsets: Toolsets{
			Use: []string{"browser-safe"}, Custom: map[string][]string{"end": {"browser_close"}},
			Platforms: map[string][]string{"hermes-acp": {"browser-full"}},
		},
	})
	if err := r.UseToolsets("small", "end"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		view        View
		has, hasNot string
	}{
		"everybody has what is in use":           {View{}, "browser_dialog", "browser_cdp"},
		"an unknown client is everybody":         {View{Client: "inspector"}, "browser_dialog", "browser_cdp"},
		"a platform has its own":                 {View{Client: "hermes-acp"}, "browser_cdp", "browser_fly"},
		"a task's own are stronger":              {View{Client: "hermes-acp", Task: "small"}, "browser_close", "browser_dialog"},
		"what is asked for is stronger than all": {View{Client: "hermes-acp", Task: "small", Toolsets: []string{"browser"}}, "browser_console", "browser_evaluate"},
	} {
		t.Run(name, func(t *testing.T) {
			tools := r.Tools(c.view)
			if !has(tools, c.has) || has(tools, c.hasNot) {
				t.Errorf("got %v", names(tools))
			}
		})
	}
	told := 0
	defer r.Changed(func() { told++ })()
	if err := r.ConfigureToolsets(Toolsets{Use: []string{"debuging"}}); !errors.Is(err, fault.ErrToolset) || !strings.Contains(err.Error(), "did you mean debugging?") || told != 0 {
		t.Errorf("got %v, told %d times", err, told)
	}
	if !has(r.Tools(View{}), "browser_dialog") {
		t.Error("a wrong toolset has taken the tools away")
	}
	if err := r.ConfigureToolsets(Toolsets{Use: []string{"debugging"}}); err != nil || told != 1 {
		t.Errorf("got %v, told %d times", err, told)
	}
	for _, name := range []string{"browser_evaluate", "browser_network_requests", "browser_click", "browser_trace"} {
		if !has(r.Tools(View{}), name) {
			t.Errorf("the toolset debugging has no %s", name)
		}
	}
	if safe, whole := names(r.Tools(View{Toolsets: []string{"safe"}})), names(r.Tools(View{Toolsets: []string{"browser-safe"}})); !slices.Equal(safe, whole) {
		t.Errorf("the toolset safe has %v, browser-safe %v", safe, whole)
	}
	if err := r.UseToolsets("small"); err != nil || !has(r.Tools(View{Task: "small"}), "browser_dialog") {
		t.Errorf("the task's own were not taken back: %v", err)
	}
	if err := r.UseToolsets("small", "nothing"); !errors.Is(err, fault.ErrToolset) {
		t.Errorf("got %v", err)
	}
	if err := r.CheckToolsets([]string{"browser", "nothing"}); !errors.Is(err, fault.ErrToolset) {
		t.Errorf("got %v", err)
	}
}

func names(list []Tool) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.Name)
	}
	return out
}

func TestWithoutATaskNothingIsReached(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{})
	if tools := r.Tools(View{}); has(tools, "browser_cdp") || has(tools, "browser_dialog") || !has(tools, "browser_close") {
		t.Errorf("got %v", names(tools))
	}
	result, err := r.Call(t.Context(), Call{Task: "nobody", Name: "browser_snapshot"})
	if err != nil || !result.IsError || result.Structured["kind"] != string(fault.ErrUnknownTask) {
		t.Errorf("got %+v, %v", result, err)
	}
}

func TestNoBrowserIsStartedForWhatNeedsNone(t *testing.T) {
	opened := 0
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{
		Open: func(context.Context, string) (*host.Task, error) {
			opened++
			return nil, errors.New("not in this test")
		},
	})
	none := custom("mine_one")
	none.NoBrowser = true
	none.Run = func(_ context.Context, b *Browser, _ json.RawMessage) (Result, error) {
		return Result{Text: "ran", Structured: map[string]any{"success": true, "browser": b != nil}}, nil
	}
	if err := r.Register("mine", none, custom("mine_two")); err != nil {
		t.Fatal(err)
	}
	call := func(name string) Result {
		t.Helper()
		result, err := r.Call(t.Context(), Call{Task: "nobody", Name: name, Toolsets: []string{"all"}})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	closed := call("browser_close")
	want(t, closed, "success", "true")
	want(t, closed, "closed", "false")
	want(t, call("mine_one"), "browser", "false")
	if opened != 0 {
		t.Errorf("%d browsers were started", opened)
	}
	if call("mine_two"); opened != 1 {
		t.Errorf("%d browsers were started for a tool that needs one", opened)
	}
}

// defaultTools are the twelve tools that agents commonly know, those that an everyday page needs, and those needed to
// go on.
var defaultTools = []string{
	"browser_navigate", "browser_snapshot", "browser_click", "browser_type", "browser_scroll", "browser_back", "browser_press",
	"browser_get_images", "browser_vision", "browser_console", "browser_cdp", "browser_dialog",
	"browser_select", "browser_hover", "browser_drag", "browser_upload", "browser_interact", "browser_tabs", "browser_wait_for", "browser_resume", "browser_close",
}

// maxListing limits the size of tools/list of the default toolset, with MCP's names of the fields.
const maxListing = 10_000

func TestTheDefaultToolsetIsCheapForTheModel(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{Open: func(context.Context, string) (*host.Task, error) { return nil, errors.New("no") }})
	tools := r.Tools(View{})
	exported, err := Export(FormatMCP, tools)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(exported)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tools, %d bytes", len(tools), len(encoded))
	for _, name := range defaultTools {
		if !has(tools, name) {
			t.Errorf("%s is not in the default toolset", name)
		}
	}
	if len(tools) != len(defaultTools) {
		t.Errorf("the default toolset has %v", names(tools))
	}
	if len(encoded) > maxListing {
		t.Errorf("the listing has %d bytes, more than %d", len(encoded), maxListing)
	}
}

func TestAnnouncedSourcesAreToolsetsBeforeTheyHaveTools(t *testing.T) {
	h := common.NewHost(t, host.Options{})
	o := Options{
		Sources: []string{ServerSource("files"), ServerSource("search")},
		Toolsets: Toolsets{
			Use: []string{"browser-read", "mcp-files", "read_file"}, Custom: map[string][]string{"mine": {"mcp-search", "fnd"}}, Disabled: []string{"write_file"},
		},
	}
	r := newRegistry(t, h, o)
	if err := r.CheckToolsets([]string{"mcp-files", "mcp-search", "write_file"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"browser_fly", "browser-raed", "mcp-mail", "no name", "raed_file"} {
		if !errors.Is(r.CheckToolsets([]string{name}), fault.ErrToolset) {
			t.Errorf("%s is taken for a tool that may come", name)
		}
	}
	if err := r.CheckConfigured(); err != nil {
		t.Error(err)
	}
	for source, tools := range map[string][]Custom{"mcp-files": {custom("read_file"), custom("write_file")}, "mcp-search": {custom("find"), custom("web_search")}} {
		if err := r.Register(source, tools...); err != nil {
			t.Fatal(err)
		}
	}
	if tools := r.Tools(View{}); !has(tools, "read_file") || has(tools, "write_file") || has(tools, "web_search") {
		t.Errorf("got %v", names(tools))
	}
	if tools := r.Tools(View{Toolsets: []string{"browser"}}); !has(tools, "web_search") || has(tools, "find") {
		t.Errorf("got %v", names(tools))
	}
	if err := r.CheckConfigured(); !errors.Is(err, fault.ErrToolset) || !strings.Contains(err.Error(), `custom_toolsets.mine: "fnd" is neither`) {
		t.Errorf("got %v", err)
	}
	if err := r.Register("mcp-search"); err != nil || r.CheckConfigured() != nil || has(r.Tools(View{Toolsets: []string{"browser"}}), "web_search") {
		t.Errorf("after its end: %v, %v", err, r.CheckConfigured())
	}
	bad := o
	bad.Toolsets.Custom = map[string][]string{"mcp-files": {"browser"}}
	if _, err := New(h, bad); !errors.Is(err, fault.ErrToolset) {
		t.Errorf("a custom toolset hides that of a server: %v", err)
	}
}

func TestAWebSearchOfAnEmbedderIsNotTheBrowsers(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{})
	if err := r.Register("mine", custom("web_search")); err != nil {
		t.Fatal(err)
	}
	if has(r.Tools(View{}), "web_search") {
		t.Error("it is in the default toolset")
	}
}

type ownError struct{}

func (ownError) Error() string { return "own" }
func (ownError) Unwrap() error { return host.Code("mine") }
func (ownError) ToolErrorResult() (Result, bool) {
	return Result{Text: "said", Structured: map[string]any{"success": false, "kind": "mine"}, IsError: true}, true
}

func TestAnErrorOfAnEmbedderSaysItsCodeAndResult(t *testing.T) {
	r := newRegistry(t, common.NewHost(t, host.Options{}), Options{})
	c := custom("mine_one")
	c.NoBrowser = true
	var steps []float64
	c.Run = func(ctx context.Context, _ *Browser, _ json.RawMessage) (Result, error) {
		toolkit.ReportProgress(ctx, 0.5, 0, "half")
		return Result{}, fmt.Errorf("wrapped: %w", ownError{})
	}
	if err := r.Register("mine", c); err != nil {
		t.Fatal(err)
	}
	got, err := r.Call(t.Context(), Call{Name: "mine_one", Toolsets: []string{"mine"}, Progress: func(done, _ float64, _ string) { steps = append(steps, done) }})
	if err != nil || !got.IsError || !strings.Contains(got.Text, ">\nsaid\n<") || r.Counters()["mine_one"].Failures["mine"] != 1 || len(steps) != 1 {
		t.Errorf("got %+v, %v, %v", got, err, steps)
	}
}
