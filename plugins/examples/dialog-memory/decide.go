package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
)

// decide follows the operator's rules, then what an agent has answered before, and otherwise asks an agent.
func decide(s *settings, e *dialog.Event) dialog.Verdict {
	for i := range s.rules {
		if r := &s.rules[i]; r.matches(e) {
			return r.verdict().Because(r.name)
		}
	}
	if s.answers == 0 {
		return dialog.Hold(0).Because("asked")
	}
	question, ok := questionOf(e)
	if !ok {
		return dialog.Hold(0).Because("asked")
	}
	known, found, err := recall(question)
	if found {
		return known.verdict().Because("remembered")
	}
	if err == nil {
		err = note(e.DialogID, question)
	}
	if err != nil { // a store that does not work must not keep an agent from answering
		sdk.Log(abi.LogWarn, "the answer will not be remembered: "+err.Error())
	}
	return dialog.Hold(0).Because("asked")
}

func (r *rule) matches(e *dialog.Event) bool {
	switch {
	case r.dialogType != abi.DialogTypeUnspecified && r.dialogType != e.Type:
		return false
	case r.origin != nil && !r.origin.MatchString(e.Origin):
		return false
	case r.message != nil && !r.message.MatchString(e.Message):
		return false
	}
	return true
}

func (r *rule) verdict() dialog.Verdict {
	switch {
	case r.action == abi.DialogActionHold:
		return dialog.Hold(0)
	case r.action == abi.DialogActionDismiss:
		return dialog.Dismiss()
	case r.text != nil:
		return dialog.AcceptText(*r.text)
	default:
		return dialog.Accept()
	}
}
