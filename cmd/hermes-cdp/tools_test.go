//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// states are the tools of a list by name.
func states(list toolsListJSON) map[string]agent.Listing {
	by := map[string]agent.Listing{}
	for _, t := range list.Tools {
		by[t.Name] = t
	}
	return by
}

func TestToolsAreListedWithTheirToolsets(t *testing.T) {
	s := newShell(t)
	by := states(get[toolsListJSON](s, "tools", "list"))
	if !by["browser_click"].On || by["browser_evaluate"].On || !slices.Contains(by["browser_click"].Toolsets, "browser-safe") {
		t.Errorf("got %+v and %+v", by["browser_click"], by["browser_evaluate"])
	}
	if by := states(get[toolsListJSON](s, "tools", "list", "--toolsets", "browser-read")); by["browser_click"].On || !by["browser_extract_text"].On {
		t.Error("--toolsets chooses nothing")
	}
	if table := s.ok("tools", "list"); !strings.Contains(table, "\nbrowser_evaluate          off    browser-full") {
		t.Errorf("got %s", table)
	}
	if code, text := s.refused(exitUsage, "tools", "list", "--toolsets", "brwser"); code != "bad_toolset" || !strings.Contains(text, "toolsets are *, all, ") {
		t.Errorf("got %s: %s", code, text)
	}
	if code, text := s.refused(exitUsage, "tools", "list", "--set", "custom_toolsets={a: [b], b: [a]}"); code != "bad_toolset" || !strings.Contains(text, "contains itself") {
		t.Errorf("got %s: %s", code, text)
	}
}

func TestToolsAreEnabledAndDisabledInTheFile(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, ".config", "hermes-cdp", "config.yaml")
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"enable", "browser_evaluate"}, "toolsets: [browser, browser_evaluate]\n"},
		{[]string{"disable", "browser_evaluate", "browser_cdp"}, "toolsets: [browser]\ndisabled_tools: [browser_evaluate, browser_cdp]\n"},
		{[]string{"enable", "browser_cdp"}, "toolsets: [browser]\ndisabled_tools: [browser_evaluate]\n"},
		{[]string{"enable", "browser-safe", "browser_evaluate"}, "toolsets: [browser, browser-safe, browser_evaluate]\n"},
		{[]string{"disable", "browser"}, "toolsets: [browser-safe, browser_evaluate]\n"},
	} {
		s.ok(append([]string{"tools"}, step.args...)...)
		if got, err := os.ReadFile(file); err != nil || string(got) != step.want {
			t.Fatalf("%v: the file is %q, want %q (%v)", step.args, got, step.want, err)
		}
	}
	if by := states(get[toolsListJSON](s, "tools", "list")); !by["browser_evaluate"].On || by["browser_cdp"].On {
		t.Error("the choice has no effect")
	}
	if code, text := s.refused(exitUsage, "tools", "enable", "browser_fly"); code != "bad_toolset" || !strings.Contains(text, `"browser_fly" is neither`) || strings.Contains(text, "did you mean") {
		t.Errorf("got %s: %s", code, text)
	}
	if _, text := s.refused(exitUsage, "tools", "enable", "browser_clik"); !strings.Contains(text, "did you mean browser_click?") {
		t.Errorf("got %s", text)
	}
	if code, text := s.refused(exitUsage, "tools", "disable", "browser-read"); code != "usage" || !strings.Contains(text, "not in use") {
		t.Errorf("got %s: %s", code, text)
	}
	if code, text := s.refused(exitUsage, "tools", "enable", "all", "--set", "toolsets=[browser]"); code != "usage" || !strings.Contains(text, "stronger than the file") {
		t.Errorf("got %s: %s", code, text)
	}
}

func TestToolsAreEnabledAndDisabledForOneClient(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, ".config", "hermes-cdp", "config.yaml")
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"enable", "browser_evaluate", "--client", "hermes-acp"}, "platform_toolsets:\n  hermes-acp: [browser, browser_evaluate]\n"},
		{[]string{"disable", "browser", "--client", "hermes-acp"}, "platform_toolsets:\n  hermes-acp: [browser_evaluate]\n"},
		{[]string{"enable", "browser-inspect", "--client", "hermes-acp"}, "platform_toolsets:\n  hermes-acp: [browser_evaluate, browser-inspect]\n"},
		{[]string{"disable", "browser_save", "--client", "hermes-acp"}, "platform_toolsets:\n  hermes-acp: [browser_evaluate, browser_get, browser_highlight]\n"},
	} {
		s.ok(append([]string{"tools"}, step.args...)...)
		if got, err := os.ReadFile(file); err != nil || string(got) != step.want {
			t.Fatalf("%v: the file is %q, want %q (%v)", step.args, got, step.want, err)
		}
	}
	if by := states(get[toolsListJSON](s, "tools", "list", "--client", "hermes-acp")); !by["browser_get"].On || by["browser_save"].On || by["browser_click"].On {
		t.Error("the choice has no effect")
	}
	if by := states(get[toolsListJSON](s, "tools", "list")); by["browser_get"].On || !by["browser_click"].On {
		t.Error("the choice for one client has an effect on others")
	}
	if code, text := s.refused(exitUsage, "tools", "disable", "browser_click", "--client", "hermes-acp"); code != "usage" || !strings.Contains(text, "not in use") {
		t.Errorf("got %s: %s", code, text)
	}
}

func TestToolsAreDescribedForModels(t *testing.T) {
	s := newShell(t)
	for format, path := range map[string][]string{
		"mcp":       {"tools", "0", "inputSchema"},
		"openai":    {"0", "function", "parameters"},
		"anthropic": {"0", "input_schema"},
	} {
		var value any
		if err := json.Unmarshal([]byte(s.ok("tools", "schema", "browser_click", "--format", format)), &value); err != nil {
			t.Fatal(err)
		}
		for _, name := range path {
			switch v := value.(type) {
			case map[string]any:
				value = v[name]
			case []any:
				value = v[0]
			}
		}
		if schema, ok := value.(map[string]any); !ok || schema["type"] != "object" {
			t.Errorf("%s: no schema at %v, but %v", format, path, value)
		}
	}
	if code, text := s.refused(exitUsage, "tools", "schema", "--format", "xml"); code != "unknown_format" || !strings.Contains(text, "mcp, openai, anthropic") {
		t.Errorf("got %s: %s", code, text)
	}
}

func TestADaemonWithAWrongToolsetDoesNotStart(t *testing.T) {
	if code, message := newShell(t).refused(exitUsage, "run", "--set", "toolsets=[nothing]"); code != "bad_toolset" || !strings.Contains(message, "nothing") {
		t.Errorf("%s: %s", code, message)
	}
}
