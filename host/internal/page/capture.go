package page

import (
	"time"

	cdppage "github.com/chromedp/cdproto/page"
)

// uncoverAfter is how long a picture may take before its tab is brought to the front.
const uncoverAfter = 500 * time.Millisecond

// capture takes a picture. Chromium draws nothing of a tab that is behind another one in its window, so that the picture of
// one may never come, and the emulation of focus does not change that. A tab whose picture has not come after a moment is
// brought to the front, and the picture that was asked for comes then: mostly none is moved, and the page that is covered by
// it hears nothing. It is done again from time to time, as the picture of another tab may have covered this one meanwhile.
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
			// Where it fails nothing is lost: what is wrong with the tab is told of the picture, too.
			_ = d.Read("", cdppage.CommandBringToFront, nil, nil)
			wait *= 2
			timer.Reset(wait)
		}
	}
}
