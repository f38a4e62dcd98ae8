package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// UseDialogPolicy sets the policy of tasks that start from now on and do not name one. Empty: the plugin's own choice.
// The error is ErrDialogPolicy; nothing has changed then.
func (h *Host) UseDialogPolicy(word string) (err error) {
	defer fault.During("use_dialog_policy", &err)
	if err := h.checkDialogPolicy(word); err != nil {
		return err
	}
	h.dialogPolicy.Store(&word)
	return nil
}

// checkDialogPolicy refuses a word that no plugin in service knows. It accepts any word if no plugin declares its
// policies, or if a plugin is out of service and the host decides in its place.
func (h *Host) checkDialogPolicy(word string) error {
	known, outage := policiesOf(h.plugins.Plugins(), "")
	if word == "" || outage || len(known) == 0 || slices.Contains(known, word) {
		return nil
	}
	return unknownPolicy(word, known)
}

func unknownPolicy(word string, known []string) error {
	return fmt.Errorf("%w %q; the plugins in service know %s, and the default is browser.dialog_policy", ErrDialogPolicy, word, strings.Join(known, ", "))
}

// policiesOf returns the policies that the manifests of the dialog plugins declare, except the plugin named but. outage
// reports that one of them is out of service and the host decides in its place.
func policiesOf(list []lifecycle.Info, but string) (known []string, outage bool) {
	for _, p := range list {
		switch {
		case p.Name == but || !slices.Contains(p.Hooks, abi.HookDialog):
		case p.State != lifecycle.StateServing:
			outage = true
		case p.Manifest != nil:
			known = append(known, p.Manifest.DialogPolicies...)
		}
	}
	return known, outage
}

// checkPolicies refuses a module that does not know the policies that tasks follow: it would leave each of their
// dialogs undecided. A module that declares no policies may know them all.
func (h *Host) checkPolicies(name string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	others, _ := policiesOf(h.plugins.Plugins(), name)
	known := append(slices.Clone(words), others...)
	for _, inUse := range h.policiesInUse() {
		if inUse != "" && !slices.Contains(known, inUse) {
			return fmt.Errorf("tasks follow the dialog policy %q, and the module knows %s; end them or change browser.dialog_policy first",
				inUse, strings.Join(words, ", "))
		}
	}
	return nil
}

func (h *Host) policiesInUse() []string {
	list := []string{h.defaultPolicy()}
	for _, t := range h.Tasks() {
		list = append(list, t.policy)
	}
	return list
}

func (h *Host) defaultPolicy() string {
	if word := h.dialogPolicy.Load(); word != nil {
		return *word
	}
	return ""
}

// policyOf returns the policy that a new task follows.
func (h *Host) policyOf(o TaskOptions) (string, error) {
	word := cmp.Or(o.DialogPolicy, h.defaultPolicy())
	return word, h.checkDialogPolicy(word)
}
