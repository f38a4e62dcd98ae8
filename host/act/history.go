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

// How long the browser process may take to note a document, and how often it is asked. No event tells of it.
const (
	historyLimit = time.Second
	historyPause = 5 * time.Millisecond
)

// noted waits until the browser process has taken note of the document that a tab shows. A renderer announces its document
// before that, and a navigation that starts in between is aborted.
//
// Where the two can not be compared, as on error pages, one round trip has to do. Its errors are those of do, and the
// context's.
func (t *Task) awaitHistory(ctx context.Context, targetID string, do func(*engine.Call, any) error) error {
	limit, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	for {
		var history cdppage.GetNavigationHistoryResult
		err := do(&engine.Call{Method: cdppage.CommandGetNavigationHistory, Call: schedule.Call{Tab: target.ID(targetID), Revives: true}}, &history)
		switch {
		case err != nil && !errors.Is(err, fault.ErrProtocol): // a page that is being replaced is refused
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

// shows tells whether the current entry of a tab's history may be the document of its top frame.
func (t *Task) historyShows(targetID string, history *cdppage.GetNavigationHistoryResult) bool {
	tab := t.Snapshot().Target(targetID)
	if targetID == "" {
		tab = t.Snapshot().Page()
	}
	if tab == nil || tab.RawFrameTree == nil || history.CurrentIndex < 0 || history.CurrentIndex >= int64(len(history.Entries)) {
		return true
	}
	document := tab.RawFrameTree.Top.URL
	return !strings.HasPrefix(document, "http") || withoutFragment(document) == withoutFragment(history.Entries[history.CurrentIndex].URL)
}

// withoutFragment is what a document is known by: the tree and the history give its fragment at different times.
func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}
