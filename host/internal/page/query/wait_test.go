package query

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

var errSilent = errors.New("it is silent")

// stuckTab is a tab whose main thread never answers.
type stuckTab struct {
	page.Actor

	ctx context.Context
}

func (t stuckTab) Context() context.Context                   { return t.ctx }
func (t stuckTab) Frames() []page.Frame                       { return []page.Frame{{ID: "top"}} }
func (t stuckTab) WithThreadTimeout(time.Duration) page.Actor { return t }
func (t stuckTab) Gone(error) bool                            { return false }
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

// A page that has said that nothing is there, and is busy when it is asked again, has nothing there; one that never
// answered has said nothing.
func TestASearchThatAPageAnsweredOnceHasFoundNothing(t *testing.T) {
	for name, late := range map[string]error{"busy": fault.ErrRendererBusy, "out of time": fault.ErrTimeout, "a dialog": fault.ErrBlockedByDialog} {
		synctest.Test(t, func(t *testing.T) {
			searches := []error{late, fmt.Errorf("%w at all", page.ErrNotFound)}
			find := func() (page.Element, error) {
				err := searches[len(searches)-1]
				searches = searches[:len(searches)-1]
				return page.Element{}, err
			}
			tab := patientTab{stuckTab{ctx: t.Context()}}
			_, err := awaitFound(tab, find)
			if !errors.Is(err, late) || errors.Is(err, page.ErrNotFound) == errors.Is(late, fault.ErrBlockedByDialog) {
				t.Errorf("%s after nothing was found: %v", name, err)
			}
			if _, err := awaitFound(tab, func() (page.Element, error) { return page.Element{}, late }); !errors.Is(err, late) || errors.Is(err, page.ErrNotFound) {
				t.Errorf("%s at once: %v", name, err)
			}
		})
	}
}

// An element has the time of the search to appear, and that begins when the page answers.
func TestASearchEndsBeforeItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, answers := time.Now(), 0
		_, err := awaitFound(patientTab{stuckTab{ctx: t.Context()}}, func() (page.Element, error) {
			if answers++; answers == 1 {
				<-time.After(10 * time.Minute) // as a busy page does
			}
			return page.Element{}, page.ErrNotFound
		})
		if took := time.Since(began); !errors.Is(err, page.ErrNotFound) || took < 10*time.Minute || took > 11*time.Minute {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// patientTab is a tab whose searches have all the time that they need.
type patientTab struct{ stuckTab }

func (patientTab) WaitLimit() time.Duration  { return time.Hour }
func (patientTab) ReadyLimit() time.Duration { return time.Minute }
