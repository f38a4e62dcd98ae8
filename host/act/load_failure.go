package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// errorPageLimit bounds the wait for the document of the browser's error page, which another navigation may replace.
const errorPageLimit = 5 * time.Second

// guardMark is the point in the order of the guard's failures before a navigation.
func (p *Pages) guardMark() uint64 {
	if g := p.Link.Guard(); g != nil {
		return g.Mark()
	}
	return 0
}

// networkFailure replaces the browser's error of a navigation by what the host's proxy knows: that it refused the
// address, or why it could not connect. The URL that failed is that of the error page: redirects may have led there.
func (a *action) networkFailure(mark uint64, url string, result *cdppage.NavigateResult) error {
	g := a.pages.Link.Guard()
	if g == nil || g.Mark() == mark {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.d.op.Context(), errorPageLimit)
	defer cancel()
	a.pages.Wait(ctx, func(s *view.Snapshot) bool { return s.Gone() || s.Document(string(a.d.tab)) == result.LoaderID })
	failed := g.Since(mark, a.committedURL(url))
	if failed == nil {
		return nil
	}
	var refusal *fault.NetworkRefusedError
	if errors.As(failed.Err, &refusal) {
		return refusal
	}
	if failed.Reason != "" {
		result.ErrorText = failed.Reason
	}
	return nil
}

// denied says why the host did not let a tab have the newest document that it denied to it since the action began;
// empty if there was none.
func (a *action) denied(tab string) (url, why string) {
	d := a.pages.Snapshot().DenialSince(a.before.LastDenial(), tab)
	if d == nil || d.RewrittenTo != "" {
		return "", ""
	}
	return d.URL, d.Why()
}

// whyFailed says why a tab did not get the document of a URL, which failed says of it, or stayed, with an empty URL;
// empty: nothing kept it from that. It tells no denial after which the page went elsewhere.
func (a *action) whyFailed(tab, url string, failed bool) string {
	at, why := a.denied(tab)
	if why != "" && (failed || url == "" || url == blankURL || url == at) {
		return why
	}
	if !failed {
		return ""
	}
	if g := a.pages.Link.Guard(); g != nil {
		if f := g.Since(a.failures, url); f != nil {
			return cmp.Or(f.Reason, f.Err.Error())
		}
	}
	var code string
	if tab == string(a.d.tab) {
		_ = a.d.Run("", 0, errorCode, nil, &code) // without it, less is told
	}
	if code == "" {
		return "the browser shows its error page"
	}
	return "net::" + pagetext.Line(pagetext.Shorten(code, maxErrorCode))
}

// errorCode is the error on the browser's error page, such as ERR_NAME_NOT_RESOLVED, which a script of that page writes
// there when it is parsed.
const errorCode = `async () => {
	for (const end = performance.now() + 2000; ; await after(20)) {
		const code = document.querySelector(".error-code")?.textContent;
		if (code || document.readyState === "complete" || performance.now() > end) return code ?? "";
	}
}`

// maxErrorCode caps it, in bytes: no error of the browser's is as long.
const maxErrorCode = 100

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
