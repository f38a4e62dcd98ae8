package host

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// DialogResponse answers a dialog.
type DialogResponse struct {
	// DialogID is the dialog to answer; empty: the only pending one.
	DialogID string
	// Accept accepts the dialog; otherwise it is dismissed.
	Accept bool
	// PromptText is what an accepted prompt returns to the page; nil: the page's default text.
	PromptText *string
}

// RespondDialog answers a dialog. It returns the closed dialog once the browser has confirmed the answer. Its errors
// are [*DialogError], whose codes are ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone,
// ErrAnswerRefused and ErrAnswerUnconfirmed; ErrBrowserGone; ErrClosed; and the context's. It waits while the host
// reconnects. If ctx ends first, the answer may still take effect.
//
// A dialog that was open when the connection was lost can only be dismissed: accepting it dismisses it and returns
// ErrDialogGone, with a text that says so.
func (t *Task) RespondDialog(ctx context.Context, r DialogResponse) (_ Dialog, err error) {
	defer fault.During("respond_dialog", &err)
	return t.engine.Respond(ctx, r.DialogID, r.Accept, r.PromptText)
}

// SignInResponse answers a dialog of the browser's own to sign in; see [SignIn].
type SignInResponse struct {
	// ID is the dialog to answer; empty: the one over the tab in use, or else the only one.
	ID string
	// Accept signs in, goes to the provider, or takes note of its error; otherwise the dialog is dismissed, and the page
	// is told that it got no account.
	Accept bool
	// Account is the account to sign in with, by its e-mail address, id or name; empty: the only one.
	Account string
}

// RespondSignIn answers a dialog to sign in. It returns the dialog once the browser has closed it; another one may be
// open by then, such as that the provider has refused. Its errors are [*DialogError], whose codes are ErrNoDialog,
// ErrUnknownDialog, ErrAmbiguousDialog and ErrDialogGone; ErrBadArguments, which names the accounts; ErrBrowserGone;
// ErrClosed; and the context's.
func (t *Task) RespondSignIn(ctx context.Context, r SignInResponse) (_ SignIn, err error) {
	defer fault.During("respond_sign_in", &err)
	return t.engine.AnswerSignIn(ctx, r.ID, r.Accept, r.Account)
}

// ArmDialog prepares the answer to the task's next dialog before it opens. That dialog is closed by agent under the
// rule "armed", unless the dialog policy's verdict is final, or the policy failed and [Options.DialogFailClosed] is
// set; the dialog then says so. The answer is used once, or with Repeat until it expires, and replaces any answer armed
// before it. A dialog that opens while another is open, or while its page is being left, can only be dismissed and does
// not use up the answer. Errors: ErrDialogType, ErrTask, ErrClosed, and the context's.
func (t *Task) ArmDialog(ctx context.Context, a ArmedAnswer) (_ ArmedAnswer, err error) {
	defer fault.During("arm_dialog", &err)
	kind, ok := abi.ParseDialogType(string(a.Type))
	if !ok && a.Type != "" {
		return ArmedAnswer{}, fmt.Errorf("%w: %q is not one of alert, confirm, prompt, beforeunload", ErrDialogType, a.Type)
	}
	reply, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.ArmDialog{
			Request: id, Task: t.ID(), Answer: supervise.Armed{Accept: a.Accept, Text: a.PromptText, Type: kind, Repeat: a.Repeat}, Expires: a.Expires,
		}
	})
	if err != nil {
		return ArmedAnswer{}, err
	}
	return *view.ArmedOf(reply.Armed), nil
}

// DisarmDialog withdraws the armed answer and returns it, or nil if none was armed.
func (t *Task) DisarmDialog(ctx context.Context) (_ *ArmedAnswer, err error) {
	defer fault.During("disarm_dialog", &err)
	reply, err := t.engine.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.DisarmDialog{Request: id, Task: t.ID()}
	})
	return view.ArmedOf(reply.Armed), err
}

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

// DialogBridge says whether a task's dialogs go through the bridge script instead of being the browser's own.
type DialogBridge string

// The values of [DialogBridge].
const (
	// BridgeAuto, also the empty string, uses the bridge where the backend is known to answer dialogs by itself, or once
	// it is seen to: another client closed a native dialog within a second while its page went on.
	BridgeAuto DialogBridge = "auto"
	// BridgeOn uses the bridge from the task's first document.
	BridgeOn DialogBridge = "on"
	// BridgeOff leaves all dialogs to the browser.
	BridgeOff DialogBridge = "off"
)

// answeringBackends are the domains of providers that close native dialogs before a client can. Subdomains are
// included.
var answeringBackends = []string{"browserbase.com"}

// bridgeMode resolves the setting for a browser's address, which is empty for a launched browser.
func bridgeMode(setting DialogBridge, address string) supervise.BridgeMode {
	switch {
	case setting == BridgeOff:
		return supervise.BridgeOff
	case setting == BridgeOn, answersDialogs(address):
		return supervise.BridgeOn
	default:
		return supervise.BridgeAuto
	}
}

func answersDialogs(address string) bool {
	if !strings.Contains(address, "://") {
		address = "ws://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, backend := range answeringBackends {
		if host == backend || strings.HasSuffix(host, "."+backend) {
			return true
		}
	}
	return false
}

// bridgeToken returns a random 128-bit secret in hex.
func bridgeToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand crashes the program instead
	return hex.EncodeToString(b[:])
}
