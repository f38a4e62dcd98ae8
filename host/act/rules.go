package act

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// Rules are what the operator allows the agents of a host.
type Rules struct {
	// EvaluateDisabled refuses scripts of agents.
	EvaluateDisabled bool
	// Schemes are the URL schemes that may be loaded.
	Schemes scheme.Policy
	// Uploads are the files that pages may be given.
	Uploads upload.Rules
}

// MayLoad checks whether a URL may be loaded for a task. Every way to give one goes through it: navigations, new tabs,
// the start of a task, and raw commands. Errors: [fault.ErrEvaluateDisabled], [fault.ErrRefused], and
// [fault.ErrNavigate] for a URL that is not absolute.
func (r *Rules) MayLoad(url string) error {
	if r.EvaluateDisabled && !scheme.Plain(url) {
		return fmt.Errorf("%w: the URL is neither http:, https:, file: nor about:blank", fault.ErrEvaluateDisabled)
	}
	return r.MayShow(url)
}

// MayShow checks whether the scheme of a URL is allowed. Errors: [fault.ErrRefused] and [fault.ErrNavigate].
func (r *Rules) MayShow(url string) error {
	err := r.Schemes.Check(url)
	var because *scheme.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &because) && because.Scheme == "":
		return fmt.Errorf("%w: invalid URL: %w", fault.ErrNavigate, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrRefused, err)
}

// Uploads are the files that pages may be given: those that the rules allow, and what the task has downloaded into a
// directory of its own.
func (p *Pages) Uploads() upload.Rules { return p.Rules.Uploads.With(p.TemporaryDownloads()) }

// PathError turns an error of package upload into [fault.ErrRefused] for a path that is not allowed, and
// [fault.ErrBadArguments] for one that is invalid.
func PathError(err error) error {
	var outside *upload.OutsideError
	if errors.As(err, &outside) || errors.As(err, new(*upload.PrivateError)) {
		return fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
}
