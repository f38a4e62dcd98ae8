// Package policy is the work of both guests: a dialog event in, a verdict out.
package policy

import "github.com/hermes-cdp/hermes-cdp/abi"

// Decide accepts the dialogs of one origin, dismisses alerts, and leaves the rest to an agent.
func Decide(e *abi.DialogEvent) abi.DialogVerdict {
	switch {
	case e.Origin == "https://trusted.example":
		return abi.DialogVerdict{Action: abi.DialogActionAccept, Rule: "trusted"}
	case e.Type == abi.DialogTypeAlert:
		return abi.DialogVerdict{Action: abi.DialogActionDismiss, Rule: "alert"}
	}
	return abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: e.TimeoutMs, Rule: "agent"}
}
