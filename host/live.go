package host

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
)

// LivePicture is what a tab showed at a time.
type LivePicture struct {
	TargetID string
	At       time.Time
	WebP     []byte
	// Width and Height are those of the picture in pixels, PageWidth and PageHeight those of the viewport that it shows in
	// CSS pixels, which is what [Tab.ClickAt] takes.
	Width, Height         int
	PageWidth, PageHeight float64
}

// liveEvery is the least time between two pictures of a tab.
const liveEvery = 100 * time.Millisecond

// Watch shows what the tabs of the task show from now on, until stop is called: a picture of each tab, and then one
// whenever it has changed. see is called from several goroutines and must not block.
func (t *Task) Watch(see func(LivePicture)) (stop func()) {
	return t.camera.Look(record.Viewer{Every: liveEvery, Side: 1280, See: func(p record.Picture) {
		see(LivePicture{
			TargetID: p.Target, At: p.At, WebP: p.WebP, Width: p.Frame.Width, Height: p.Frame.Height,
			PageWidth: p.PageWidth, PageHeight: p.PageHeight,
		})
	}})
}

// Began is when the task began.
func (t *Task) Began() time.Time { return t.began }
