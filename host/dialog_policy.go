package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// ErrDialogPolicy says that no plugin in service knows a dialog policy of that name.
var ErrDialogPolicy = errors.New("unknown dialog policy")

// UseDialogPolicy makes a policy that of tasks which are started from now on and name none; empty: the plugin's own choice. The
// error is ErrDialogPolicy; nothing changed then.
func (h *Host) UseDialogPolicy(word string) error {
	if err := h.checkDialogPolicy(word); err != nil {
		return err
	}
	h.dialogPolicy.Store(&word)
	return nil
}

// checkDialogPolicy refuses a word that no plugin in service knows. Where none of them says which it knows, and where the host
// decides in their place, any word is as good as another.
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

// policiesOf are the words that the dialog plugins know by their manifests, but for the one that is named. Outage tells that the
// host decides in the place of one.
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

// checkPolicies refuses a module that does not know the policies that tasks follow, as each of their dialogs would be left
// undecided by it. One that does not say which it knows may know them.
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

// policyOf is the policy that a new task follows.
func (h *Host) policyOf(o TaskOptions) (string, error) {
	word := cmp.Or(o.DialogPolicy, h.defaultPolicy())
	return word, h.checkDialogPolicy(word)
}
