package page

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// restless is a tab whose document changes until a time, and answers from another on.
type restless struct {
	*player
	changed, answers time.Time
}

func (r restless) RunWithin(ctx context.Context, _ cdproto.FrameID, _ []cdproto.BackendNodeID, function string, _ []any, result any) error {
	if function == forgetChange {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(r.answers)):
	}
	text, err := json.Marshal(max(time.Since(r.changed).Milliseconds(), 0))
	return errors.Join(err, json.Unmarshal(text, result))
}

func TestAPageIsAtRestOnceNothingHappens(t *testing.T) {
	for name, c := range map[string]struct{ changes, silent, waits, takes time.Duration }{
		"at once":              {0, 0, 0, calm},
		"after changes":        {200 * time.Millisecond, 0, 0, 300 * time.Millisecond},
		"after an answer":      {0, 0, 250 * time.Millisecond, 350 * time.Millisecond},
		"never":                {time.Hour, 0, time.Hour, 500 * time.Millisecond},
		"a page that is busy":  {0, 900 * time.Millisecond, 0, 900 * time.Millisecond},
		"one without an end":   {0, time.Hour, 0, 2 * time.Second},
		"an answer that hangs": {0, 0, time.Hour, 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				tab := restless{play(t, "shop"), began.Add(c.changes), began.Add(c.silent)}
				err := AwaitRest(tab, 500*time.Millisecond, func() bool { return time.Since(began) < c.waits })
				if took := time.Since(began); err != nil || took < c.takes-calmLook || took > c.takes+2*calmLook {
					t.Errorf("it took %v instead of %v: %v", took, c.takes, err)
				}
			})
		})
	}
}
