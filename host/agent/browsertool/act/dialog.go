package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// DialogParams are the parameters of browser_dialog.
type DialogParams struct {
	// Action is accept or dismiss.
	Action string `json:"action" enum:"accept,dismiss" need:"yes"`
	// PromptText is what an accepted prompt returns; nil: the page's default text. In a dialog to sign in, it is the
	// e-mail address of the account, or its id or name; nil: the only account.
	PromptText *string `json:"prompt_text,omitempty"`
	// DialogID is the dialog to answer; empty: the only open one.
	DialogID string `json:"dialog_id,omitempty"`
	// Arm keeps the answer for the next dialog instead, for ExpiresS seconds (0: 60; at most a day).
	Arm bool `json:"arm,omitempty"`
	// Repeat keeps the answer for every later dialog as well, of the same type if one is open, until it expires: for a
	// page that opens one after the other.
	Repeat   bool    `json:"repeat,omitempty"`
	ExpiresS float64 `json:"expires_s,omitempty" min:"0.001" max:"86400" list:"no"`
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// DialogResult is the result of browser_dialog.
type DialogResult struct {
	// Action is what was done or will be done.
	Action string `json:"action"`
	// Dialog is the closed dialog; nil if the answer was armed.
	Dialog *result.DialogInfo `json:"dialog,omitempty"`
	// SignIn is the closed dialog to sign in, if it was one of the browser's own.
	SignIn *toolkit.SignInInfo `json:"sign_in,omitempty" schema:"-"`
	// Armed is the armed answer; nil if a dialog was answered, and no other will be.
	Armed *host.ArmedAnswer `json:"armed,omitempty"`
	// Observed is what changed on the page, if that was asked for.
	Observed  *toolkit.Observed `json:"observed,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`

	alike int // how many such dialogs of the tab were closed within a minute
}

// Dialog answers a dialog, or arms an answer for the next one. It returns once the browser has confirmed. Errors are
// those of [host.Task.RespondDialog] and [host.Task.ArmDialog].
func (k *Kit) Dialog(ctx context.Context, p DialogParams) (DialogResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	switch {
	case p.Action != "accept" && p.Action != "dismiss":
		return DialogResult{}, result.BadArgument("action", "%q is neither accept nor dismiss", p.Action)
	case p.PromptText != nil && p.Action == "dismiss":
		return DialogResult{}, result.BadArgument("prompt_text", "a dismissed prompt returns no text; accept it, or leave prompt_text out")
	case p.Arm && p.DialogID != "":
		return DialogResult{}, result.BadArgument("dialog_id", "the next dialog has no id yet; leave it out, or arm")
	case p.Arm:
		return k.arm(ctx, p, "")
	case p.ExpiresS != 0 && !p.Repeat:
		return DialogResult{}, result.BadArgument("expires_s", "it is only for armed answers; leave it out, or set arm or repeat")
	}
	if k.Task.Snapshot().AnswersSignIn(p.DialogID) {
		return k.signIn(ctx, p)
	}
	var repeated DialogResult
	if p.Repeat { // before the answer: the next dialog may open at once
		var err error
		if repeated, err = k.arm(ctx, p, k.openType(p.DialogID)); err != nil {
			return DialogResult{}, err
		}
	}
	d, err := k.Task.RespondDialog(ctx, host.DialogResponse{DialogID: p.DialogID, Accept: p.Action == "accept", PromptText: p.PromptText})
	if err != nil {
		if p.Repeat {
			_, wrong := k.Task.DisarmDialog(context.WithoutCancel(ctx))
			err = errors.Join(err, wrong)
		}
		return DialogResult{}, err
	}
	info := result.Dialog(d)
	out := DialogResult{Action: p.Action, Dialog: &info, Armed: repeated.Armed, alike: k.alike(d), Untrusted: &result.Untrusted{Origin: d.Origin, Fields: []string{"dialog"}}}
	if p.Observes(k.Kit) {
		out.Observed = k.Observe(ctx, d.TargetID, "")
		out.Untrusted.Fields = append(out.Untrusted.Fields, "observed")
	}
	return out, nil
}

// signIn answers a dialog to sign in.
func (k *Kit) signIn(ctx context.Context, p DialogParams) (DialogResult, error) {
	if p.Repeat {
		return DialogResult{}, result.BadArgument("repeat", "the browser's own dialog to sign in is answered once; leave it out")
	}
	answer := host.SignInResponse{ID: p.DialogID, Accept: p.Action == "accept"}
	if p.PromptText != nil {
		answer.Account = *p.PromptText
	}
	in, err := k.Task.RespondSignIn(ctx, answer)
	if err != nil {
		return DialogResult{}, err
	}
	info := k.Kit.SignIn(in)
	out := DialogResult{Action: p.Action, SignIn: &info, Untrusted: k.Untrusted(in.TargetID, "sign_in")}
	if p.Observes(k.Kit) {
		out.Observed = k.Observe(ctx, in.TargetID, "")
		out.Untrusted.Fields = append(out.Untrusted.Fields, "observed")
	}
	return out, nil
}

// openType is the type of an open dialog; empty: there is none, or not only one.
func (k *Kit) openType(id string) host.DialogType {
	open := slices.DeleteFunc(slices.Clone(k.Task.Snapshot().PendingDialogs), func(d host.Dialog) bool { return id != "" && d.ID != id })
	if len(open) != 1 {
		return ""
	}
	return open[0].Type
}

// alike counts the dialogs of a tab and a type that were closed within a minute.
func (k *Kit) alike(d host.Dialog) (n int) {
	for _, other := range k.Task.Snapshot().RecentDialogs {
		if other.Type == d.Type && other.TargetID == d.TargetID && d.ClosedAt.Sub(other.ClosedAt.Time) < time.Minute {
			n++
		}
	}
	return n
}

func (k *Kit) arm(ctx context.Context, p DialogParams, only host.DialogType) (DialogResult, error) {
	armed, err := k.Task.ArmDialog(ctx, host.ArmedAnswer{
		Accept: p.Action == "accept", PromptText: p.PromptText, Type: only, Repeat: p.Repeat, Expires: time.Duration(p.ExpiresS * float64(time.Second)),
	})
	if err != nil {
		return DialogResult{}, err
	}
	return DialogResult{Action: p.Action, Armed: &armed}, nil
}

func (r DialogResult) OwnText() bool { return r.Dialog == nil && r.SignIn == nil }

// Text says what happened to the dialog, and what will happen to others.
func (r DialogResult) Text() string {
	var lines []string
	if r.Dialog != nil {
		lines = append(lines, fmt.Sprintf("%s %s: %s, closed by %s", r.Dialog.ID, r.Dialog.Type, r.Action, r.Dialog.ClosedBy))
	}
	if r.SignIn != nil {
		lines = append(lines, fmt.Sprintf("%s, to sign in: %s", r.SignIn.ID, r.Action))
	}
	if r.Armed != nil {
		which := "the next"
		if r.Armed.Repeat {
			which = "every"
		}
		lines = append(lines, fmt.Sprintf("%s %s until %s will be answered: %s", which, cmp.Or(string(r.Armed.Type), "dialog"), r.Armed.ExpiresAt.UTC().Format(time.RFC3339), r.Action))
	}
	return strings.Join(append(lines, r.Observed.Lines()...), "\n")
}

// manyAlike is after how many dialogs of the same kind within a minute a page is taken to go on with them.
const manyAlike = 3

// Guidance says how to get away from a page that opens one dialog after the other.
func (r DialogResult) Guidance(tools result.Offered) []string {
	lines := r.Observed.Guidance(tools)
	if r.Armed == nil && r.alike >= manyAlike {
		lines = append(lines, fmt.Sprintf("%d such dialogs opened within a minute: repeat: true also answers those that follow, for a minute, so that the page can be used or left", r.alike))
	}
	return lines
}
