package record

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

// maxPicture bounds the pictures that are decoded, in bytes as they come: one of a tab in the size that is asked for has
// far less.
const maxPicture = 16 << 20

// decode gives the frame of a video, and what has to be sent back for the next one.
func decodeFrame(f engine.Picture) (frame recording.Frame, number int64, err error) {
	var e cdppage.EventScreencastFrame
	if len(f.Params) > maxPicture {
		return frame, 0, recording.ErrPicture
	}
	if err := cdp.Unmarshal(f.Params, &e); err != nil {
		return frame, 0, err
	}
	frame, err = recording.FromWebP(e.Data)
	return frame, e.SessionID, err
}
