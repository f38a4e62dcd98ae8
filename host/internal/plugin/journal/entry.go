// Package journal records every hook call with everything that decided it, so that the call can be run again.
package journal

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// Outcome is how a call ended.
type Outcome string

// The outcomes of a call.
const (
	OutcomeDecided   Outcome = "decided"
	OutcomeAbstained Outcome = "abstained"
	OutcomeError     Outcome = "error" // the module reported that it could not decide
	OutcomeFault     Outcome = "fault"
)

// Entry is one call of one module. Modules that are asked in turn about the same event share the sequence number.
type Entry struct {
	Sequence uint64
	Time     time.Time
	Task     string
	Hook     abi.Hook
	Subject  string // what the event is about: the id of a dialog or target

	Plugin     string // the name of the plugin
	Generation int
	SHA256     string // of the module
	ConfigHash string
	Candidate  bool // a shadow call of a candidate, whose verdict was not used
	// Capabilities are those that the module was granted.
	Capabilities []abi.Capability
	// Functions are the embedder's functions that the module may import.
	Functions []plugin.Grant

	Event     []byte // encoded
	Config    []byte // of the module, encoded; stored once per hash in a file
	Exchanges []guestio.Exchange

	Outcome Outcome
	Verdict []byte // encoded; of a decided call
	Reason  string // of an error
	Fault   string // the kind of a fault
	Detail  string // of a fault

	Duration time.Duration
	Fuel     int64

	// Masked says that secrets in the event, the exchanges or the verdict were masked in the file, so the module may
	// decide otherwise on the masked call. MaskedConfig says the same of the configuration, for which another can be
	// given. Incomplete says that parts of the event, configuration or exchanges are missing, so the call cannot be run
	// again. All are false in a ring.
	Masked       bool
	MaskedConfig bool
	Incomplete   bool
}
