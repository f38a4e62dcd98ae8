package doctor

import (
	"errors"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// Daemon is the check of the daemon that runs here, from its status or the error of asking for that.
func Daemon(status control.Status, err error) Check {
	const name = "daemon"
	switch reasons := status.Deviations(); {
	case errors.Is(err, fault.ErrNoDaemon):
		return ok(name, "none runs here")
	case err != nil:
		return warn(name, err.Error(), "run: hermes-cdp status")
	case len(reasons) > 0:
		return fail(name, "it does not match its configuration: "+strings.Join(reasons, "; "), "run: hermes-cdp status; then correct what it names and run: hermes-cdp reload")
	}
	return ok(name, "it is as it is configured")
}
