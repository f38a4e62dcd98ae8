package toolkit

import (
	"cmp"
	"context"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Open loads a URL in a tab, and notes that the agent has reached a page.
func (k *Kit) Open(ctx context.Context, tab, url string, o host.NavigateOptions) (host.Document, error) {
	loaded, err := k.Task.Tab(tab).Navigate(ctx, url, &o)
	if err == nil && o.WaitUntil == host.WaitCommit {
		recovered := loaded.InputRecovered
		loaded, err = k.Task.Tab(tab).Document(ctx)
		loaded.InputRecovered = recovered
	}
	if err == nil || GoesOn(err) != "" {
		k.landed.Store(true)
	}
	return loaded, err
}

// Address returns the given URL, or that of the last good page, if it may be loaded.
func (k *Kit) Address(ctx context.Context, url string) (string, error) {
	if url = cmp.Or(url, k.Task.LastURL()); url == "" {
		return "", result.BadArgument("url", "a URL is required, such as https://example.org/: there is no last page to go back to")
	}
	return url, Loadable(ctx, "url", url)
}

// maxLoading is how long a page that is there has to load if the caller names no state: one with a picture, or a
// script, that does not come is worth more to an agent than an error.
const maxLoading = 10 * time.Second

// NavigateOptions are those of a navigation that waits for a state; empty: until it has loaded, at most for a while.
func NavigateOptions(until string) host.NavigateOptions {
	if until == "" {
		return host.NavigateOptions{LoadLimit: maxLoading}
	}
	return host.NavigateOptions{WaitUntil: host.WaitUntil(until)}
}

// GotoResult is the result of the action goto.
type GotoResult struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	HTTPStatus int    `json:"http_status,omitempty"`
	// Unfinished says why the page is not all that it may be; empty: it is.
	Unfinished string `json:"unfinished,omitempty"`
}

// Text returns the URL and the title.
func (r GotoResult) Text() string {
	text := "now at " + r.URL + " " + pagetext.QuoteShown(r.Title)
	if r.Unfinished != "" {
		text += "\n" + r.Unfinished
	}
	return text
}

// Unfinished says why a page is not all that it may be; empty: it is.
func Unfinished(loaded host.Document) string {
	switch {
	case loaded.BrokenOff:
		return "the response broke off before its end: the page is what had arrived, and will not get more"
	case loaded.Loading:
		return "the page goes on loading: what is missing may still come"
	}
	return ""
}

// Load is the action goto: unlike browser_navigate, it does not read the page.
func (k *Kit) Load(ctx context.Context, url, tab, until string, limit Timeout) (GotoResult, error) {
	ctx, cancel := k.Within(ctx, limit)
	defer cancel()
	url, err := k.Address(ctx, url)
	if err != nil {
		return GotoResult{}, err
	}
	loaded, err := k.Open(ctx, tab, url, NavigateOptions(until))
	return Then(ctx, k, loaded, err, func(_ context.Context, l host.Document) (GotoResult, error) {
		return GotoResult{result.Visible(l.URL), result.Visible(l.Title), l.HTTPStatus, Unfinished(l)}, nil
	})
}
