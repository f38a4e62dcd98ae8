package act

import (
	"context"
	"errors"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
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
