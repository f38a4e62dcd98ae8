package journal

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Masker masks the secrets of calls as a [Writer] does. Its methods are safe for concurrent use.
type Masker struct {
	encoder *encoder
	showing sync.Mutex // the encoder encodes one call at a time
}

// NewMasker returns a masker that knows no secrets yet.
func NewMasker() *Masker { return &Masker{encoder: newEncoder()} }

// Learn remembers the secrets that a call reveals and that later ones may hold. Without secrets it costs next to
// nothing.
func (m *Masker) Learn(e Entry) { m.encoder.learn(&e) }

// Show returns a call as JSON, without secrets.
func (m *Masker) Show(e Entry) Shown {
	m.showing.Lock()
	defer m.showing.Unlock()
	line, config := m.encoder.call(&e), m.encoder.config(&e).line
	masked, err := line.entry(&config)
	if err != nil { // it was just encoded, so it can be decoded
		masked.Incomplete = true
	}
	return ShowMasked(masked)
}

// Shown is a call for people and other programs. Event and verdict are the JSON of package abijson, or a base64 string
// of the bytes if they are not a message of the hook. Texts of pages and modules in it are untrusted.
type Shown struct {
	Sequence     uint64           `json:"sequence"`
	Time         time.Time        `json:"time"`
	Task         string           `json:"task,omitempty"`
	Hook         abi.Hook         `json:"hook"`
	Subject      string           `json:"subject,omitempty"` // the dialog, or the target
	Plugin       string           `json:"plugin"`
	Generation   int              `json:"generation,omitempty"`
	SHA256       string           `json:"sha256"`
	ConfigHash   string           `json:"config_hash,omitempty"`
	Candidate    bool             `json:"candidate,omitempty"` // a shadow call
	Capabilities []abi.Capability `json:"capabilities,omitempty"`
	// Functions are the embedder's functions that it may import.
	Functions []plugin.Grant  `json:"functions,omitempty"`
	Config    json.RawMessage `json:"config,omitempty"` // of the module
	Event     json.RawMessage `json:"event,omitempty"`
	Exchanges []ShownExchange `json:"exchanges,omitempty"`
	// Outcome is decided, abstained, error or fault.
	Outcome  string          `json:"outcome"`
	Verdict  json.RawMessage `json:"verdict,omitempty"`
	Reason   string          `json:"reason,omitempty"` // of an error
	Fault    string          `json:"fault,omitempty"`  // the kind
	Detail   string          `json:"detail,omitempty"` // of a fault
	Duration time.Duration   `json:"duration_ns"`
	Fuel     int64           `json:"fuel"`
	// Masked says that secrets were masked, including those of the configuration. Incomplete says that a part is
	// missing because its secrets could not be masked.
	Masked     bool `json:"masked,omitempty"`
	Incomplete bool `json:"incomplete,omitempty"`

	masked Entry
}

// Entry is the call, with its secrets masked, as replays take it. It is absent from a call that came as JSON.
func (s *Shown) Entry() (e Entry, ok bool) { return s.masked, s.masked.Plugin != "" }

// ShownExchange is a request of the module to the host during the call, with the answer: as text if it is text, else in
// base64.
type ShownExchange = exchangeLine

// ShowMasked shows a call whose secrets are already masked, such as one read from a file.
func ShowMasked(e Entry) Shown {
	out := Shown{
		Sequence: e.Sequence, Time: e.Time, Task: e.Task, Hook: e.Hook, Subject: e.Subject, Plugin: e.Plugin, Generation: e.Generation,
		SHA256: e.SHA256, ConfigHash: e.ConfigHash, Candidate: e.Candidate, Capabilities: e.Capabilities, Functions: e.Functions, Outcome: string(e.Outcome),
		Reason: e.Reason, Fault: e.Fault, Detail: e.Detail, Duration: e.Duration, Fuel: e.Fuel, Masked: e.Masked || e.MaskedConfig, Incomplete: e.Incomplete,
		masked: e,
	}
	config, _ := showConfig(e.Config)
	event, _ := abijson.Event(e.Hook, e.Event)
	out.Config, out.Event = orWire(config, e.Config), orWire(event, e.Event)
	if e.Outcome == OutcomeDecided {
		verdict, _ := abijson.Verdict(e.Hook, e.Verdict)
		out.Verdict = orWire(verdict, e.Verdict)
	}
	none := secrets{}
	for _, x := range e.Exchanges {
		line, _ := none.exchange(x)
		out.Exchanges = append(out.Exchanges, line)
	}
	return out
}

// orWire is a JSON text, or the bytes in base64 if there is none.
func orWire(text, wire []byte) json.RawMessage {
	if len(text) == 0 {
		text, _ = json.Marshal(wire) // bytes can always be encoded
	}
	return text
}
