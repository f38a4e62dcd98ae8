package act

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// WaitLoad waits until the tab's document has reached a state, as [Tab.Navigate] does: WaitDOMContentLoaded, WaitLoad
// or WaitNetworkIdle. If the tab is about to have another document, that one counts. The network is idle once a
// document has been without a request for half a second, whatever it asks for later. Errors: as [Tab.Wait].
func (t Tab) WaitLoad(ctx context.Context, until WaitUntil) (err error) {
	defer fault.During("wait_load", &err)
	if !slices.Contains([]WaitUntil{WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, until) {
		return fmt.Errorf("%w: there is no load_state %q: domcontentloaded, load or networkidle", fault.ErrBadArguments, until)
	}
	return t.await(ctx, Locator{}, &WaitError{Load: until}, func(d *driver, out *WaitError) error {
		defer d.startWatch()()
		quick := *d
		quick.limit = time.Second
		a := &action{pages: t.pages, d: &quick}
		_, err := page.Until(d, 0, func() (is bool, unresponsive, err error) {
			if url := t.pages.Leaves(d.tab); url != "" { // and holds back what it is asked
				out.Seen = "on its way to " + namedURL(url)
				return false, nil, nil
			}
			is, seen, err := a.hasReached(until)
			if seen != "" {
				out.Seen = seen
			}
			unresponsive, err = d.goesOn(err)
			return is && t.pages.Leaves(d.tab) == "", unresponsive, err
		})
		return err
	})
}

// hasReached looks once whether the tab's document has reached a state, and says what it was.
func (a *action) hasReached(until WaitUntil) (is bool, seen string, err error) {
	if until == WaitNetworkIdle {
		a.d.watch.inspect(func(w *pageWatch) { is = a.isIdle(w) })
		return is, "not idle", a.d.answers()
	}
	looked := a.pages.Snapshot().Document(string(a.d.tab))
	err = a.d.Run("", 0, "() => document.readyState", nil, &seen)
	is = seen == "complete" || seen == "interactive" && until == WaitDOMContentLoaded
	return is && a.pages.Snapshot().Document(string(a.d.tab)) == looked, seen, err
}
