package replay

import (
	"encoding/json"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Report is what a replay found. It is made to be written as JSON.
type Report struct {
	Source string `json:"source"` // the journal or the golden table
	Plugin string `json:"plugin,omitempty"`
	// Before is the module that is compared with, absent where that is the record. After is the one that is tried.
	Before *Identity `json:"before,omitempty"`
	After  Identity  `json:"after"`

	Calls     int `json:"calls"`     // that were compared
	Different int `json:"different"` // of them, and neither allowed nor inexact
	Allowed   int `json:"allowed"`   // different, and on the list of those that are meant to be
	// Inexact are differences from a record of whose event, exchanges or verdict secrets are masked: they may be due to that,
	// and are not in Different. With Options.Strict there are none: they are in Different.
	Inexact int `json:"inexact"`
	// MaskedConfig are compared calls that ran with a recorded configuration whose secrets are masked. Their differences are
	// in Different, and may be due to that; Options.Config takes its place.
	MaskedConfig int `json:"masked_config,omitempty"`
	// Deviating are calls for which a module asked the store or the host's state something else than is recorded. It got
	// answers all the same, that it might not have had.
	Deviating int     `json:"deviating"`
	Skipped   Skipped `json:"skipped"`
	// Lost are calls that the journal says to be missing.
	Lost uint64 `json:"lost,omitempty"`
	// Problems are lines of the journal that could not be read.
	Problems []string `json:"problems,omitempty"`
	// FuelBefore and FuelAfter are what all compared calls used, in units. A record has a little less than a replay, as the
	// instances of a host have their buffers already.
	FuelBefore int64 `json:"fuel_before"`
	FuelAfter  int64 `json:"fuel_after"`

	Differences []Difference `json:"differences"`
}

// Identity is a module.
type Identity struct {
	Name    string `json:"name"` // of its manifest, else of its file
	Version string `json:"version,omitempty"`
	SHA256  string `json:"sha256"`
}

// Skipped counts the calls that were not compared, by the cause.
type Skipped struct {
	OtherPlugins int `json:"other_plugins"`
	Candidates   int `json:"candidates"` // shadow calls
	Incomplete   int `json:"incomplete"` // a secret could not be masked, so a part was not kept
	Unrepeatable int `json:"unrepeatable"`
}

// Difference is a call that was decided otherwise.
type Difference struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time,omitzero"`
	Task     string    `json:"task,omitempty"`
	Hook     abi.Hook  `json:"hook"`
	Subject  string    `json:"subject,omitempty"` // the dialog, the target, or the name of the golden case
	Before   Decision  `json:"before"`
	After    Decision  `json:"after"`
	Allowed  bool      `json:"allowed,omitempty"`
	// Inexact says that secrets are masked in event, exchanges or verdict of the record that it differs from.
	Inexact bool `json:"inexact,omitempty"`
	// MaskedConfig says that the call ran with a recorded configuration whose secrets are masked.
	MaskedConfig bool `json:"masked_config,omitempty"`
	// Deviation says what After asked otherwise than Before had.
	Deviation string `json:"deviation,omitempty"`
}

// Decision is what came of a call.
type Decision struct {
	Outcome string `json:"outcome"` // decided, abstained, error or fault
	// Verdict is the JSON of package abijson; a string of base64 where the bytes are none of the hook's.
	Verdict json.RawMessage `json:"verdict,omitempty"`
	Reason  string          `json:"reason,omitempty"` // of an error
	Fault   string          `json:"fault,omitempty"`  // the kind, or init: it refused its configuration
	Detail  string          `json:"detail,omitempty"` // of a fault
}

// Same reports whether two decisions are the same for the host.
func (d Decision) Same(other Decision) bool {
	return d.Outcome == other.Outcome && d.Fault == other.Fault && string(d.Verdict) == string(other.Verdict)
}

// String is the decision on one line. What modules wrote in it is untrusted.
func (d Decision) String() string {
	switch {
	case len(d.Verdict) > 0:
		return string(d.Verdict)
	case d.Reason != "":
		return d.Outcome + ": " + d.Reason
	case d.Fault != "" && d.Detail != "":
		return "fault " + d.Fault + ": " + d.Detail
	case d.Fault != "":
		return "fault " + d.Fault
	}
	return d.Outcome
}
