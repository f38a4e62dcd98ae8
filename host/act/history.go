package act

import (
	"context"
	"errors"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// How long the browser process may take to record a document in its history, and how often it is asked. There is no
// event for it.
const (
	historyLimit = time.Second
	historyPause = 5 * time.Millisecond
)

// awaitHistory waits until the browser process has recorded the document that a tab shows in the tab's history. A
// renderer announces its document before that, and a navigation that starts in between is aborted.
//
// If the two cannot be compared, as on error pages, one round trip must do. Its errors are those of do, and the
// context's.
func (t *Task) awaitHistory(ctx context.Context, targetID string, do func(*engine.Call, any) error) error {
	limit, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	for {
		var history cdppage.GetNavigationHistoryResult
		err := do(&engine.Call{Method: cdppage.CommandGetNavigationHistory, Call: schedule.Call{Tab: target.ID(targetID), Revives: true}}, &history)
		switch {
		case err != nil && !errors.Is(err, fault.ErrProtocol): // the browser refuses while a page is being replaced
			return err
		case err == nil && t.historyShows(targetID, &history):
			return nil
		}
		select {
		case <-time.After(historyPause):
		case <-limit.Done():
			return context.Cause(ctx)
		}
	}
}

// historyShows reports whether the current entry of a tab's history may be the document of its top frame.
func (t *Task) historyShows(targetID string, history *cdppage.GetNavigationHistoryResult) bool {
	tab := t.target(targetID)
	if tab == nil || tab.RawFrameTree == nil || history.CurrentIndex < 0 || history.CurrentIndex >= int64(len(history.Entries)) {
		return true
	}
	document := tab.RawFrameTree.Top.URL
	return !strings.HasPrefix(document, "http") || withoutFragment(document) == withoutFragment(history.Entries[history.CurrentIndex].URL)
}

// withoutFragment removes the fragment of a URL: the frame tree and the history are updated with it at different times.
func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}
