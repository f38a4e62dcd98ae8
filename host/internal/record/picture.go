package record

import (
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

// maxPicture bounds the pictures that are decoded, in bytes as received. A tab in the requested size needs far fewer.
const maxPicture = 16 << 20

// Picture is what a tab showed at a time.
type Picture struct {
	Target        string
	At            time.Time
	WebP          []byte
	Width, Height int // in pixels
}

// decodeFrame returns a picture, the frame of a video that it is, and the number to acknowledge it with.
func decodeFrame(f engine.Picture) (p Picture, frame recording.Frame, number int64, err error) {
	var e cdppage.EventScreencastFrame
	if len(f.Params) > maxPicture {
		return p, frame, 0, recording.ErrPicture
	}
	if err := cdp.Unmarshal(f.Params, &e); err != nil {
		return p, frame, 0, err
	}
	frame, err = recording.FromWebP(e.Data)
	return Picture{At: f.At, WebP: e.Data, Width: frame.Width, Height: frame.Height}, frame, e.SessionID, err
}
