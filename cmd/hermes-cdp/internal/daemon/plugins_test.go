//go:build unix

package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// fakeHost takes every module but those that begin with "bad", and writes down what it was asked.
type fakeHost struct {
	t     *testing.T
	asked []string
	err   error    // of every change, if set
	hooks []string // of the plugin mine
	// withdrawn are the plugins that an operator removed.
	withdrawn []string
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (h *fakeHost) Plugins() []host.PluginInfo {
	return []host.PluginInfo{{Name: "mine", SHA256: digest("one"), Hooks: h.hooks}, {Name: "dialog-policy", SHA256: digest("shipped")}}
}

func (h *fakeHost) WithdrawnPlugins() (list []host.WithdrawnPlugin) {
	for _, name := range h.withdrawn {
		list = append(list, host.WithdrawnPlugin{Name: name})
	}
	return list
}

// put loads a module as the real host does: of what the file holds now.
func (h *fakeHost) put(name, path string) (host.PluginGeneration, error) {
	if h.err != nil {
		return host.PluginGeneration{}, h.err
	}
	if path == "" {
		return host.PluginGeneration{SHA256: digest("shipped")}, nil
	}
	wasm, err := os.ReadFile(path)
	if err != nil {
		return host.PluginGeneration{}, &module.LoadError{Step: "read", Module: name, Detail: "there is no file"}
	}
	if strings.HasPrefix(string(wasm), "bad") {
		return host.PluginGeneration{}, &module.LoadError{Step: "parse", Module: name, Detail: "it is bad: build it again"}
	}
	return host.PluginGeneration{SHA256: digest(string(wasm))}, nil
}

func (h *fakeHost) SwapPlugin(_ context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	h.asked = append(h.asked, fmt.Sprintf("swap %s by %s, config %v", name, c.Trigger, c.Config))
	return h.put(name, c.Path)
}

func (h *fakeHost) ConfigurePlugin(_ context.Context, name string, o host.PluginOptions, trigger string) (host.PluginGeneration, error) {
	h.asked = append(h.asked, fmt.Sprintf("set %s by %s, config %v, capabilities %v", name, trigger, o.Config, o.Capabilities))
	return h.put(name, o.Path)
}

func (h *fakeHost) RemovePlugin(_ context.Context, name string) error {
	h.asked = append(h.asked, "remove "+name)
	return h.err
}

// wants checks what was asked since it was last called.
func (h *fakeHost) wants(asked ...string) {
	h.t.Helper()
	if !slices.Equal(h.asked, asked) {
		h.t.Errorf("asked %q, want %q", h.asked, asked)
	}
	h.asked = nil
}

// keep makes a keeper of the plugin mine, whose file holds "one".
func keep(t *testing.T, text string) (k *keeper, h *fakeHost, file string, configured func(string) *config.Config) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "mine.wasm")
	put(t, file, "one")
	configured = func(text string) *config.Config {
		t.Helper()
		path := filepath.Join(dir, "config.yaml")
		put(t, path, text)
		c, _, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	h = &fakeHost{t: t}
	k = newKeeper(h, slog.New(slog.DiscardHandler), configured(text))
	t.Cleanup(k.files.close)
	return k, h, file, configured
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (k *keeper) has(t *testing.T, name, problem string) {
	t.Helper()
	if got := k.Problems()[name]; (got == "") != (problem == "") || !strings.Contains(got, problem) {
		t.Errorf("the problem of %s is %q, want %q", name, got, problem)
	}
}

const mine = "plugins: {mine: {path: mine.wasm, config: {a: 1}}}"

func TestAFileIsTriedOnceForEachContent(t *testing.T) {
	k, h, file, _ := keep(t, mine)
	k.start(t.Context(), false)
	h.wants() // it is what the host has loaded
	look := func() { k.look(t.Context(), "mine", triggerFile) }
	for _, step := range []struct {
		name, content, problem string
		asked                  []string
	}{
		{"a touch", "one", "", nil},
		{"a new module", "two", "", []string{"swap mine by file, config map[a:1]"}},
		{"a touch of it", "two", "", nil},
		{"half of a module", "bad", "step parse: it is bad: build it again", []string{"swap mine by file, config map[a:1]"}},
		{"a touch of what was refused", "bad", "step parse", nil},
		{"more of it", "bad two", "step parse", []string{"swap mine by file, config map[a:1]"}},
		{"all of it", "three", "", []string{"swap mine by file, config map[a:1]"}},
		{"something bad", "bad", "step parse", []string{"swap mine by file, config map[a:1]"}},
		{"back to what serves", "three", "", nil},
	} {
		put(t, file, step.content)
		look()
		if t.Run(step.name, func(t *testing.T) { k.has(t, "mine", step.problem) }); !slices.Equal(h.asked, step.asked) {
			t.Errorf("%s: asked %q, want %q", step.name, h.asked, step.asked)
		}
		h.asked = nil
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	look()
	k.has(t, "mine", "cannot be read")
	put(t, file, "three")
	look()
	k.has(t, "mine", "")
	h.wants()
}

func TestAFileThatChangedBeforeItWasWatchedIsSeen(t *testing.T) {
	k, h, file, _ := keep(t, mine)
	put(t, file, "two")
	k.start(t.Context(), false)
	h.wants("swap mine by file, config map[a:1]")
}

func TestASignatureThatComesLaterIsSeen(t *testing.T) {
	const key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
	k, h, file, _ := keep(t, "plugins: {mine: {path: mine.wasm, public_key: "+key+"}}")
	h.err = &module.LoadError{Step: "signature", Module: "mine", Detail: "it is another's"}
	look := func() { k.look(t.Context(), "mine", triggerFile) }
	put(t, file, "two")
	look()
	h.wants("swap mine by file, config map[]")
	k.has(t, "mine", "signature")
	h.err = nil
	look()
	h.wants()
	put(t, file+".minisig", "of two")
	look()
	h.wants("swap mine by file, config map[]")
	k.has(t, "mine", "")
	put(t, file+".minisig", "of two, again")
	look()
	h.wants()
}

func TestANewConfigurationChangesWhatDiffers(t *testing.T) {
	k, h, file, configured := keep(t, mine)
	configure := func(text string) { k.configure(t.Context(), configured(text)) }

	configure(mine)
	h.wants()
	configure("plugins: {mine: {path: mine.wasm, config: {a: 2}, capabilities: [kv]}, dialog-policy: {}}")
	h.wants("set mine by reload, config map[a:2], capabilities [kv]")
	configure("plugins: {mine: {path: mine.wasm, config: {a: 2}, capabilities: [kv]}, dialog-policy: {config: {policy: x}}}")
	h.wants("set dialog-policy by reload, config map[policy:x], capabilities []")
	put(t, file, "two")
	configure("plugins: {mine: {path: mine.wasm, config: {a: 2}, capabilities: [kv]}, other: {path: mine.wasm}}")
	h.wants("set dialog-policy by reload, config map[], capabilities []", "swap mine by reload, config map[a:2]", "set other by reload, config map[], capabilities []")
	configure("plugins: {other: {path: mine.wasm}}")
	h.wants("remove mine")
	if len(k.Problems()) > 0 {
		t.Errorf("the problems are %v", k.Problems())
	}
}

func TestWhatWasRefusedIsTriedAgain(t *testing.T) {
	const added = "plugins: {mine: {path: mine.wasm, config: {a: 1}}, more: {path: more.wasm, priority: 7}}"
	k, h, file, configured := keep(t, mine)
	more := filepath.Join(filepath.Dir(file), "more.wasm")
	configure := func() { k.configure(t.Context(), configured(added)) }
	add := func(trigger string) string { return "set more by " + trigger + ", config map[], capabilities []" }
	configure()
	h.wants(add("reload"))
	k.has(t, "more", "step read")
	configure()
	h.wants(add("reload")) // who asks for a reload wants to know
	put(t, more, "bad")
	k.look(t.Context(), "more", triggerFile)
	h.wants(add("file")) // with all its options, as it was never in service
	k.has(t, "more", "step parse")
	k.look(t.Context(), "more", triggerFile)
	h.wants()
	put(t, more, "good")
	k.look(t.Context(), "more", triggerFile)
	h.wants(add("file"))
	k.has(t, "more", "")
	put(t, more, "better")
	k.look(t.Context(), "more", triggerFile)
	h.wants("swap more by file, config map[]")
	k.configure(t.Context(), configured("plugins: {more: {path: gone.wasm}}"))
	h.wants(add("reload"), "remove mine")
	k.has(t, "more", "step read")
	k.configure(t.Context(), configured("plugins: {more: {path: more.wasm, priority: 7}}"))
	h.wants() // it is in service still
	k.has(t, "more", "")
}

// A guard that is renamed must not be gone because its successor is refused.
func TestAGuardStaysUntilWhatIsToFollowItServes(t *testing.T) {
	k, h, file, configured := keep(t, mine)
	h.hooks = []string{"hermes_on_navigate", "hermes_on_dialog_closed"}
	const renamed = "plugins: {guard: {path: guard.wasm}}"
	guard := filepath.Join(filepath.Dir(file), "guard.wasm")
	put(t, guard, "bad")
	k.configure(t.Context(), configured(renamed))
	h.wants("set guard by reload, config map[], capabilities []")
	k.has(t, "guard", "step parse")
	k.has(t, "mine", "no other plugin decides on hermes_on_navigate")
	put(t, guard, "good")
	k.look(t.Context(), "guard", triggerFile)
	k.removeUnwanted(t.Context())
	h.wants("set guard by file, config map[], capabilities []", "remove mine")
	if len(k.Problems()) > 0 {
		t.Errorf("the problems are %v", k.Problems())
	}
}

func TestAPluginThatCanNotBeRemovedIsTriedAgain(t *testing.T) {
	k, h, _, configured := keep(t, mine)
	h.err = errors.New("not now")
	k.configure(t.Context(), configured(""))
	h.wants("remove mine")
	k.has(t, "mine", "not now")
	h.err = host.ErrUnknownPlugin // somebody else did
	k.configure(t.Context(), configured(""))
	h.wants("remove mine")
	k.has(t, "mine", "")
}

func TestProblemsHoldNoSecrets(t *testing.T) {
	k, h, _, configured := keep(t, mine)
	h.err = errors.New("GET https://user:secret@host/x?token=secret: 404")
	k.configure(t.Context(), configured("plugins: {far: {url: 'https://user:secret@host/x?token=secret', sha256: "+digest("x")+"}}"))
	if k.has(t, "far", "404"); strings.Contains(k.Problems()["far"], "secret") {
		t.Errorf("the problem is %q", k.Problems()["far"])
	}
}
