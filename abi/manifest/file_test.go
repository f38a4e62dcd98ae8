package manifest_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

const manifestJSON = `{
  "name": "frame-filter",
  "version": "1.0.0-rc.1+build.5",
  "description": "Caps the frame tree.",
  "hooks": [
    "hermes_filter_frames"
  ],
  "capabilities": [
    "kv"
  ],
  "fuel": 1000000,
  "config_schema": {
    "type": "object"
  },
  "optional_imports": [
    "clock_get"
  ]
}
`

func TestManifestFileIsReadAndWritten(t *testing.T) {
	got, err := manifest.Parse([]byte(manifestJSON))
	if err != nil {
		t.Fatal(err)
	}
	want := abi.Manifest{
		Name: "frame-filter", Version: "1.0.0-rc.1+build.5", Description: "Caps the frame tree.",
		Hooks: []string{"hermes_filter_frames"}, Capabilities: []string{"kv"}, Fuel: 1_000_000,
		ConfigSchema: `{"type":"object"}`, OptionalImports: []string{"clock_get"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	text, err := manifest.Format(&got)
	if err != nil || string(text) != manifestJSON {
		t.Errorf("written as\n%s(%v)", text, err)
	}
}

func TestManifestFileRefusalsNameTheKey(t *testing.T) {
	with := func(key, value string) string {
		fields := map[string]string{"name": `"a"`, "version": `"1.0.0"`, "hooks": `["hermes_on_dialog"]`}
		fields[key] = value
		var members []string
		for _, key := range []string{"name", "version", "hooks", "capabilities", "optional_imports", "fuel", "config_schema", "tools", "hook", "timeout_ms"} {
			if value := fields[key]; value != "" {
				members = append(members, `"`+key+`":`+value)
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	cases := []struct{ name, text, want string }{
		{"no name", with("name", ""), `manifest: name: ""; want lower-case words joined by -, like frame-filter`},
		{"name with a capital", with("name", `"Frames"`), `manifest: name: "Frames"; want`},
		{"version of two numbers", with("version", `"1.0"`), `manifest: version: "1.0"; want a semantic version, like 1.2.0`},
		{"no hooks", with("hooks", `[]`), "manifest: hooks: want at least one of hermes_on_dialog, "},
		{"unknown hook", with("hooks", `["hermes_on_dialogs"]`), `manifest: hooks: unknown "hermes_on_dialogs"; known are hermes_on_dialog, `},
		{"repeated hook", with("hooks", `["hermes_on_dialog","hermes_on_dialog"]`), `manifest: hooks: "hermes_on_dialog" occurs twice`},
		{"unknown capability", with("capabilities", `["net"]`), `manifest: capabilities: unknown "net"; known are kv, state, page`},
		{"a wish for time", with("timeout_ms", `1`), "manifest: timeout_ms: unknown key"},
		{"fuel as text", with("fuel", `"1"`), "manifest: fuel: "},
		{"an optional import that is no name", with("optional_imports", `["hermes_v1.kv_get"]`), "manifest: optional_imports: \"hermes_v1.kv_get\"; want names"},
		{"an optional import twice", with("optional_imports", `["a", "a"]`), "manifest: optional_imports: \"a\" occurs twice"},
		{"a policy of several words", `{"name": "a", "version": "1.0.0", "hooks": ["hermes_on_dialog"], "dialog_policies": ["must respond"]}`,
			"manifest: dialog_policies: \"must respond\"; want words of letters, digits, _, - and ., like auto_dismiss"},
		{"a policy twice", `{"name": "a", "version": "1.0.0", "hooks": ["hermes_on_dialog"], "dialog_policies": ["strict", "strict"]}`, "manifest: dialog_policies: \"strict\" occurs twice"},
		{"policies without their hook", `{"name": "a", "version": "1.0.0", "hooks": ["hermes_filter_frames"], "dialog_policies": ["strict"]}`,
			"manifest: dialog_policies: hooks does not name hermes_on_dialog, which decides by them"},
		{"negative fuel", with("fuel", `-1`), "manifest: fuel: the value -1 is not possible"},
		{"hooks as text", with("hooks", `"hermes_on_dialog"`), "manifest: hooks: must not be a JSON string"},
		{"schema as text", with("config_schema", `"{}"`), "manifest: config_schema: want a JSON object"},
		{"tools without their hook", with("tools", `[{"name":"a","description":"d"}]`), "manifest: tools: hooks does not name hermes_tool_call"},
		{"unknown key of a tool", with("tools", `[{"nam":"a"}]`), "manifest: tools/0/nam: unknown key; known are "},
		{"unknown key", with("hook", `1`), "manifest: hook: unknown key; known are name, version, "},
		{"repeated key", `{"name":"a","name":"b"}`, "manifest: name: occurs twice"},
		{"an array", `[]`, "manifest: the file: must not be a JSON array"},
		{"cut text", `{"name":`, "manifest: not JSON at byte 8: the text ends too early"},
		{"text after it", `{} x`, "manifest: not JSON at byte 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := manifest.Parse([]byte(c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error is %v\nwant %s", err, c.want)
			}
			if !reflect.DeepEqual(m, abi.Manifest{}) {
				t.Errorf("a refused manifest left %+v", m)
			}
		})
	}
}

func TestValidationErrorsAreTyped(t *testing.T) {
	_, err := manifest.Parse([]byte(`{"name":"a","version":"1.0.0","hooks":["x"]}`))
	var validation *manifest.ValidationError
	if !errors.As(err, &validation) || validation.Key != "hooks" {
		t.Errorf("error is %#v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(manifestJSON))
	f.Add([]byte(`{"name":"a","version":"1.0.0","hooks":["hermes_on_dialog"]}`))
	f.Add([]byte(`{"config_schema":{"a":1,"a":2}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Parse(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "manifest: ") {
				t.Fatalf("error is %v", err)
			}
			return
		}
		text, err := manifest.Format(&m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := manifest.Parse(text)
		if err != nil || string(again.Append(nil)) != string(m.Append(nil)) {
			t.Fatalf("%s reads as %+v, want %+v (%v)", text, again, m, err)
		}
	})
}

func TestToolsOfAManifest(t *testing.T) {
	read := func(capabilities, tools string) (abi.Manifest, error) {
		return manifest.Parse([]byte(`{"name":"a","version":"1.0.0","hooks":["hermes_tool_call"],"capabilities":` + capabilities + `,"tools":` + tools + `}`))
	}
	m, err := read(`["page"]`, `[{"name":"count_links","description":"d","input_schema":{ "type": "object" },"page_script":"return 1","read_only":true}]`)
	want := []abi.ManifestTool{{Name: "count_links", Description: "d", InputSchema: `{"type":"object"}`, PageScript: "return 1", ReadOnly: true}}
	if err != nil || !reflect.DeepEqual(m.Tools, want) {
		t.Errorf("got %+v (%v)\nwant %+v", m.Tools, err, want)
	}
	for tools, want := range map[string]string{
		`[]`:                                   "manifest: tools: want at least one",
		`[{"name":"Count","description":"d"}]`: `manifest: tools/0/name: "Count"; want lower-case words`,
		`[{"name":"a","description":"d"},{"name":"a","description":"d"}]`: `manifest: tools/1/name: "a" occurs twice`,
		`[{"name":"a","description":""}]`:                                 "manifest: tools/0/description: want a text",
		`[{"name":"a","description":"d","input_schema":[]}]`:              "manifest: tools/0/input_schema: want a JSON object",
		`[{"name":"a","description":"d","page_script":"x"}]`:              "manifest: tools/0/page_script: capabilities does not name page",
	} {
		if _, err := read(`[]`, tools); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error is %v\nwant %s", tools, err, want)
		}
	}
}

func TestASourceSaysWhatIsNotPacked(t *testing.T) {
	dir := t.TempDir()
	text := `{"name": "mine", "version": "1.0.0", "hooks": ["hermes_tool_call"], "capabilities": ["page"], "build": ["make", "{out}"],
		"tools": [{"name": "read", "description": "Reads.", "page_script_file": "pages/read.js"}]}`
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("manifest.json", text)
	if _, err := manifest.ReadFile(filepath.Join(dir, "manifest.json")); err == nil || !strings.Contains(err.Error(), "pages/read.js") {
		t.Errorf("without the script the error is %v", err)
	}
	write("pages/read.js", "return document.title;\n")
	source, err := manifest.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || source.Tools[0].PageScript != "return document.title;\n" || !slices.Equal(source.Build, []string{"make", "{out}"}) ||
		!slices.Equal(source.Files, []string{"pages/read.js"}) {
		t.Errorf("the source is %+v (%v)", source, err)
	}
	if _, err := manifest.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), "page_script_file") {
		t.Errorf("a text alone: error is %v", err)
	}
	write("manifest.json", strings.Replace(text, "pages/read.js", "../read.js", 1))
	if _, err := manifest.ReadFile(filepath.Join(dir, "manifest.json")); err == nil {
		t.Error("a file outside of the directory is read")
	}
}
