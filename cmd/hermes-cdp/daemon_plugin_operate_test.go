//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

const allowlist = "../../plugins/examples/dist/navigate-allowlist.wasm"

// plugins are the names of those in service, with their generations' hashes.
func (s *shell) plugins() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for _, p := range s.status().Plugins {
		all[p.Name] = p.SHA256
	}
	return all
}

// A guard is added, configured and removed beside a running daemon, and all of that outlives it.
func TestPluginsAreAddedConfiguredAndRemovedWhileTheDaemonRuns(t *testing.T) {
	s := newShell(t)
	config := s.configure("plugin_watch: false\n")
	d, _ := s.startDaemon("--config", config)

	if code, text := s.refused(exitFailed, "plugin", "add", "guard", allowlist); code != "plugin_refused" || !strings.Contains(text, "hooks") {
		t.Errorf("without hooks: %s: %s", code, text)
	}
	if code, text := s.refused(exitFailed, "plugin", "add", "guard", allowlist, "--hooks", "navigate", "--config-json", `{"nonsense": 1}`); code != "plugin_refused" || !strings.Contains(text, "step config") {
		t.Errorf("against its schema: %s: %s", code, text)
	}
	if p := s.plugins(); p["guard"] != "" {
		t.Errorf("what was refused is there: %v", p)
	}
	g := get[host.PluginGeneration](s, "plugin", "add", "guard", allowlist, "--hooks", "navigate", "--config-json", `{"allow": ["https://a.example"]}`, "--reason", "an audit")
	if g.State != "serving" || g.Trigger != "command" || g.Reason != "an audit" || !filepath.IsAbs(g.Source) {
		t.Errorf("added %+v", g)
	}
	if code, _ := s.refused(exitFailed, "plugin", "add", "guard", allowlist, "--hooks", "navigate"); code != "known_plugin" {
		t.Errorf("added twice: %s", code)
	}
	first := s.info("guard").ConfigHash

	if code, text := s.refused(exitFailed, "plugin", "configure", "guard", "--config-json", `{"allow": 7}`); code != "plugin_refused" || !strings.Contains(text, "step config") {
		t.Errorf("against its schema: %s: %s", code, text)
	}
	s.ok("plugin", "configure", "guard", "--config-json", `{"allow": ["https://b.example"]}`)
	second := s.info("guard").ConfigHash
	if second == first {
		t.Error("the configuration is as before")
	}

	kill(d)
	d, _ = s.startDaemon("--config", config)
	if p := s.info("guard"); p.ConfigHash != second || p.State != "serving" {
		t.Errorf("after a restart: %+v", p)
	}
	s.ok("reload")
	if p := s.info("guard"); p.ConfigHash != second || p.State != "serving" {
		t.Errorf("after a reload: %+v", p)
	}

	if code, text := s.refused(exitFailed, "plugin", "remove", "guard"); code != "plugin_refused" || !strings.Contains(text, "--drop-hook") || !strings.Contains(text, "navigate") {
		t.Errorf("a hook that nobody else serves: %s: %s", code, text)
	}
	if p := s.info("guard"); p.State != "serving" {
		t.Errorf("what was refused happened: %+v", p)
	}
	s.ok("plugin", "remove", "guard", "--drop-hook", "navigate")
	if code, _ := s.refused(exitFailed, "plugin", "history", "guard"); code != "unknown_plugin" {
		t.Errorf("a removed plugin: %s", code)
	}
	d.end(syscall.SIGTERM)
	d, at := s.startDaemon("--config", config)
	if p := s.plugins(); p["guard"] != "" {
		t.Errorf("a removed plugin is back: %v", p)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}

// A configured plugin that an operator removed stays out through restarts and reloads, which status says, until it is
// put back or configured otherwise.
func TestARemovedPluginStaysOutUntilItIsConfiguredOtherwise(t *testing.T) {
	s := newShell(t)
	wasm, err := filepath.Abs(allowlist)
	if err != nil {
		t.Fatal(err)
	}
	guard := "plugins: {guard: {hooks: [navigate], path: " + wasm + ", config: {allow: ["
	config := s.configure(guard + `"https://a.example"]}}}`)
	d, _ := s.startDaemon("--config", config)
	s.ok("plugin", "remove", "guard", "--drop-hook", "navigate", "--reason", "too strict")
	out := func(when string) {
		t.Helper()
		text, errs, exit := s.run("status")
		if exit != exitDegraded || !strings.Contains(text, "too strict") || !strings.Contains(errs, "plugin guard, which is configured, was removed") {
			t.Errorf("%s: exit %d\n%s%s", when, exit, text, errs)
		}
		if code, _ := s.refused(exitFailed, "plugin", "history", "guard"); code != "unknown_plugin" {
			t.Errorf("%s it is back: %s", when, code)
		}
	}
	out("removed")
	s.run("reload")
	out("after a reload")
	kill(d)
	d, _ = s.startDaemon("--config", config)
	out("after a restart")

	s.ok("plugin", "add", "guard")
	if p := s.info("guard"); p.State != "serving" {
		t.Errorf("put back: %+v", p)
	}
	if _, errs, exit := s.run("status"); exit != exitOK {
		t.Errorf("put back, status says %s", errs)
	}
	if list := s.history("guard"); len(list) != 2 {
		t.Errorf("its history is %+v", list)
	}
	s.ok("plugin", "remove", "guard", "--drop-hook", "navigate")
	s.configure(guard + `"https://b.example"]}}}`)
	s.ok("reload")
	if p := s.info("guard"); p.State != "serving" {
		t.Errorf("configured otherwise: %+v", p)
	}
	d.end(syscall.SIGTERM)
}

// A tool that agents have is not taken from them by the way.
func TestAToolOfAgentsIsOnlyDroppedByName(t *testing.T) {
	s := newShell(t)
	headings, err := filepath.Abs("../../plugins/examples/dist/page-headings.wasm")
	if err != nil {
		t.Fatal(err)
	}
	config := s.configure("toolsets: [browser]\nplugins: {headings: {hooks: [tool, dialog], capabilities: [page], path: " + headings + "}}")
	d, _ := s.startDaemon("--config", config)
	abstains := filepath.Join(fixtures, "dialog_only.wasm")
	s.ok("plugin", "swap", "headings", abstains, "--drop-hook", "tool")
	s.ok("plugin", "rollback", "headings", "--drop-hook", "dialog")

	s.configure("toolsets: [browser, headings]\nplugins: {headings: {hooks: [tool, dialog], capabilities: [page], path: " + headings + "}}")
	s.ok("reload")
	for name, args := range map[string][]string{
		"swap":   {"plugin", "swap", "headings", abstains, "--drop-hook", "tool"},
		"remove": {"plugin", "remove", "headings", "--drop-hook", "tool"},
	} {
		if code, text := s.refused(exitFailed, args...); code != "plugin_refused" || !strings.Contains(text, "page_headings") || !strings.Contains(text, "--drop-tool") {
			t.Errorf("%s: %s: %s", name, code, text)
		}
	}
	s.ok("plugin", "swap", "headings", abstains, "--drop-hook", "tool", "--drop-tool", "page_headings")
	d.end(syscall.SIGTERM)
}
