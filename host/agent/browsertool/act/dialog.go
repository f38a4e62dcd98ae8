package act

import (
	"context"
	"fmt"
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
	// PromptText is what an accepted prompt returns; nil: the page's default text.
	PromptText *string `json:"prompt_text,omitempty"`
	// DialogID is the dialog to answer; empty: the only open one.
	DialogID string `json:"dialog_id,omitempty"`
	// Arm keeps the answer for the next dialog instead, for ExpiresS seconds (0: 60; at most a day).
	Arm      bool    `json:"arm,omitempty"`
	ExpiresS float64 `json:"expires_s,omitempty" min:"0.001" max:"86400"`
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// DialogResult is the result of browser_dialog.
type DialogResult struct {
	// Action is what was done or will be done.
	Action string `json:"action"`
	// Dialog is the closed dialog; nil if the answer was armed.
	Dialog *result.DialogInfo `json:"dialog,omitempty"`
	// Armed is the armed answer; nil if a dialog was answered.
	Armed *host.ArmedAnswer `json:"armed,omitempty"`
	// Observed is what changed on the page, if that was asked for.
	Observed  *toolkit.Observed `json:"observed,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
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
		return k.arm(ctx, p)
	case p.ExpiresS != 0:
		return DialogResult{}, result.BadArgument("expires_s", "it is only for armed answers; leave it out, or set arm")
	}
	d, err := k.Task.RespondDialog(ctx, host.DialogResponse{DialogID: p.DialogID, Accept: p.Action == "accept", PromptText: p.PromptText})
	if err != nil {
		return DialogResult{}, err
	}
	info := result.Dialog(d)
	out := DialogResult{Action: p.Action, Dialog: &info, Untrusted: &result.Untrusted{Origin: d.Origin, Fields: []string{"dialog"}}}
	if p.Observes(k.Kit) {
		out.Observed = k.Observe(ctx, d.TargetID, "")
		out.Untrusted.Fields = append(out.Untrusted.Fields, "observed")
	}
	return out, nil
}

func (k *Kit) arm(ctx context.Context, p DialogParams) (DialogResult, error) {
	armed, err := k.Task.ArmDialog(ctx, host.ArmedAnswer{
		Accept: p.Action == "accept", PromptText: p.PromptText, Expires: time.Duration(p.ExpiresS * float64(time.Second)),
	})
	if err != nil {
		return DialogResult{}, err
	}
	return DialogResult{Action: p.Action, Armed: &armed}, nil
}

func (r DialogResult) OwnText() bool { return r.Dialog == nil }

// Text says what happened to the dialog.
func (r DialogResult) Text() string {
	if r.Dialog == nil {
		return fmt.Sprintf("the next dialog until %[2]s will be answered: %[1]s", r.Action, r.Armed.ExpiresAt.UTC().Format(time.RFC3339))
	}
	done := fmt.Sprintf("%s %s: %s, closed by %s", r.Dialog.ID, r.Dialog.Type, r.Action, r.Dialog.ClosedBy)
	return strings.Join(append([]string{done}, r.Observed.Lines()...), "\n")
}

func (r DialogResult) Guidance(tools result.Offered) []string { return r.Observed.Guidance(tools) }
