package e2e

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

func TestAContraryBridgeModuleWorksAsWell(t *testing.T) {
	t.Parallel()
	path, sum := moduleFile(t, contrary.Bridge())
	options := host.Options{Plugins: map[string]host.PluginOptions{"bridge-script": {PluginSource: host.PluginSource{Path: path, SHA256: sum}}}}
	w := newWorldOn(t, common.Address(t), options, nil, host.TaskOptions{DialogBridge: host.BridgeOn})
	w.open("/empty")
	w.start("report('said', [String(alert('A & B')), confirm('C'), prompt('P', 'preset'), prompt('P', 'preset'), prompt('P')])")
	for _, next := range []struct {
		kind, message, fallback string
		answer                  host.DialogResponse
	}{
		{"alert", "A & B", "", host.DialogResponse{Accept: true}},
		{"confirm", "C", "", host.DialogResponse{Accept: true}},
		{"prompt", "P", "preset", host.DialogResponse{Accept: true}},
		{"prompt", "P", "preset", host.DialogResponse{Accept: true, PromptText: ptr("100 % ä\n")}},
		{"prompt", "P", "", host.DialogResponse{}},
	} {
		d := w.dialog()
		want(t, "type", d.Type, host.DialogType(next.kind))
		want(t, "message", d.Message, next.message)
		want(t, "default", d.DefaultPrompt, next.fallback)
		want(t, "via", d.Via, request)
		w.answer(next.answer)
	}
	want(t, "the page", w.reported("said"), `["undefined",true,"preset","100 % ä\n",null]`)
	counted := w.host.Counters()
	want(t, "proven", counted.Bridge.Proven[request], 5)
	want(t, "refused", len(counted.Bridge.Refused), 0)
}

// What the bridge's module says stays the module's: the host has neither its address nor a piece of its script.
func TestTheHostKnowsNothingOfTheBridgesProtocol(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join("..", "..", "..", "plugins", "bridge-script", "shim.js"))
	if err != nil {
		t.Fatal(err)
	}
	pieces := [][]byte{[]byte("hermes-bridge"), []byte("contrary-dialogs")}
	for line := range strings.Lines(string(script)) {
		if line = strings.TrimSpace(line); len(line) >= 20 && !strings.HasPrefix(line, "//") {
			pieces = append(pieces, []byte(line))
		}
	}
	if len(pieces) < 50 {
		t.Fatalf("only %d pieces", len(pieces))
	}
	files := 0
	err = filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, piece := range pieces {
			if bytes.Contains(text, piece) {
				t.Errorf("%s has %q", path, piece)
			}
		}
		files++
		return err
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}
