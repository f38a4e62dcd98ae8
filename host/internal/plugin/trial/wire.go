package trial

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// job is a job for the child. One of its fields is set.
type job struct {
	Load     *loading `json:"load,omitempty"`
	SelfTest abi.Hook `json:"self_test,omitempty"`
	Ask      *Call    `json:"ask,omitempty"`
}

// loading is a module with everything needed to load it. It is the first job.
type loading struct {
	Source      plugin.Source
	CacheDir    string
	MemoryBytes int64
}

// Call is an event for a module, with the answers of its environment.
type Call struct {
	Hook      abi.Hook
	Event     []byte
	Exchanges []guestio.Exchange
}

// answer is the outcome of a job.
type answer struct {
	Refused *refusal      `json:"refused,omitempty"` // of a load
	Hooks   []abi.Hook    `json:"hooks,omitempty"`   // of a load
	Failed  *failure      `json:"failed,omitempty"`  // of a self-test or call
	Result  plugin.Result `json:"result"`            // of a call
	Verdict []byte        `json:"verdict,omitempty"` // of a call that decided
	Lines   []Line        `json:"lines,omitempty"`   // that the module wrote meanwhile
}

// refusal is a [*plugin.LoadError] without its cause, except for a fault.
type refusal struct {
	Error plugin.LoadError
	Fault *plugin.Fault
}

func refusalOf(err error) *refusal {
	load := &plugin.LoadError{Step: plugin.StepTrial, Detail: err.Error()}
	errors.As(err, &load)
	out := &refusal{Error: *load, Fault: faultOf(err)}
	out.Error.Err = nil
	return out
}

func (r *refusal) err() error {
	out := r.Error
	if r.Fault != nil {
		out.Err = r.Fault
	}
	return &out
}

// faultOf is the fault in an error, without a cause; nil if there is none.
func faultOf(err error) *plugin.Fault {
	var fault *plugin.Fault
	if !errors.As(err, &fault) {
		return nil
	}
	out := *fault
	out.Err = nil
	return &out
}

// failure is the error of a call.
type failure struct {
	Text  string
	Fault *plugin.Fault `json:",omitempty"`
	Kind  int           `json:",omitempty"` // index in sentinels, from 1
}

// sentinels are the errors of calls that callers compare with.
var sentinels = []error{plugin.ErrClosed, plugin.ErrNoHook, plugin.ErrEventTooLarge, plugin.ErrBusy}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	out := &failure{Text: err.Error(), Fault: faultOf(err)}
	for n, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			out.Kind = n + 1
		}
	}
	return out
}

func (f *failure) err() error {
	switch {
	case f == nil:
		return nil
	case f.Fault != nil:
		return f.Fault
	case f.Kind > 0 && f.Kind <= len(sentinels):
		return &failed{f.Text, sentinels[f.Kind-1]}
	}
	return errors.New(f.Text)
}

// failed is an error of the child with its original text.
type failed struct {
	text  string
	cause error
}

func (f *failed) Error() string { return f.text }
func (f *failed) Unwrap() error { return f.cause }

// reader decodes JSON values, none of which is larger than most.
type reader struct {
	bounded io.LimitedReader
	decoder *json.Decoder
	most    int64
}

func newReader(from io.Reader, most int64) *reader {
	r := &reader{bounded: io.LimitedReader{R: from}, most: most}
	r.decoder = json.NewDecoder(&r.bounded)
	return r
}

func (r *reader) next(into any) error {
	r.bounded.N = r.most
	return r.decoder.Decode(into)
}
