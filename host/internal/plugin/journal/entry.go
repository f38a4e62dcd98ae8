// Package journal keeps every hook call with all that decided it, so that the call can be run again.
package journal

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Outcome is how a call ended.
type Outcome string

// The outcomes of a call.
const (
	OutcomeDecided   Outcome = "decided"
	OutcomeAbstained Outcome = "abstained"
	OutcomeError     Outcome = "error" // the module said that it could not decide
	OutcomeFault     Outcome = "fault"
)

// Entry is one call of one module. Modules of a chain that are asked about the same event share the sequence number.
type Entry struct {
	Sequence uint64
	Time     time.Time
	Task     string
	Hook     abi.Hook
	Subject  string // what the event is about: a dialog's id, a target's

	Plugin     string // the name of the plugin
	Generation int
	SHA256     string // of the module
	ConfigHash string
	Candidate  bool // a candidate's shadow call, whose verdict was not used
	// Capabilities are those that the module had.
	Capabilities []abi.Capability

	Event     []byte // encoded
	Config    []byte // of the module, encoded; a journal file has it once for each hash
	Exchanges []plugin.Exchange

	Outcome Outcome
	Verdict []byte // encoded; of a decided call
	Reason  string // of an error
	Fault   string // the kind of a fault
	Detail  string // of a fault

	Duration time.Duration
	Fuel     int64

	// Masked says that secrets of event, exchanges or verdict were replaced when the entry was written to a file, so that the
	// module may decide otherwise than it did, or as it did with another text; MaskedConfig that secrets of the configuration
	// were, for which another can be given; Incomplete that event, configuration or exchanges are not all there, so that the
	// call can't be run again. All are false in a ring.
	Masked       bool
	MaskedConfig bool
	Incomplete   bool
}
