package lifecycle

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
)

// Output of modules can repeat the secrets that they were given. Answers are compared unmasked, but whatever is shown,
// logged or returned as an error is masked first.

// veil hides the secrets of a call, and of further calls that are shown with it.
func (e *Engine) veil(a *pluginCall, more ...journal.Entry) journal.Veil {
	return e.options.Masker.Veil(append(more, journal.Entry{
		Task: a.task, Hook: a.hook, Config: a.config, Event: a.event, Exchanges: a.exchanges, Verdict: a.answer.verdict,
	})...)
}

// maskedAnswer masks what a module said instead of a verdict. Answers of the host itself hold no secrets and cost
// nothing here.
func (e *Engine) maskedAnswer(a *pluginCall) answer {
	got := a.answer
	if got.outcome != journal.OutcomeError && got.err == nil {
		return got
	}
	var fault *plugin.Fault
	if got.outcome != journal.OutcomeError && !errors.As(got.err, &fault) {
		return got
	}
	v := e.veil(a)
	got.reason, got.detail, got.err = v.Text(got.reason), v.Text(got.detail), veiled(v, got.err)
	return got
}

// veiled is an error with the secrets masked, in its text and in those of its causes. errors.Is and errors.As find the
// same as before.
func veiled(v journal.Veil, err error) error {
	switch e := err.(type) { //nolint:errorlint // each error of the chain is handled separately
	case nil:
		return nil
	case *plugin.LoadError:
		out := *e
		out.Detail, out.Err = v.Text(e.Detail), veiled(v, e.Err)
		return &out
	case *plugin.Fault:
		out := *e
		out.Detail, out.Trace, out.Output, out.Err = v.Text(e.Detail), v.Text(e.Trace), v.Text(e.Output), veiled(v, e.Err)
		return &out
	case *trial.Error:
		out := *e
		out.Detail, out.Err = v.Text(e.Detail), veiled(v, e.Err)
		return &out
	case interface{ Unwrap() []error }:
		out := &veiledError{text: v.Text(err.Error())}
		for _, cause := range e.Unwrap() {
			out.causes = append(out.causes, veiled(v, cause))
		}
		return out
	}
	text, cause := v.Text(err.Error()), errors.Unwrap(err)
	switch {
	case cause != nil:
		return &veiledError{text, []error{veiled(v, cause)}}
	case text != err.Error():
		return &veiledError{text: text}
	}
	return err
}

// veiledError replaces an error whose text was masked.
type veiledError struct {
	text   string
	causes []error
}

func (e *veiledError) Error() string { return e.text }

// Unwrap returns the causes, masked too.
func (e *veiledError) Unwrap() []error { return e.causes }
