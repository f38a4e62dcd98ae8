package record

import (
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

// maxPicture bounds the pictures that are decoded, in bytes as received. A tab in the requested size needs far fewer.
const maxPicture = 16 << 20

// Picture is what a tab showed at a time.
type Picture struct {
	// Target is the tab, and Handle its short name.
	Target, Handle string
	At             time.Time
	WebP           []byte
	// Frame is the picture as a frame of a video; it has its width and height in pixels.
	Frame recording.Frame
	// PageWidth and PageHeight are those of the viewport in CSS pixels.
	PageWidth, PageHeight float64
	// Missed counts earlier pictures of the tab that nobody saw.
	Missed int
}

// decodeFrame returns a picture and the number to acknowledge it with.
func decodeFrame(f screencast.Picture) (p Picture, number int64, err error) {
	var e cdppage.EventScreencastFrame
	if len(f.Params) > maxPicture {
		return p, 0, recording.ErrPicture
	}
	if err := cdp.Unmarshal(f.Params, &e); err != nil {
		return p, 0, err
	}
	frame, err := recording.FromWebP(e.Data)
	p = Picture{At: f.At, WebP: e.Data, Frame: frame}
	if e.Metadata != nil {
		p.PageWidth, p.PageHeight = e.Metadata.DeviceWidth, e.Metadata.DeviceHeight
	}
	return p, e.SessionID, err
}
