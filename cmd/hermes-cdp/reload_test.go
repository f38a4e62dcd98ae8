//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that the daemon would refuse takes no command away, and reload says why it is refused.
func TestReload(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, ".config", "hermes-cdp", "config.yaml")
	writeFile(t, file, []byte("log: {level: info}\n"))
	d, at := s.startDaemon()
	s.says(exitOK, "configuration", "", "reload")
	for text, problem := range map[string]string{
		"browser: {headles: true}\n":                            "browser.headles is no key",
		"plugins: {mine: {hooks: [dialog]}}\nlog: {level: x}":   "2 problems",
		"log: {level: info\n":                                   "line",
		"plugins: {mine: {hooks: [dialog], path: none.wasm}}\n": "none.wasm",
	} {
		writeFile(t, file, []byte(text))
		out, errs, exit := s.run("reload")
		if exit != exitDegraded || !strings.Contains(out, problem) || !strings.Contains(errs, "the daemon does not match its configuration") {
			t.Errorf("%q: exit %d\n%s%s", text, exit, out, errs)
		}
		if _, errs, exit := s.run("plugin", "history", "dialog-policy"); exit != exitOK {
			t.Errorf("%q takes commands away: %s", text, errs)
		}
	}
	writeFile(t, file, []byte("log: {level: info}\n"))
	s.says(exitOK, "configuration", "", "reload")
	// What is wrong on the command line, or where the daemon is, stays an error.
	s.says(exitUsage, "", "browser.headles is no key", "status", "--set", "browser.headles=true")
	writeFile(t, file, []byte("control: {sockt: x}\n"))
	s.says(exitUsage, "", "control.sockt is no key", "status")
	s.leavesNothing(d, at, syscall.SIGTERM)
}
