package main

import (
	"cmp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

// rule is one entry of the key rules. A condition that is absent holds for every dialog.
type rule struct {
	name string // rules[2], or task rules[0]

	dialogType abi.DialogType
	origin     string // glob
	message    string // glob
	frame      abi.FrameKind
	popup      *bool

	action    abi.DialogAction
	text      *string
	timeoutMs int64
	final     bool
}

func (r *rule) matches(e *dialog.Event) bool {
	switch {
	case r.dialogType != abi.DialogTypeUnspecified && r.dialogType != e.Type:
		return false
	case r.frame != abi.FrameKindUnspecified && r.frame != e.FrameKind:
		return false
	case r.popup != nil && *r.popup != e.Popup:
		return false
	case r.origin != "" && !glob.Match(r.origin, e.Origin):
		return false
	case r.message != "" && !glob.Match(r.message, e.Message):
		return false
	}
	return true
}

// verdict uses the rule's own timeout, or else the given one.
func (r *rule) verdict(timeoutMs int64) dialog.Verdict {
	v := r.decide(timeoutMs)
	if r.final {
		v = v.Final()
	}
	return v.Because(r.name)
}

func (r *rule) decide(timeoutMs int64) dialog.Verdict {
	switch {
	case r.action == abi.DialogActionHold:
		return hold(cmp.Or(r.timeoutMs, timeoutMs))
	case r.action == abi.DialogActionDismiss:
		return dialog.Dismiss()
	case r.text != nil:
		return dialog.AcceptText(*r.text)
	default:
		return dialog.Accept()
	}
}
