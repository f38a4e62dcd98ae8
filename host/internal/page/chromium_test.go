package page

import (
	"net/url"
	"testing"
)

// chromium is a tab of a real browser with frames of one process.
type chromium struct {
	*corpusTab
	t testing.TB
}

func newChromium(t testing.TB) *chromium {
	t.Helper()
	c, err := newCorpusTab(t.Context(), corpusBrowser(t))
	if err != nil {
		t.Fatal(err)
	}
	return &chromium{c, t}
}

// load shows a page.
func (c *chromium) load(html string) {
	c.t.Helper()
	if err := c.corpusTab.load("data:text/html;charset=utf-8," + url.PathEscape(html)); err != nil {
		c.t.Fatal(err)
	}
}
