package provider

import (
	"fmt"
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Error is a failure of a service. It has neither a key nor an endpoint.
type Error struct {
	// Provider is the name of the provider, and Op what was tried, such as create.
	Provider, Op string
	// Status is the HTTP status of the answer; 0 if there was none.
	Status int
	// Reason says what happened, and what to do about it where that is known.
	Reason string
	// Uncertain says that the service may have rented a browser although nobody knows its id. It ends by itself after the
	// time that the service gives to sessions.
	Uncertain bool
	// Expired says that the session has ended.
	Expired bool
}

// Error names the provider, what was tried, and why it failed.
func (e *Error) Error() string {
	text := e.Provider + ": " + e.Op + " failed"
	if e.Status != 0 {
		text += fmt.Sprintf(": HTTP status %d (%s)", e.Status, http.StatusText(e.Status))
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Uncertain {
		text += "; a browser may have been rented nevertheless, which ends by the service's own timeout"
	}
	return text
}

// Unwrap returns the code: fault.ErrProviderSessionExpired or fault.ErrProvider.
func (e *Error) Unwrap() error {
	if e.Expired {
		return fault.ErrProviderSessionExpired
	}
	return fault.ErrProvider
}
