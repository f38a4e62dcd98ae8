package act

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// checkCredentials makes an error of a document that says that the task's credentials for its origin are wrong. If the
// server says it without a document, the browser's error is all there is, for the URL that was asked for.
func (p *Pages) checkCredentials(asked string, loaded Document, err error) error {
	switch {
	case err == nil && loaded.HTTPStatus == http.StatusUnauthorized:
		asked = loaded.URL
	case !errors.Is(err, fault.ErrNavigate):
		return err
	}
	u, unparsable := url.Parse(asked)
	if unparsable != nil || !p.CredentialsRefused(u.Scheme+"://"+u.Host) {
		return err
	}
	return fmt.Errorf("%w: %s://%s does not take the user and the password that are configured for it, which are not sent again", fault.ErrCredentials, u.Scheme, u.Host)
}
