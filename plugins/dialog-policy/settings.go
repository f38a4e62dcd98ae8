package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// The policies that a task or a configuration can name.
const (
	policyMustRespond = "must_respond" // an agent answers; the dialog is dismissed if it does not
	policyAutoDismiss = "auto_dismiss"
	policyAutoAccept  = "auto_accept" // a prompt returns the page's default text
)

func knownPolicy(name string) bool {
	return name == policyMustRespond || name == policyAutoDismiss || name == policyAutoAccept
}

// longestTimeoutS bounds the timeouts of a configuration, in seconds: a week.
const longestTimeoutS = 7 * 24 * 3600

// settings is the configuration of the module, or what a task overrides.
type settings struct {
	policy    string // empty: not given
	timeoutMs int64  // 0: not given
	rules     []rule
}

// readSettings rejects what it does not understand; the error names the key. what is the kind of configuration.
func readSettings(what string, object abi.Struct) (settings, error) {
	r := config.Read(what, object)
	s := settings{
		policy:    r.OneOf("policy", "", policyMustRespond, policyAutoDismiss, policyAutoAccept),
		timeoutMs: r.Milliseconds("dialog_timeout_s", 0, longestTimeoutS),
	}
	prefix := ""
	if what != "configuration" {
		prefix = "task "
	}
	r.Objects("rules", func(item *config.Reader) {
		s.rules = append(s.rules, readRule(prefix+item.Place(), item))
	})
	return s, r.Err()
}

func readRule(name string, r *config.Reader) rule {
	out := rule{
		name:      name,
		origin:    r.String("origin", ""),
		message:   r.String("message", ""),
		timeoutMs: r.Milliseconds("timeout_s", 0, longestTimeoutS),
		final:     r.Bool("final", false),
	}
	out.dialogType, _ = abi.ParseDialogType(r.OneOf("type", "", "alert", "confirm", "prompt", "beforeunload"))
	out.frame, _ = abi.ParseFrameKind(r.OneOf("frame", "", "top", "local", "oopif"))
	out.action, _ = abi.ParseDialogAction(r.OneOf("verdict", "", "hold", "accept", "dismiss"))
	if popup := r.Bool("popup", false); r.Has("popup") {
		out.popup = &popup
	}
	if text := r.String("text", ""); r.Has("text") {
		out.text = &text
	}
	switch {
	case out.action == abi.DialogActionUnspecified:
		r.Refuse("verdict", "hold, accept or dismiss")
	case out.text != nil && out.action != abi.DialogActionAccept:
		r.Refuse("text", "it only with verdict accept")
	case out.timeoutMs > 0 && out.action != abi.DialogActionHold:
		r.Refuse("timeout_s", "it only with verdict hold")
	}
	return out
}
