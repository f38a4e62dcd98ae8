package result

import (
	"cmp"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The reasons of [Counted.Fallbacks].
const (
	// FallbackLastKnown: the last known page, as a dialog holds it or it does not answer.
	FallbackLastKnown = "last_known_page"
	// FallbackFrames: the page without frames that do not answer or cannot be read.
	FallbackFrames = "frames_left_out"
)

// Counted is what a call adds to the counters.
type Counted struct {
	Failure                host.Code // empty: the tool did what was asked
	Timeouts, Terminations uint64
	Fallbacks              []string // reasons
}

// Counter is a result that adds to counters other than Calls.
type Counter interface{ Counted() Counted }

// CountError returns what the error of a call adds.
func CountError(err error) Counted {
	if err == nil {
		return Counted{}
	}
	c := Counted{Failure: host.CodeOf(err)}
	if c.Failure == host.ErrTimeout {
		c.Timeouts = 1
	}
	var stopped *host.StoppedError
	if errors.As(err, &stopped) && (stopped.Terminated || stopped.Ending) {
		c.Terminations = 1
	}
	return c
}

// CountFallbacks returns what a reading adds.
func CountFallbacks(stale, left bool) Counted {
	var c Counted
	if stale {
		c.Fallbacks = append(c.Fallbacks, FallbackLastKnown)
	}
	if left {
		c.Fallbacks = append(c.Fallbacks, FallbackFrames)
	}
	return c
}

// Counted is for results made elsewhere: by a plugin, an embedder or another server.
func (r Result) Counted() Counted {
	if !r.IsError {
		return Counted{}
	}
	code, _ := r.Structured["code"].(string)
	kind, _ := r.Structured["kind"].(string)
	return Counted{Failure: host.Code(cmp.Or(code, kind, string(host.ErrToolFailed)))}
}
