//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is written into a client's configuration starts a server that a client can use.
func TestAClientThatIsSetUpHasTheTools(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, ".cursor", "mcp.json")
	if out := s.ok("setup", "mcp", "cursor", "--yes", "--toolsets", "browser-read"); !strings.Contains(out, "+    \"browser\": {") || !strings.Contains(out, file) {
		t.Errorf("it says %s", out)
	}
	var written struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &written); err != nil {
		t.Fatal(err)
	}
	server := written.MCPServers["browser"]
	if server.Command != s.binary {
		t.Errorf("the command is %s, want %s", server.Command, s.binary)
	}
	list := s.inspect(append(append([]string{server.Command}, server.Args...), "--method", "tools/list")...)
	var names []string
	for _, tool := range list["tools"].([]any) {
		names = append(names, tool.(map[string]any)["name"].(string))
	}
	if !slices.Contains(names, "browser_snapshot") || slices.Contains(names, "browser_click") {
		t.Errorf("the tools are %q", names)
	}
	if out := s.ok("setup", "mcp", "cursor", "--yes", "--toolsets", "browser-read"); !strings.Contains(out, "nothing to do") {
		t.Errorf("a second time: %s", out)
	}
	if out := s.ok("setup", "mcp"); !strings.Contains(out, file+strings.Repeat(" ", 2)) || !strings.Contains(out, "set up") {
		t.Errorf("the list is %s", out)
	}
	s.ok("setup", "mcp", "cursor", "--yes", "--remove")
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "hermes-cdp") {
		t.Errorf("it is left in %s, %v", data, err)
	}
}

func TestAChangeOfAClientIsShownAndAskedFor(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, ".codex", "config.toml")
	for answer, written := range map[string]bool{"\r": false, "n\r": false, "y\r": true} {
		term := s.terminal(s.command("setup", "mcp", "codex"), 120, 24)
		term.sees(`+command = "` + s.binary + `"`)
		term.sees("Write this? [y/N]")
		term.types(answer)
		exit := term.exits()
		if _, err := os.Stat(file); written != (err == nil) || written != (exit == exitOK) {
			t.Errorf("after %q: exit %d, the file: %v", answer, exit, err)
		}
		_ = os.Remove(file)
	}
	if out := s.ok("setup", "mcp", "codex", "--dry-run"); !strings.Contains(out, "+[mcp_servers.browser]") {
		t.Errorf("it says %s", out)
	}
	if code, message := s.refused(exitUsage, "setup", "mcp", "codex"); code != "usage" || !strings.Contains(message, "--yes") {
		t.Errorf("without a terminal: %s, %s", code, message)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written all the same")
	}
}

func TestSetupOfProjectsAndOtherFiles(t *testing.T) {
	s := newShell(t)
	cmd := s.command("setup", "mcp", "vscode", "--project", "--yes", "--name", "web")
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, ".vscode", "mcp.json")); err != nil || !strings.Contains(string(data), `"command": "hermes-cdp"`) {
		t.Errorf("the project has %s, %v", data, err)
	}
	own := filepath.Join(s.dir, "own.yaml")
	got := get[setupJSON](s, "setup", "mcp", "goose", "--file", own, "--yes", "--config", "conf.yaml")
	if data, err := os.ReadFile(own); err != nil || !got.Written || got.File != own || !strings.Contains(string(data), `"--config", "/`) {
		t.Errorf("the file has %s, %v; the answer is %+v", data, err, got)
	}
	for _, args := range [][]string{
		{"setup", "mcp", "cursr"}, {"setup", "mcp", "claude-desktop", "--project"}, {"setup", "mcp", "cursor", "--name", "a b"},
		{"setup", "mcp", "cursor", "--yes", "--dry-run"}, {"setup", "mcpp"},
	} {
		if code, _ := s.refused(exitUsage, args...); code != "usage" {
			t.Errorf("%v: %s", args, code)
		}
	}
	writeFile(t, filepath.Join(s.dir, ".cursor", "mcp.json"), []byte(`{"mcpServers": {"browser": {"command": "npx"}}}`))
	if _, message := s.refused(exitFailed, "setup", "mcp", "cursor", "--yes"); !strings.Contains(message, "--name") {
		t.Errorf("the entry of another: %s", message)
	}
	writeFile(t, filepath.Join(s.dir, ".codex", "config.toml"), []byte("mcp_servers = {}\n"))
	if _, message := s.refused(exitFailed, "setup", "mcp", "codex", "--yes"); !strings.Contains(message, "[mcp_servers.browser] command = ") {
		t.Errorf("one that is to be edited by hand: %s", message)
	}
}
