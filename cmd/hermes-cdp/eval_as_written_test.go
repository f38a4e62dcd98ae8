//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
)

// The command, and the request that it makes of the daemon, read an expression as a console and the agents' tools do.
func TestEvalReadsAnExpressionAsAConsoleDoes(t *testing.T) {
	s := newShell(t)
	p, _ := s.startDaemon("--launch")
	for _, tc := range [][]string{
		{"() => 6 * 7", "42"},
		{"async () => { await null; return 'late' }", `"late"`},
		{"await Promise.resolve(7)", "7"},
		{"const box = 1; box", "1"},
		{"const box = 2; box", "2"},
		{"{a: 1}", `{"a":1}`},
		{"() => 1", "1", "--world", "isolated"},
		{"await 5", "5", "--no-wait"},
		{"e => e.localName", `"body"`, "--selector", "body"},
	} {
		if got := strings.TrimSpace(s.ok(append([]string{"eval", tc[0]}, tc[2:]...)...)); got != tc[1] {
			t.Errorf("eval %q gives %s, not %s", tc[0], got, tc[1])
		}
	}
	p.end(syscall.SIGTERM)
}
