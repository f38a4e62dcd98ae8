package view

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// ArmedAnswer is an answer to a dialog that has not opened yet.
type ArmedAnswer struct {
	// Accept accepts the dialog; otherwise it is dismissed.
	Accept bool `json:"accept"`
	// PromptText is what an accepted prompt returns; nil: the page's default text.
	PromptText *string `json:"prompt_text,omitempty"`
	// Type is the type of dialog that it is for; empty: any.
	Type DialogType `json:"type,omitempty"`
	// Repeat says that it is for every dialog until it expires, and not only for the next.
	Repeat bool `json:"repeat,omitempty"`
	// Expires is how long the answer waits for a dialog. Default 60 s, at most 24 h.
	Expires time.Duration `json:"expires_ns,omitempty"`
	// ExpiresAt is set by the host on the answers that it returns and shows.
	ExpiresAt UnixTime `json:"expires_at,omitzero"`
}

// ArmedOf returns an armed answer of the state machine as callers see it; nil for nil.
func ArmedOf(a *supervise.Armed) *ArmedAnswer {
	if a == nil {
		return nil
	}
	out := &ArmedAnswer{Accept: a.Accept, PromptText: a.Text, Repeat: a.Repeat, ExpiresAt: UnixTime{a.ExpiresAt}}
	if a.Type != abi.DialogTypeUnspecified {
		out.Type = DialogType(a.Type.String())
	}
	return out
}
