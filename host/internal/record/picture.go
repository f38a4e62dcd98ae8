package record

import (
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

// maxPicture bounds the pictures that are decoded, in bytes as received. A tab in the requested size needs far fewer.
const maxPicture = 16 << 20

// decodeFrame returns the frame of a video, and the number to acknowledge it with.
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
