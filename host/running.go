package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Running is the address of whichever browser this user has running here that accepts debugging: one whose profile
// says so, as Chrome's does once a person allows it at chrome://inspect/#remote-debugging, or one on port 9222.
const Running = engine.Running

// OpenWindow starts a browser for a person, with a window and a profile of its own beside their usual one, and returns
// its address, which [Running] then stands for. It is theirs: no host ends it. Of the options it takes Executable,
// Args, Environment and Sandbox. ctx bounds the start. Errors: ErrNoBrowser, and others with the reason.
func OpenWindow(ctx context.Context, options *LaunchOptions) (address string, err error) {
	defer fault.During("open window", &err)
	o := optional.Or(options)
	return browser.OpenWindow(ctx, browser.LaunchOptions{Executable: o.Executable, Args: o.Args, Environment: o.Environment, Sandbox: o.Sandbox})
}
