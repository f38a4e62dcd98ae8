package supervise

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// HookCall is one module's part in a decision: modules are asked in order until one decides.
type HookCall struct {
	Module     string
	Generation int // of the plugin
	SHA256     string
	ConfigHash string
	Sequence   uint64
	Outcome    string // decided, abstained or fault
	Fault      string
	Duration   time.Duration
	// Config is the module's configuration, encoded, and TaskConfig the task's for it. Both may hold secrets, which are not
	// to be shown with what the module said.
	Config     []byte
	TaskConfig abi.Struct
}

// DialogRecord is how a dialog came to its decision and its end, for those who ask why. A record that was shown is never
// changed: a newer one takes its place.
type DialogRecord struct {
	Event      *abi.DialogEvent // as the last module that was asked saw it; nil where none was
	Calls      []HookCall
	Verdict    *abi.DialogVerdict // nil: no module decided
	AskedAt    time.Time
	DecidedAt  time.Time
	AnsweredAt time.Time // when the last answer was sent
}

// note changes the record of a dialog.
func (d *dialog) note(change func(*DialogRecord)) {
	record := DialogRecord{}
	if d.Record != nil {
		record = *d.Record
	}
	change(&record)
	d.Record = &record
}

// noteVerdict records what came of an ask.
func (d *dialog) noteVerdict(e DialogVerdict, now time.Time) {
	d.note(func(r *DialogRecord) {
		r.DecidedAt, r.Calls = now, e.Calls
		if e.Event != nil {
			r.Event = e.Event
		}
		if e.Fault == "" && !e.Abstained {
			r.Verdict = &e.Verdict
		}
	})
}

// FramesRecord is how the newest filtered tree of a tab came to be. It is never changed.
type FramesRecord struct {
	Event     *abi.FramesEvent // as the last module that was asked saw it; nil where none answered
	Frames    []Frame          // the raw tree that was asked about
	Calls     []HookCall
	Verdict   *abi.FramesVerdict // nil: no module decided, and the host's cap applied
	AskedAt   time.Time
	DecidedAt time.Time
}
