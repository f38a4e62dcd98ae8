package act

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// errNoCredentials is what Chromium makes of the refusal of a server that sends no document with it.
const errNoCredentials = "net::ERR_INVALID_AUTH_CREDENTIALS"

// checkCredentials makes an error of a document that says that the task's credentials for its origin are wrong. If the
// server says it without a document, the browser's error is all there is, for the URL that was asked for; redirects may
// have led to another origin, and the task may have none for that.
func (p *Pages) checkCredentials(asked string, loaded Document, err error) error {
	switch {
	case err == nil && loaded.HTTPStatus == http.StatusUnauthorized:
		asked = loaded.URL
	case !errors.Is(err, fault.ErrNavigate):
		return err
	}
	u, unparsable := url.Parse(asked)
	switch {
	case unparsable == nil && p.CredentialsRefused(u.Scheme+"://"+u.Host):
	case err != nil && strings.Contains(err.Error(), errNoCredentials):
		return fmt.Errorf("%w: the server asks for a user and a password, and has been given none that it takes; load http://user:password@host/ with them, or have an operator configure them for its origin in browser.credentials", err)
	default:
		return err
	}
	return fmt.Errorf("%w: %s://%s does not take the user and the password that are configured for it, which are not sent again", fault.ErrCredentials, u.Scheme, u.Host)
}
