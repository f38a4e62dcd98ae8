package plugin

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestModulesThatAreRefusedNameTheStepAndTheFix(t *testing.T) {
	cases := []struct {
		fixture string
		step    Step
		want    string
	}{
		{"load_wrong_signature", StepImports, "imports hermes_v1.event_read as (i32) -> i32; its signature is (i32, i32) -> i32"},
		{"load_unknown_import", StepImports, "imports hermes_v1.result_wrote, which this host does not have; did you mean result_write?"},
		{"load_foreign_import", StepImports, `from the module "env"; a plugin may import only from hermes_v1 and wasi_snapshot_preview1`},
		{"load_imported_memory", StepImports, "imports hermes_v1.memory, which this host does not have"},
		{"load_imported_global", StepImports, "imports hermes_v1.features as a global; it is a function"},
		{"load_wasi_unknown", StepImports, "imports wasi_snapshot_preview1.fork, which WASI preview 1 does not have"},
		{"load_no_marker", StepExports, "has no export hermes_abi_v1, which declares version 1 of the ABI; build the plugin with the sdk"},
		{"load_command", StepExports, "it is a command with a main function; build a reactor"},
		{"load_no_hook", StepExports, "exports no hook; it must export at least one of [hermes_on_dialog"},
		{"load_unknown_hook", StepExports, "exports hermes_on_dialogue, which this host does not know; did you mean hermes_on_dialog?"},
		{"load_hook_signature", StepExports, "export hermes_on_dialog is (i32, i32) -> i32; it must be (i32) -> i32"},
		{"load_hook_global", StepExports, "export hermes_on_dialog is a global; it must be a function (i32) -> i32"},
		{"load_no_memory", StepMemory, `does not export its memory as "memory"`},
		{"load_big_memory", StepMemory, "starts with 33554432 bytes of memory, the limit is 16777216; raise the memory limit"},
		{"load_big_table", StepMemory, "declares tables of 1000000 elements; the limit is 131072"},
		{"load_far_data", StepInstantiate, "data[0]: out of bounds memory access"},
		{"start_spin", StepInstantiate, "deadline: ran longer than its limit of 100ms"},
		{"start_trap", StepInstantiate, "trap: "},
		{"start_exit", StepInstantiate, "exit: exited with code 0 while it started; a plugin is a reactor"},
		{"init_spin", StepInit, "deadline: ran longer than its limit of 100ms"},
		{"init_trap", StepInit, "trap: unreachable"},
		{"init_status", StepInit, "bad_status: returned status 1"},
		{"init_error", StepInit, "init: refused its configuration: rule 3 has no action"},
	}
	for _, c := range cases {
		t.Run(c.fixture, func(t *testing.T) {
			source := Source{Name: c.fixture, Bytes: fixture(t, c.fixture), Limits: Limits{InitTimeout: time.Minute, Fuel: noLimit}}
			if strings.HasSuffix(c.fixture, "_spin") {
				source.Limits.InitTimeout = 100 * time.Millisecond
			}
			m, err := Load(context.Background(), source, Options{})
			if err == nil {
				m.Close()
				t.Fatal("it was loaded")
			}
			var load *LoadError
			if !errors.As(err, &load) {
				t.Fatalf("error is %T: %v", err, err)
			}
			if load.Step != c.step || !strings.Contains(load.Detail, c.want) {
				t.Errorf("refused at %s: %q, want %s: %q", load.Step, load.Detail, c.step, c.want)
			}
			if load.Module != c.fixture || load.SHA256 != hashHex(source.Bytes) {
				t.Errorf("the error names %s, %s", load.Module, load.SHA256)
			}
		})
	}
}

