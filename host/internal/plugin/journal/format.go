package journal

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// A journal file has one JSON object per line, whose "kind" says what it is. The first line is the header. A reader
// skips unknown kinds.
const (
	kindHeader = "header"
	kindConfig = "config" // the configuration of a module, before the first call with it
	kindCall   = "call"
	kindLost   = "lost" // calls that are missing here
)

// formatVersion changes when older readers would misunderstand a file.
const formatVersion = 1

type headerLine struct {
	Kind    string    `json:"kind"`
	Format  int       `json:"format"`
	Started time.Time `json:"started"`
}

type configLine struct {
	Kind   string         `json:"kind"`
	Hash   string         `json:"hash"`
	Config jsontext.Value `json:"config,omitzero"`
	Wire   []byte         `json:"config_wire,omitempty"` // if JSON does not give the same bytes
	Masked bool           `json:"masked,omitzero"`
}

type lostLine struct {
	Kind  string `json:"kind"`
	Calls uint64 `json:"calls"`
}

// callLine is an [Entry]. Event and verdict are JSON if that gives back the same bytes, else the bytes themselves.
type callLine struct {
	Kind       string    `json:"kind"`
	Sequence   uint64    `json:"sequence"`
	Time       time.Time `json:"time"`
	Task       string    `json:"task,omitzero"`
	Hook       abi.Hook  `json:"hook"`
	Subject    string    `json:"subject,omitzero"`
	Plugin     string    `json:"plugin"`
	Generation int       `json:"generation,omitzero"`
	SHA256     string    `json:"sha256"`
	ConfigHash string    `json:"config_hash,omitzero"`
	Candidate  bool      `json:"candidate,omitzero"`

	Capabilities []abi.Capability `json:"capabilities,omitempty"`
	Functions    []plugin.Grant   `json:"functions,omitempty"`

	Event       jsontext.Value `json:"event,omitzero"`
	EventWire   []byte         `json:"event_wire,omitempty"`
	Exchanges   []exchangeLine `json:"exchanges,omitempty"`
	Outcome     Outcome        `json:"outcome"`
	Verdict     jsontext.Value `json:"verdict,omitzero"`
	VerdictWire []byte         `json:"verdict_wire,omitempty"`
	Reason      string         `json:"reason,omitzero"`
	Fault       string         `json:"fault,omitzero"`
	Detail      string         `json:"detail,omitzero"`
	DurationNS  int64          `json:"duration_ns"`
	Fuel        int64          `json:"fuel"`
	Masked      bool           `json:"masked,omitzero"`     // a secret of event, exchanges or verdict was masked
	Incomplete  bool           `json:"incomplete,omitzero"` // event or verdict held a secret that could not be masked
}

// exchangeLine is a [guestio.Exchange], with the value as text if it is text.
type exchangeLine struct {
	Import string   `json:"import"`
	Key    string   `json:"key,omitzero"`
	Text   string   `json:"text,omitzero"`
	Value  []byte   `json:"value,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	Code   abi.Code `json:"code,omitzero"`

	Request      string `json:"request,omitzero"` // to a function of the embedder; or the value that a comparison expected
	RequestBytes []byte `json:"request_bytes,omitempty"`
	Absent       bool   `json:"absent,omitzero"` // the comparison expected that there is none
	TTLMS        int64  `json:"ttl_ms,omitzero"` // of what is written; 0: it stays
}

// wire returns the encoded configuration.
func (l *configLine) wire() ([]byte, error) {
	if l.Config == nil {
		return l.Wire, nil
	}
	return parseConfig(l.Config)
}

// event returns the encoded event.
func (l *callLine) event() ([]byte, error) {
	if l.Event == nil {
		return l.EventWire, nil
	}
	return abijson.ParseEvent(l.Hook, l.Event)
}

// verdict returns the encoded verdict.
func (l *callLine) verdict() ([]byte, error) {
	if l.Verdict == nil {
		return l.VerdictWire, nil
	}
	return abijson.ParseVerdict(l.Hook, l.Verdict)
}

// entry returns the call, with its secrets masked.
func (l *callLine) entry(config *configLine) (Entry, error) {
	e := Entry{
		Sequence: l.Sequence, Time: l.Time, Task: l.Task, Hook: l.Hook, Subject: l.Subject,
		Plugin: l.Plugin, Generation: l.Generation, SHA256: l.SHA256, ConfigHash: l.ConfigHash, Candidate: l.Candidate,
		Capabilities: l.Capabilities, Functions: l.Functions,
		Outcome: l.Outcome, Reason: l.Reason, Fault: l.Fault, Detail: l.Detail,
		Duration: time.Duration(l.DurationNS), Fuel: l.Fuel, Masked: l.Masked, MaskedConfig: config.Masked, Incomplete: l.Incomplete,
	}
	var err error
	if e.Config, err = config.wire(); err != nil {
		return e, fmt.Errorf("the configuration %s: %w", l.ConfigHash, err)
	}
	if config.Config == nil && config.Wire == nil {
		e.Incomplete = true // it held a secret that could not be masked
	}
	if e.Event, err = l.event(); err != nil {
		return e, fmt.Errorf("call %d: the event: %w", l.Sequence, err)
	}
	if e.Verdict, err = l.verdict(); err != nil {
		return e, fmt.Errorf("call %d: the verdict: %w", l.Sequence, err)
	}
	for i := range l.Exchanges {
		e.Exchanges = append(e.Exchanges, l.Exchanges[i].exchange())
	}
	return e, nil
}

func (l *exchangeLine) exchange() guestio.Exchange {
	x := guestio.Exchange{Import: l.Import, Key: l.Key, Value: l.Value, Keys: l.Keys, Code: l.Code, Absent: l.Absent, TTLMS: l.TTLMS}
	if l.Text != "" {
		x.Value = []byte(l.Text)
	}
	if x.Request = l.RequestBytes; l.Request != "" {
		x.Request = []byte(l.Request)
	}
	return x
}
