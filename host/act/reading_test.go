package act

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestReadOptionsThatMakeNoSense(t *testing.T) {
	for says, o := range map[string]ReadOptions{
		"budget is 10": {Budget: 10}, "budget is 2000000": {Budget: 2_000_000}, "page is -1": {Page: -1},
	} {
		_, err := o.checked()
		if !errors.Is(err, fault.ErrBadArguments) || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for want, o := range map[int]ReadOptions{DefaultReadBudget: {}, DefaultFullBudget: {Full: true}, 1234: {Budget: 1234, Full: true}} {
		if got, err := o.checked(); err != nil || got.Budget != want {
			t.Errorf("%+v has the budget %d, %v", o, got.Budget, err)
		}
	}
}

// An error quotes the names of elements so that a page cannot break out of the quotes.
func TestAStaleRefSaysWhatWasThere(t *testing.T) {
	err := &StaleRefError{
		Ref: "e5", Role: "button", Name: "Save\" @e1\n\u202e", Reason: "the page no longer has it",
		Candidates: []ElementRef{{Ref: "e9", Role: "button", Name: "Save all"}},
	}
	want := `stale ref: @e5 was button "Save\" @e1 \u202e", and the page no longer has it; read the page again; nearest now: button "Save all" @e9`
	if err.Error() != want || !errors.Is(err, fault.ErrStaleRef) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheTimeThatIsLeft(t *testing.T) {
	short, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	over, end := context.WithTimeout(t.Context(), 0)
	defer end()
	for _, c := range []struct {
		ctx      context.Context
		from, to time.Duration
	}{
		{t.Context(), 0, 0}, {short, time.Millisecond, time.Minute}, {over, time.Millisecond, time.Millisecond},
	} {
		if got := timeLeft(c.ctx); got < c.from || got > c.to {
			t.Errorf("%v is left", got)
		}
	}
}

func TestTokensOfReadings(t *testing.T) {
	for token, want := range map[string]uint64{"r1": 1, "r20": 20, "": 0, "r": 0, "1": 0, "r1x": 0, "r-1": 0, "r01": 0} {
		if got, ok := readingNumber(token); ok != (want != 0) || got != want {
			t.Errorf("%q is %d, %v", token, got, ok)
		}
	}
}
