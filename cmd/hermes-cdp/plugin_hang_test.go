//go:build unix

package main

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hanging are modules whose loop has no end and, in an engine that reads them otherwise than the meter, no charge
// either. The first has a sub-opcode of the vector instructions in two bytes, the second a block type in more than
// five.
var hanging = map[string]string{
	"sub-opcode": "0061736d0100000001090260000060017f017f03030200010503010001072d03066d656d6f727902000d6865726d65735f6162695f76310000" +
		"106865726d65735f6f6e5f6469616c6f6700010a210202000b1c0002400c00fd8c000b03400c000b024001010101010101010b41010b",
	"block type": "0061736d0100000001090260000060017f017f03030200010503010001072d03066d656d6f727902000d6865726d65735f6162695f76310000" +
		"106865726d65735f6f6e5f6469616c6f6700010a1d0202000b180002c0ffffffff0b02c0ffffffff037e0c000b1a0b41010b",
}

// tinyLoops is a module whose meter is in order, and which takes the engine's compiler a hundred times its size.
const tinyLoops = "tiny loops"

// trialIsSmall makes a trial end soon for such a module, and for one that hangs.
var trialIsSmall = []string{"--set=plugin_trial_timeout_s=50", "--set=plugin_trial_memory_mb=64"}

// hangingModule writes such a module into the shell's directory.
func (s *shell) hangingModule(name string) (file string) {
	s.t.Helper()
	text := hanging[name]
	if name == tinyLoops { // with the head of another
		head, _, _ := strings.Cut(hanging["block type"], "0a1d02")
		hook := "00" + strings.Repeat("03400b", 350_000) + "41010b"
		code := "02" + "02000b" + sized(hook)
		text = head + "0a" + sized(code)
	}
	wasm, err := hex.DecodeString(text)
	if err != nil {
		s.t.Fatal(err)
	}
	file = filepath.Join(s.dir, "hangs.wasm")
	writeFile(s.t, file, wasm)
	return file
}

// sized is a text in hexadecimal after its length in bytes.
func sized(text string) string {
	return hex.EncodeToString(binary.AppendUvarint(nil, uint64(len(text)/2))) + text
}

// modulesThatHang are their names.
func modulesThatHang() []string { return append(slices.Sorted(maps.Keys(hanging)), tinyLoops) }

// endsOn runs a command that must end by itself with an error about the module.
func (s *shell) endsOn(name string, args ...string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	cmd := s.command(args...)
	killable := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	killable.Env = cmd.Env
	out, err := killable.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		s.t.Errorf("%v does not end", args)
	case err == nil:
		s.t.Errorf("%v accepts the module: %s", args, out)
	case !strings.Contains(string(out), "refused at step") && !strings.Contains(string(out), "failed  "):
		s.t.Errorf("%v says %s", args, out)
	case name == tinyLoops && !strings.Contains(string(out), "MiB of memory, over its limit of 96 MiB"):
		s.t.Errorf("%v does not say what was used: %s", args, out)
	}
}

// journalOf is a journal with one call of a plugin.
func (s *shell) journalOf(name string) (file string) {
	s.t.Helper()
	file = filepath.Join(s.dir, "calls.jsonl")
	writeFile(s.t, file, []byte(`{"kind":"header","format":1,"started":"2026-01-02T03:04:05Z"}
{"kind":"config","hash":"none","config":{}}
{"kind":"call","sequence":1,"time":"2026-01-02T03:04:06Z","task":"default","hook":"hermes_on_dialog","plugin":"`+name+`","sha256":"aa",`+
		`"config_hash":"none","event":{"header":{"sequence":1},"dialog_id":"d-1","type":"confirm"},"outcome":"abstained","duration_ns":5000,"fuel":10}
`))
	return file
}

func TestNoVerbHangsOnAModuleThatDoes(t *testing.T) {
	for _, name := range modulesThatHang() {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			file := s.hangingModule(name)
			table := filepath.Join(s.dir, "golden.json")
			writeFile(t, table, []byte(`{"hook": "hermes_on_dialog", "cases": [{"name": "any", "event": {"type": "alert"}, "abstain": true}]}`))
			ends := func(args ...string) {
				t.Helper()
				s.endsOn(name, append(args, trialIsSmall...)...)
			}
			ends("plugin", "check", file)
			ends("plugin", "run", file)
			ends("plugin", "bench", file)
			ends("plugin", "test", s.dir, "--module", file, "--table", table)
			ends("plugin", "diff", file, file, "--events", table)
			ends("plugin", "replay", "--journal", s.journalOf("hangs"), "--plugin", file)
			ends("run", "--strict", "--set=plugins.mine.path="+file, "--set=plugins.mine.hooks=dialog")
		})
	}
}

func TestADaemonRefusesAModuleThatHangsAndServesOn(t *testing.T) {
	for _, name := range modulesThatHang() {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			mine := filepath.Join(s.dir, "mine.wasm")
			s.replace(mine, readFixture(t, "abstain"))
			s.startDaemon("--config", s.configure("plugins: {mine: {path: mine.wasm, hooks: [dialog], extra_hooks: ignore}}\nplugin_trial_timeout_s: 50\nplugin_trial_memory_mb: 64\njournal: {dir: journal}"))
			file := s.hangingModule(name)
			s.endsOn(name, "plugin", "swap", "mine", file)
			s.endsOn(name, "plugin", "shadow", "mine", file)
			if got := s.info("mine"); got.State != "serving" || got.Generation != 1 {
				t.Errorf("the plugin is %+v", got)
			}
		})
	}
}
