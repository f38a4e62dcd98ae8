package plugins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
	"github.com/hermes-cdp/hermes-cdp/sdk/json"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// examples are the modules that show how plugins are written.
func examples() []build.Module {
	var list []build.Module
	for _, m := range build.Modules() {
		if strings.HasPrefix(m.Source, "plugins/examples/") {
			list = append(list, m)
		}
	}
	return list
}

func built(t *testing.T, m build.Module) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("..", m.Output))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestGoldenTablesOnTheExamples(t *testing.T) {
	for _, m := range examples() {
		table := filepath.Join("..", m.Source, filepath.FromSlash(build.GoldenTable))
		t.Run(m.Name+" by TinyGo", func(t *testing.T) {
			sdktest.Run(t, table, plugintest.Wasm(built(t, m), module.Options{Name: m.Name, CacheDir: compiled}))
		})
		t.Run(m.Name+" by Go", func(t *testing.T) {
			sdktest.Run(t, table, plugintest.Wasm(builtByGo(t, m), module.Options{Name: m.Name, CacheDir: compiled}))
		})
	}
}

// A page chooses what a page script returns. Whatever it is, the module answers within its memory and its fuel: a fault
// would count against it.
func TestNoPageMakesTheToolOfAnExampleFault(t *testing.T) {
	const room = abi.DefaultEventBytes - 64
	fill := func(head, item, tail string) string {
		n := (room - len(head) - len(tail)) / (len(item) + 1)
		return head + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + tail
	}
	headings := func(item string, most int) string {
		return `{"headings":[` + strings.TrimSuffix(strings.Repeat(item+",", most), ",") + `],"total":9007199254740991}`
	}
	for _, m := range examples() {
		if m.Name != "page-headings" {
			continue
		}
		runner, err := plugintest.Wasm(built(t, m), module.Options{Name: m.Name})(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer runner.Close()
		for name, page := range map[string]string{
			"as many values as are allowed": "[" + strings.Repeat("[],", json.MaxValues-2) + "[]]",
			"more values":                   fill("[", "0", "]"),
			"keys in the wrong order":       fill("{", `"b":0,"a":1`, "}"),
			"one key, very often":           fill("{", `"":0`, "}"),
			"depth":                         strings.Repeat("[", room),
			"numbers that take long":        fill("[", "1e-300", "]"),
			"the longest numbers":           fill("[", strings.Repeat("9", 500)+"e-250", "]"),
			"a number of one text's length": strings.Repeat("7", room),
			"escapes":                       `"` + strings.Repeat(`\ud83d`, room/6-1) + `"`,
			"long headings":                 headings(`{"level":1,"text":"`+strings.Repeat("\u202e", 600)+`"}`, 100),
			"many headings":                 headings(`{"level":6,"text":"x"}`, 10_000),
			"headings of white space":       headings(`{"level":6,"text":"`+strings.Repeat(" ", 2000)+`"}`, 100),
		} {
			got, err := runner.Call(t.Context(), abi.HookToolCall, (&abi.ToolCallEvent{Tool: "page_headings", Page: page}).Append(nil))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got.Status == abi.StatusDecided && len(got.Verdict) > abi.DefaultResultBytes/2+4096 {
				t.Errorf("%s: the result has %d bytes", name, len(got.Verdict))
			}
		}
	}
}