// Each of these hides an endless loop from a metering that reads the module otherwise than the engine, or names the
// fuel.
func TestModulesThatEvadeTheMeterAreRefusedWithTheInstruction(t *testing.T) {
	for name, want := range map[string]string{
		"simd":      "the SIMD instruction 0xfd 12 at byte 88",
		"blocktype": "a number of more than 33 bits at byte 85",
		"fuel":      "global 0 of 0 at byte 94",
	} {
		t.Run(name, func(t *testing.T) {
			wasm, err := os.ReadFile(filepath.Join("wasmfile", "testdata", "evasion-"+name+".wasm"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Load(context.Background(), Source{Name: name, Bytes: wasm}, Options{})
			if err == nil {
				m.Close()
				t.Fatal("it was loaded")
			}
			var load *LoadError
			if !errors.As(err, &load) || load.Step != StepCompile || !strings.Contains(load.Detail, want) {
				t.Errorf("error is %v, want one with %q", err, want)
			}
		})
	}
}

// An entry takes a few bytes of the file, and more memory than that, which no other limit counts.
func TestAModuleWithTooManyEntriesIsRefused(t *testing.T) {
	const one = maxDefinitions + 1
	list := func(n int, entries string) []byte { return append(binary.AppendUvarint(nil, uint64(n)), entries...) }
	for what, sections := range map[string]map[byte][]byte{
		"types":            {1: list(2+one, "\x60\x00\x00\x60\x01\x7f\x01\x7f"+strings.Repeat("\x60\x00\x00", one))},
		"functions":        {3: list(2+one, "\x00\x01"+strings.Repeat("\x00", one)), 10: list(2+one, markerAndHook+strings.Repeat("\x02\x00\x0b", one))},
		"tables":           {4: list(one, strings.Repeat("\x70\x00\x00", one))},
		"globals":          {6: list(one, strings.Repeat("\x7f\x00\x41\x00\x0b", one))},
		"element segments": {9: list(one, strings.Repeat("\x01\x00\x00", one))},
		"data segments":    {11: list(one, strings.Repeat("\x01\x00", one))},
	} {
		t.Run(what, func(t *testing.T) {
			m, err := Load(context.Background(), Source{Name: "m", Bytes: assembled(sections)}, Options{})
			if err == nil {
				m.Close()
				t.Fatal("it was loaded")
			}
			var load *LoadError
			if !errors.As(err, &load) || load.Step != StepMemory || !strings.Contains(load.Detail, what+"; the limit is 100000") {
				t.Errorf("error is %v", err)
			}
		})
	}
	m, err := Load(context.Background(), Source{Name: "m", Bytes: assembled(nil)}, Options{})
	if err != nil {
		t.Fatal("the module itself:", err)
	}
	m.Close()
}

const markerAndHook = "\x02\x00\x0b\x04\x00\x41\x01\x0b" // the bodies of its two functions

// assembled returns a module for dialogs, with some of its sections replaced or added.
func assembled(sections map[byte][]byte) []byte {
	has := map[byte][]byte{
		1: []byte("\x02\x60\x00\x00\x60\x01\x7f\x01\x7f"), 3: []byte("\x02\x00\x01"), 5: []byte("\x01\x00\x01"),
		7:  []byte("\x03\x06memory\x02\x00\x0dhermes_abi_v1\x00\x00\x10hermes_on_dialog\x00\x01"),
		10: []byte("\x02" + markerAndHook),
	}
	maps.Copy(has, sections)
	wasm := []byte("\x00asm\x01\x00\x00\x00")
	for _, id := range slices.Sorted(maps.Keys(has)) {
		wasm = append(binary.AppendUvarint(append(wasm, id), uint64(len(has[id]))), has[id]...)
	}
	return wasm
}

func TestReadingAModule(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ok.wasm")
	if err := os.WriteFile(path, fixture(t, "ok"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		source Source
		step   Step
		want   string
	}{
		"a file that is not there":            {Source{Path: filepath.Join(dir, "no.wasm")}, StepRead, "check the plugin's path"},
		"a directory":                         {Source{Path: dir}, StepRead, "is a directory; name the .wasm file in it"},
		"no source at all":                    {Source{}, StepRead, "neither a path nor bytes are given"},
		"a file over the size limit":          {Source{Path: path, Limits: Limits{ModuleBytes: 16}}, StepRead, "the limit is 16; strip its debug sections"},
		"bytes over the size limit":           {Source{Bytes: fixture(t, "ok"), Limits: Limits{ModuleBytes: 16}}, StepRead, "the limit is 16"},
		"a file that is not WebAssembly":      {Source{Bytes: []byte("#!/bin/sh")}, StepParse, `no "\0asm" magic`},
		"a pin that is not a hash":            {Source{Path: path, SHA256: "abc"}, StepPin, `the pinned sha256 "abc" is not 64 hexadecimal digits`},
		"code that does not pass validation":  {Source{Bytes: invalidCode(t)}, StepCompile, "invalid"},
		"a manifest with a hook not exported": {Source{Bytes: withManifest(t, "dialog_only", "hermes_on_dialog", "hermes_filter_frames")}, StepManifest, "names the hook hermes_filter_frames, which is not exported"},
		"a manifest without an exported hook": {Source{Bytes: withManifest(t, "ok", "hermes_on_dialog", "hermes_filter_frames")}, StepManifest, "hermes_on_dialog_closed is exported, but the manifest does not name it"},
		"a manifest with a bad key":           {Source{Bytes: withCustom(fixture(t, "ok"), abi.ManifestSection, (&abi.Manifest{Name: "m", Version: "1"}).Append(nil))}, StepManifest, `manifest: version: "1"; want a semantic version`},
		"a manifest without tools for a hook": {Source{Bytes: withManifest(t, "ok", "hermes_tool_call")}, StepManifest, "manifest: tools: want at least one"},
		"a capability that does not exist":    {Source{Bytes: fixture(t, "ok"), Capabilities: []abi.Capability{"kv", "files"}}, StepManifest, `capabilities: grants "files", which does not exist; known are [kv state page]`},
		"a manifest that is not readable":     {Source{Bytes: withCustom(fixture(t, "ok"), abi.ManifestSection, []byte{0xff})}, StepManifest, "is not a manifest"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.source.Name = "m"
			m, err := Load(context.Background(), c.source, Options{})
			if err == nil {
				m.Close()
				t.Fatal("it was loaded")
			}
			var load *LoadError
			if !errors.As(err, &load) || load.Step != c.step || !strings.Contains(load.Detail, c.want) {
				t.Errorf("error is %v, want step %s: %q", err, c.step, c.want)
			}
		})
	}
}

// invalidCode returns a module whose structure is right and whose code leaves nothing on the stack.
func invalidCode(t *testing.T) []byte {
	wasm := fixture(t, "abstain")
	at := bytes.LastIndex(wasm, []byte{0x41, 0x01, 0x0b}) // i32.const 1, end
	return append(append(append([]byte{}, wasm[:at]...), 0x01, 0x01, 0x0b), wasm[at+3:]...)
}

func withCustom(wasm []byte, name string, content []byte) []byte {
	section := append([]byte{byte(len(name))}, name...)
	section = append(section, content...)
	out := binary.AppendUvarint(append(bytes.Clone(wasm), 0), uint64(len(section)))
	return append(out, section...)
}

func withManifest(t *testing.T, name string, hooks ...string) []byte {
	m := abi.Manifest{Name: "m", Version: "1.0.0", Hooks: hooks}
	return withCustom(fixture(t, name), abi.ManifestSection, m.Append(nil))
}

func TestAPinNamesBothHashes(t *testing.T) {
	wasm := fixture(t, "ok")
	other := hashHex([]byte("another file"))
	_, err := Load(context.Background(), Source{Name: "m", Bytes: wasm, SHA256: other}, Options{})
	if err == nil || !strings.Contains(err.Error(), other) || !strings.Contains(err.Error(), hashHex(wasm)) {
		t.Errorf("error is %v, want one with both hashes", err)
	}
	for _, pin := range []string{hashHex(wasm), strings.ToUpper(hashHex(wasm)), "sha256:" + hashHex(wasm)} {
		m, err := Load(context.Background(), Source{Name: "m", Bytes: wasm, SHA256: pin}, Options{})
		if err != nil {
			t.Errorf("with the pin %s: %v", pin, err)
			continue
		}
		m.Close()
	}
}

func TestALoadedModuleSaysWhatItIs(t *testing.T) {
	wasm := withManifest(t, "dialog_only", "hermes_on_dialog")
	m, err := Load(context.Background(), Source{Name: "policy", Bytes: wasm, Config: []byte("config")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	info := m.Info()
	if info.Name != "policy" || info.SHA256 != hashHex(wasm) || info.ConfigSHA256 != hashHex([]byte("config")) ||
		info.Bytes != len(wasm) || info.Manifest == nil || info.Manifest.Version != "1.0.0" {
		t.Errorf("info is %+v", info)
	}
	if !m.Serves(abi.HookDialog) || m.Serves(abi.HookFrames) || m.Serves("hermes_on_nothing") {
		t.Errorf("serves %v", info.Hooks)
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	// Longer than the way to hermes_init takes on a busy machine.
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := Load(ctx, Source{Name: "m", Bytes: fixture(t, "init_spin"), Limits: Limits{InitTimeout: time.Hour, Fuel: noLimit}}, Options{})
	fault := faultOf(t, err)
	if fault.Kind != FaultCanceled || !errors.Is(err, context.DeadlineExceeded) || fault.Hook != abi.ExportInit {
		t.Errorf("fault is %v", fault)
	}
}

func TestEventAndResultBelongToHookCalls(t *testing.T) {
	load(t, "init_calls", Limits{})
}

func TestAStartFunctionMayReadTheConfigurationAndLog(t *testing.T) {
	for _, name := range []string{"start_calls", "start_section_calls"} {
		r := newRecorder(slog.LevelDebug)
		load(t, name, Limits{}, logTo(r), func(s *Source, _ *Options) { s.Config = []byte("the configuration") })
		if lines := r.said("plugin says"); len(lines) != 1 || lines[0]["text"] != "the configuration" {
			t.Errorf("%s logged %v", name, lines)
		}
	}
}
