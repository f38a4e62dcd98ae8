package page

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

var errSilent = errors.New("it is silent")

// stuckTab is a tab whose main thread never answers.
type stuckTab struct {
	Actor

	ctx context.Context
}

func (t stuckTab) Context() context.Context              { return t.ctx }
func (t stuckTab) Frames() []Frame                       { return []Frame{{ID: "top"}} }
func (t stuckTab) WithThreadTimeout(time.Duration) Actor { return t }
func (t stuckTab) Gone(error) bool                       { return false }
func (t stuckTab) Unresponsive(err error) bool {
	return t.ctx.Err() == nil && errors.Is(err, errSilent)
}

func (t stuckTab) RunOn(cdproto.FrameID, []cdproto.BackendNodeID, string, []any, any) error {
	select {
	case <-time.After(frameTimeout):
	case <-t.ctx.Done():
	}
	return errSilent
}

// Whenever the time is over: during a check, at its beginning, or between two.
func TestAWaitForAStuckPageSaysSo(t *testing.T) {
	for limit := 2 * time.Second; limit < 12*time.Second; limit += 100 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := Await(stuckTab{ctx: ctx}, Awaited{Text: "nothing", Present: true, Visible: true}, 0)
			if !errors.Is(err, errSilent) {
				t.Errorf("after %v: %v", limit, err)
			}
		})
	}
}
