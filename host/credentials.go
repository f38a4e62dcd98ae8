package host

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/internal/storagestate"
)

// checkCredentials refuses credentials that no server would ask for, or that were left out.
func (o TaskOptions) checkCredentials() error {
	for origin, c := range o.Credentials {
		switch {
		case !storagestate.IsOrigin(origin):
			return fmt.Errorf("%w: credentials are for an origin such as https://example.com, and one of them is not", ErrBadArguments)
		case c.User == "":
			return fmt.Errorf("%w: the credentials for %s have no user: is its variable set?", ErrBadArguments, origin)
		}
	}
	return nil
}
