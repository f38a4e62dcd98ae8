package host

import "github.com/hermes-cdp/hermes-cdp/host/internal/scheme"

// CheckAddress tells whether the task may load an address; every way to load one asks it as well. Errors: ErrRefused for a
// scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for what is no whole address.
func (t *Task) CheckAddress(address string) error { return t.host.rules.MayLoad(address) }

// PlainAddress tells whether loading an address runs no script but that of a site: it is http:, https:, file: or about:blank.
// Where [Options.EvaluateDisabled] is set no other is loaded for an agent. javascript: addresses run in the page
// that is left, data: and blob: bring their own. Whether it is loaded at all is [Options.AllowSchemes]'s matter.
func PlainAddress(address string) bool { return scheme.Plain(address) }
