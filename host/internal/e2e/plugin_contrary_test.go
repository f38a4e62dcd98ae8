package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// moduleFile writes a module to a file and gives its hash.
func moduleFile(t *testing.T, wasm []byte) (path, sum string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "module.wasm")
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(wasm)
	return path, hex.EncodeToString(hash[:])
}

func TestAContraryDialogModuleChangesWhatThePageGets(t *testing.T) {
	path, sum := moduleFile(t, contrary.Dialog())
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{"dialog-policy": {PluginSource: host.PluginSource{Path: path, SHA256: sum}}}},
		nil, host.TaskOptions{DialogPolicy: "must_respond"})
	w.open("/empty")
	want(t, "the page", w.evaluate("[confirm('c'), prompt('p', 'x')]"), `[true,"contrary"]`)
	for _, d := range w.closed(2) {
		want(t, "closed by", d.ClosedBy, "auto_policy")
		want(t, "rule", d.DecidedBy.Rule, "contrary")
		want(t, "hash", d.DecidedBy.SHA256, sum)
	}
}

func TestAnAddedModuleDecidesBeforeTheShippedOne(t *testing.T) {
	path, sum := moduleFile(t, contrary.Dialog())
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{"mine": {PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookDialog}}}}, nil, host.TaskOptions{})
	w.open("/empty")
	want(t, "the page", w.evaluate("confirm('c')"), "true")
	want(t, "hash", w.closed(1)[0].DecidedBy.SHA256, sum)
}

func TestAContraryFrameModuleChangesWhatTheAgentSees(t *testing.T) {
	path, sum := moduleFile(t, contrary.Frames())
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{"frame-filter": {PluginSource: host.PluginSource{Path: path, SHA256: sum}}}},
		map[string]string{"/page": `<iframe name=a src="/empty"></iframe><iframe name=b src="/empty"></iframe><iframe name=c src="/empty"></iframe>`}, host.TaskOptions{})
	w.open("/page")
	s := w.await("the verdict", func(s *host.Snapshot) bool {
		tree, raw := s.Page().FrameTree, s.Page().RawFrameTree
		return tree != nil && len(raw.Children) == 3 && tree.Revision == raw.Revision
	})
	tree := s.Page().FrameTree
	if len(tree.Children) != 1 || tree.Children[0].Name != "c" || !tree.Truncated {
		t.Errorf("the filtered tree: %s", shared.Dump(tree))
	}
	want(t, "rule", tree.DecidedBy.Rule, "contrary")
	want(t, "hash", tree.DecidedBy.SHA256, sum)
}

func TestAModuleWithAnotherHashIsNotLoaded(t *testing.T) {
	t.Parallel()
	path, _ := moduleFile(t, contrary.Dialog())
	_, other := moduleFile(t, contrary.Frames())
	h, err := host.New(t.Context(), &host.Options{Plugins: map[string]host.PluginOptions{"dialog-policy": {PluginSource: host.PluginSource{Path: path, SHA256: other}}}})
	if err == nil {
		_ = h.Close(t.Context())
		t.Fatal("a module with another hash than the configured one was loaded")
	}
}
