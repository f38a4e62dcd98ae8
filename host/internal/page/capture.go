package page

import (
	"time"

	cdppage "github.com/chromedp/cdproto/page"
)

// uncoverAfter is how long a screenshot may take before its tab is brought to the front.
const uncoverAfter = 500 * time.Millisecond

// capture takes a screenshot. Chromium renders nothing of a tab that is behind another one in its window, so its
// screenshot may never come, and emulating focus does not change that. A tab whose screenshot has not come after a
// moment is brought to the front, and then it comes. Usually no window moves, and the page that is covered now receives
// no event. This is repeated from time to time, because the screenshot of another tab may have covered this one.
func capture(d Reader, params *cdppage.CaptureScreenshotParams) ([]byte, error) {
	var reply struct {
		Data []byte `json:"data"`
	}
	taken := make(chan error, 1)
	go func() { taken <- d.Read("", cdppage.CommandCaptureScreenshot, params, &reply) }()
	wait := uncoverAfter
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case err := <-taken:
			return reply.Data, err
		case <-timer.C:
			// An error can be ignored: if something is wrong with the tab, the screenshot fails too.
			_ = d.Read("", cdppage.CommandBringToFront, nil, nil)
			wait *= 2
			timer.Reset(wait)
		}
	}
}
