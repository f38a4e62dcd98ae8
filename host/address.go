package host

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// CheckAddress tells whether the task may load an address; every way to load one asks it as well. Errors: ErrRefused for a
// scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for what is no whole address.
func (t *Task) CheckAddress(address string) error { return t.link.host.mayLoad(address) }

// mayLoad tells whether an address may be loaded for a task. Every way to name one asks it: navigations, tabs, the start of a
// task and raw commands. Its errors are [ErrEvaluateDisabled], [ErrRefused], and [ErrNavigate] for what is no whole address.
func (h *Host) mayLoad(address string) error {
	if h.options.EvaluateDisabled && !PlainAddress(address) {
		return fmt.Errorf("%w: the address is neither http:, https:, file: nor about:blank", ErrEvaluateDisabled)
	}
	return h.mayShow(address)
}

// mayShow tells whether the scheme of an address is allowed. Its errors are [ErrRefused] and [ErrNavigate].
func (h *Host) mayShow(address string) error {
	err := h.schemes.Check(address)
	var because *scheme.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &because) && because.Scheme == "":
		return fmt.Errorf("%w: invalid URL: %w", ErrNavigate, err)
	}
	return fmt.Errorf("%w: %w", ErrRefused, err)
}

// PlainAddress tells whether loading an address runs no script but that of a site: it is http:, https:, file: or about:blank.
// Where [Options.EvaluateDisabled] is set no other is loaded for an agent. javascript: addresses run in the page
// that is left, data: and blob: bring their own. Whether it is loaded at all is [Options.AllowSchemes]'s matter.
func PlainAddress(address string) bool {
	switch scheme.Of(address) {
	case "http", "https", "file":
		return true
	case "about":
		return scheme.Policy{}.Check(address) == nil
	}
	return false
}
