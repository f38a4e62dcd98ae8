package page

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// viewerTab is a tab with a PDF file, whose viewer opens a second after its document, and is decided on a second later.
type viewerTab struct {
	Reader

	ctx   context.Context
	begun time.Time
}

func (t viewerTab) Context() context.Context { return t.ctx }

func (t viewerTab) Frames() []Frame {
	frames, passed := []Frame{{ID: "top"}}, time.Since(t.begun)
	if passed >= time.Second {
		frames = append(frames, Frame{ID: "viewer", Parent: "top", OOPIF: true, Origin: pdfViewer, Undecided: passed < 2*time.Second})
	}
	return frames
}

func (t viewerTab) RunWithin(_ context.Context, _ cdproto.FrameID, _ []cdproto.BackendNodeID, _ string, _ []any, result any) error {
	*result.(*bool) = true // showsPDF
	return nil
}

// A viewer that the frame filter has not decided on is closed to agents until then: its text would be missing.
func TestAViewerIsAwaitedUntilItIsDecidedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if !AwaitViewer(viewerTab{ctx: t.Context(), begun: begun}) {
			t.Error("there is no viewer")
		}
		if passed := time.Since(begun); passed < 2*time.Second {
			t.Errorf("awaited for only %v", passed)
		}
	})
}
