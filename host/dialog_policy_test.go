package host_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// knowing is the shipped dialog policy, which says that it knows these words.
func knowing(t *testing.T, words ...string) host.PluginChange {
	t.Helper()
	shipped, _ := plugins.Module(plugins.DialogPolicy)
	m, _, err := manifest.Read(shipped)
	if err != nil {
		t.Fatal(err)
	}
	m.DialogPolicies = words
	wasm, err := manifest.Write(shipped, &m)
	if err != nil {
		t.Fatal(err)
	}
	return host.PluginChange{PluginSource: host.PluginSource{Wasm: wasm}}
}

func wantUnknownPolicy(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, host.ErrDialogPolicy) || !strings.Contains(err.Error(), `"auto_acept"; the plugins in service know must_respond, auto_dismiss, auto_accept`) {
		t.Errorf("the error is %v", err)
	}
}

func TestAPolicyThatNoPluginKnowsIsRefusedBeforeAnythingIsDone(t *testing.T) {
	_, err := host.New(t.Context(), &host.Options{DialogPolicy: "auto_acept"})
	wantUnknownPolicy(t, err)
	h := lifeHost(t)
	wantUnknownPolicy(t, h.UseDialogPolicy("auto_acept"))
	// Nothing listens here.
	_, err = h.Attach(t.Context(), "task", "127.0.0.1:1", &host.TaskOptions{DialogPolicy: "auto_acept"})
	wantUnknownPolicy(t, err)
	if _, err = h.Attach(t.Context(), "task", "127.0.0.1:1", &host.TaskOptions{DialogPolicy: "auto_accept"}); err == nil || errors.Is(err, host.ErrDialogPolicy) {
		t.Errorf("one that is known: %v", err)
	}
}

func TestAModuleKnowsThePoliciesThatAreInUse(t *testing.T) {
	h := lifeHost(t)
	if err := h.UseDialogPolicy("auto_accept"); err != nil {
		t.Fatal(err)
	}
	_, err := h.SwapPlugin(t.Context(), "dialog-policy", knowing(t, "strict", "lax"))
	if err == nil || !strings.Contains(err.Error(), `tasks follow the dialog policy "auto_accept", and the module knows strict, lax`) {
		t.Errorf("swapped: %v", err)
	}
	if _, err = h.SwapPlugin(t.Context(), "dialog-policy", knowing(t, "auto_accept", "strict")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.UseDialogPolicy("strict"), h.UseDialogPolicy("")); err != nil {
		t.Error(err)
	}
	if err := h.UseDialogPolicy("auto_dismiss"); !errors.Is(err, host.ErrDialogPolicy) {
		t.Errorf("a word of the module before: %v", err)
	}
	// Another plugin may know more policies; one that declares none may know any.
	other := host.PluginOptions{PluginSource: knowing(t, "lax").PluginSource, Hooks: []abi.Hook{abi.HookDialog}}
	if _, err := h.AddPlugin(t.Context(), "other", other); err != nil {
		t.Fatal(err)
	}
	if err := h.UseDialogPolicy("lax"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(h.UseDialogPolicy(""), h.RemovePlugin(t.Context(), "other")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.SwapPlugin(t.Context(), "dialog-policy", knowing(t)); err != nil {
		t.Fatal(err)
	}
	if err := h.UseDialogPolicy("whatever"); err != nil {
		t.Error(err)
	}
}
