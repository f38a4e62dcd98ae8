package act

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
	"github.com/hermes-cdp/hermes-cdp/host/internal/upload"
)

// Rules are what the operator allows the agents of a host.
type Rules struct {
	// EvaluateDisabled refuses script of an agent's.
	EvaluateDisabled bool
	// Schemes are those of addresses that may be loaded.
	Schemes scheme.Policy
	// Uploads are the files that pages may be given.
	Uploads upload.Rules
	// Kind names an error for the counters.
	Kind func(error) string
}

// MayLoad tells whether an address may be loaded for a task. Every way to name one asks it: navigations, tabs, the start of a
// task and raw commands. Its errors are [fault.ErrEvaluateDisabled], [fault.ErrRefused], and [fault.ErrNavigate] for what is no whole address.
func (r *Rules) MayLoad(address string) error {
	if r.EvaluateDisabled && !scheme.Plain(address) {
		return fmt.Errorf("%w: the address is neither http:, https:, file: nor about:blank", fault.ErrEvaluateDisabled)
	}
	return r.MayShow(address)
}

// MayShow tells whether the scheme of an address is allowed. Its errors are [fault.ErrRefused] and [fault.ErrNavigate].
func (r *Rules) MayShow(address string) error {
	err := r.Schemes.Check(address)
	var because *scheme.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &because) && because.Scheme == "":
		return fmt.Errorf("%w: invalid URL: %w", fault.ErrNavigate, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrRefused, err)
}

// PathError says whether a path is not allowed, or is not what it should be.
func PathError(err error) error {
	var outside *upload.OutsideError
	if errors.As(err, &outside) || errors.As(err, new(*upload.PrivateError)) {
		return fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrBadCall, err)
}
