//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// What a module writes while it is tried is marked as that, and is no warning of the daemon. An operator sees and
// changes what a plugin has stored.
func TestTheLogAndTheStoreOfAPluginFromTheShell(t *testing.T) {
	s := newShell(t)
	memory, err := filepath.Abs("../../plugins/examples/dist/dialog-memory.wasm")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := s.startDaemon("--launch")
	// Without the capability for its store it warns on each dialog, and the self-test shows it one.
	add := []string{"plugin", "add", "memory", memory, "--hooks", "dialog,dialog-closed"}
	s.ok(add...)
	const warning = "the answer will not be remembered"
	if log := s.ok("plugin", "logs", "memory"); !strings.Contains(log, "WARN generation 1, trial: "+warning) {
		t.Errorf("the log is %q", log)
	}
	follower := s.start("plugin", "logs", "memory", "--follow")
	follower.stdout.next(t, warning)
	s.ok("plugin", "swap", "memory", memory)
	follower.stdout.next(t, "WARN generation 2, trial: "+warning)
	if exit := follower.end(syscall.SIGINT); exit != exitOK {
		t.Errorf("the follower ended with %d", exit)
	}
	if text := d.stderr.text(); strings.Contains(text, "plugin says") {
		t.Errorf("what a trial is meant to do is in the daemon's log:\n%s", text)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) }))
	t.Cleanup(site.Close)
	s.ok("browser", "navigate", site.URL) // it remembers nothing of a page without an origin
	s.refused(exitBlocked, "eval", "confirm('well?')")
	follower = s.start("plugin", "logs", "memory", "--follow")
	follower.stdout.next(t, "WARN generation 2, service: "+warning)
	follower.end(syscall.SIGINT)
	d.stderr.next(t, "plugin says")
	s.ok("dialog", "dismiss")

	s.ok("plugin", "remove", "memory", "--drop-hook", "dialog-closed")
	s.ok(append(add, "--capability", "kv")...)
	if list := get[control.PluginEntries](s, "plugin", "kv", "list", "memory"); list.Task != "default" || len(list.Entries) != 0 {
		t.Errorf("a new plugin has stored %+v", list)
	}
	s.ok("plugin", "kv", "set", "memory", "a key/?", "a \x1b value")
	if out := s.ok("plugin", "kv", "list", "memory"); !strings.Contains(out, "a key/?") || !strings.Contains(out, "16") {
		t.Errorf("the list is %q", out)
	}
	if out := s.ok("plugin", "kv", "get", "memory", "a key/?"); strings.Contains(out, "\x1b") || !strings.Contains(out, "value") {
		t.Errorf("the value is %q", out)
	}
	if e := get[host.PluginEntry](s, "plugin", "kv", "get", "memory", "a key/?"); string(e.Value) != "a \x1b value" {
		t.Errorf("the entry is %+v", e)
	}
	if out := s.ok("plugin", "kv", "set", "memory", "a key/?", "a \x1b value", "--ttl", "10m"); !strings.Contains(out, "are stored until ") {
		t.Errorf("a value that ends: %q", out)
	}
	list := get[control.PluginEntries](s, "plugin", "kv", "list", "memory")
	if len(list.Entries) != 1 || list.Entries[0].Ends == nil || list.Usage.Bytes != 16 || list.Usage.MaxBytes != abi.DefaultKVTotalBytes || list.Usage.Store != "memory" {
		t.Errorf("the list is %+v", list)
	}
	if code, _ := s.refused(exitUsage, "plugin", "kv", "set", "memory", "key", "value", "--ttl", "9000h"); code != "bad_arguments" {
		t.Errorf("a time to live of more than a year: %s", code)
	}
	s.ok("plugin", "kv", "delete", "memory", "a key/?")
	if code, _ := s.refused(exitUsage, "plugin", "kv", "get", "memory", "a key/?"); code != "bad_arguments" {
		t.Errorf("a deleted entry: %s", code)
	}
	if code, _ := s.refused(exitFailed, "plugin", "kv", "list", "nobody"); code != "unknown_plugin" {
		t.Errorf("a plugin that there is not: %s", code)
	}
	if code, _ := s.refused(exitFailed, "plugin", "kv", "list", "memory", "--task", "nowhere"); code != "unknown_task" {
		t.Errorf("a task that there is not: %s", code)
	}
	if out := s.ok("status"); !strings.Contains(out, "0 calls and 0 faults of this generation, ") || !strings.Contains(out, " in total") {
		t.Errorf("the status is %s", out)
	}
	d.end(syscall.SIGTERM)
}
