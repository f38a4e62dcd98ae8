//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// writeToolConfig configures the example plugin, and gives the flag for it.
func (s *shell) writeToolConfig(capabilities string) string {
	s.t.Helper()
	wasm, err := filepath.Abs("../../plugins/examples/dist/page-headings.wasm")
	if err != nil {
		s.t.Fatal(err)
	}
	path := filepath.Join(s.dir, "config.yaml")
	text := "plugins:\n  page-headings:\n    path: " + wasm + "\n    hooks: [tool]\n    capabilities: " + capabilities + "\n    limits: {timeout_ms: 20000}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func TestToolsOfADaemonsPlugins(t *testing.T) {
	s := newShell(t)
	config := s.writeToolConfig("[page]")
	p, _ := s.startDaemon("--launch", "--config", config)
	if got := s.ok("plugin", "tools"); !strings.Contains(got, "\npage-headings  page_headings  max_level,max_count  Outline of the page") {
		t.Errorf("the tools are %s", got)
	}
	list := get[plugincmd.ToolsJSON](s, "plugin", "tools")
	if len(list.Tools) != 1 || !list.Tools[0].ReadOnly || !json.Valid(list.Tools[0].InputSchema) {
		t.Errorf("the tools are %+v", list)
	}
	s.ok("eval", `document.body.innerHTML = "<h1>Title</h1><h2>Part \u202e</h2>"`)
	outline := "made from what the page at \"null\" says:\n  # Title\n  ## Part \\u202e\n"
	if got := s.ok("plugin", "call", "page-headings", "page_headings"); got != outline {
		t.Errorf("the outline is %q", got)
	}
	if got := s.ok("tools", "call", "page-headings_page_headings", "--arg", "max_level=1"); !strings.Contains(got, ":\n# Title\n</untrusted ") {
		t.Errorf("called as a tool it gives %q", got)
	}
	r := get[host.PluginToolResult](s, "plugin", "call", "page-headings", "page_headings", "--args", `{"max_level": 1}`)
	if r.Text != "# Title" || !r.Untrusted || r.Structured["total"] != 1.0 {
		t.Errorf("the result is %+v", r)
	}
	for _, c := range []struct {
		exit int
		code string
		args []string
	}{
		{exitUsage, "bad_arguments", []string{"page-headings", "page_headings", "--args", `{"max_level": 0}`}},
		{exitFailed, "unknown_tool", []string{"page-headings", "headings"}},
		{exitFailed, "unknown_plugin", []string{"headings", "page_headings"}},
		{exitFailed, "unknown_tab", []string{"page-headings", "page_headings", "--target", "nowhere"}},
	} {
		if code, message := s.refused(c.exit, append([]string{"plugin", "call"}, c.args...)...); code != c.code {
			t.Errorf("%v: %s: %s", c.args, code, message)
		}
	}
	p.end(syscall.SIGTERM)
}

func TestAToolWithoutADaemonAndWithoutItsCapability(t *testing.T) {
	s := newShell(t)
	config := s.writeToolConfig("[]")
	browser, address := s.startBrowser()
	code, message := s.refused(exitFailed, "plugin", "call", "page-headings", "page_headings", "--connect", address, "--config", config)
	if code != "capability_denied" || !strings.Contains(message, "plugins.page-headings.capabilities") {
		t.Errorf("%s: %s", code, message)
	}
	browser.end(syscall.SIGTERM)
}
