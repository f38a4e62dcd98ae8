package replay

import (
	"encoding/json"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Report is the result of a replay. It can be encoded as JSON.
type Report struct {
	Source string `json:"source"` // the journal or the golden table
	Plugin string `json:"plugin,omitempty"`
	// Before is the module that After is compared with; it is absent if that is the record.
	Before *Identity `json:"before,omitempty"`
	After  Identity  `json:"after"`

	Calls     int `json:"calls"`     // compared
	Different int `json:"different"` // of these, neither allowed nor inexact
	Allowed   int `json:"allowed"`   // different, and on the list of intended differences
	// Inexact counts differences from a record with masked secrets in its event, exchanges or verdict. They may be due to
	// that, and do not count as Different, except with Options.Strict.
	Inexact int `json:"inexact"`
	// MaskedConfig counts compared calls that ran with a recorded configuration whose secrets are masked. Their
	// differences count as Different, and may be due to that; Options.Config replaces the configuration.
	MaskedConfig int `json:"masked_config,omitempty"`
	// Deviating counts calls in which a module asked the store or the host's state something else than was recorded. It
	// got answers anyway, which may differ from those of a host.
	Deviating int     `json:"deviating"`
	Skipped   Skipped `json:"skipped"`
	// Lost counts calls that are missing according to the journal.
	Lost uint64 `json:"lost,omitempty"`
	// Problems are lines of the journal that could not be read.
	Problems []string `json:"problems,omitempty"`
	// FuelBefore and FuelAfter are what all compared calls used, in units. A record has slightly less than a replay,
	// because the instances of a host already have their buffers.
	FuelBefore int64 `json:"fuel_before"`
	FuelAfter  int64 `json:"fuel_after"`

	Differences []Difference `json:"differences"`
}

// Identity is a module.
type Identity struct {
	Name    string `json:"name"` // from its manifest, or else its file
	Version string `json:"version,omitempty"`
	SHA256  string `json:"sha256"`
}

// Skipped counts the calls that were not compared, by cause.
type Skipped struct {
	OtherPlugins int `json:"other_plugins"`
	Candidates   int `json:"candidates"` // shadow calls
	Incomplete   int `json:"incomplete"` // a secret could not be masked, so a part was not kept
	Unrepeatable int `json:"unrepeatable"`
}

// Difference is a call that was decided differently.
type Difference struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time,omitzero"`
	Task     string    `json:"task,omitempty"`
	Hook     abi.Hook  `json:"hook"`
	Subject  string    `json:"subject,omitempty"` // the dialog, the target, or the name of the golden case
	Before   Decision  `json:"before"`
	After    Decision  `json:"after"`
	Allowed  bool      `json:"allowed,omitempty"`
	// Inexact says that secrets are masked in the event, exchanges or verdict of the record.
	Inexact bool `json:"inexact,omitempty"`
	// MaskedConfig says that the call ran with a recorded configuration whose secrets are masked.
	MaskedConfig bool `json:"masked_config,omitempty"`
	// Deviation says what After asked that Before had not.
	Deviation string `json:"deviation,omitempty"`
}

// Decision is the result of a call.
type Decision struct {
	Outcome string `json:"outcome"` // decided, abstained, error or fault
	// Verdict is in the JSON of package abijson, or a base64 string if the bytes are not a verdict of the hook.
	Verdict json.RawMessage `json:"verdict,omitempty"`
	Reason  string          `json:"reason,omitempty"` // of an error
	Fault   string          `json:"fault,omitempty"`  // the kind, or init: it refused its configuration
	Detail  string          `json:"detail,omitempty"` // of a fault
}

// Same reports whether two decisions are the same for the host.
func (d Decision) Same(other Decision) bool {
	return d.Outcome == other.Outcome && d.Fault == other.Fault && string(d.Verdict) == string(other.Verdict)
}

// String formats the decision on one line. Text from modules in it is untrusted.
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
