package host

import (
	"context"
	"errors"
	"testing"
)

func TestClosingAHostWaitsForStartsAsLongAsItsContext(t *testing.T) {
	over, end := context.WithCancelCause(t.Context())
	reason := errors.New("no time")
	end(reason)
	for name, c := range map[string]struct {
		starts int
		ctx    context.Context
		want   error
	}{
		"no start, and no time":  {0, over, nil},
		"starts, and no time":    {2, over, reason},
		"starts, and time":       {2, t.Context(), nil},
		"no start, and all time": {0, t.Context(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := New(t.Context(), &Options{PluginCacheDir: compiled})
			if err != nil {
				t.Fatal(err)
			}
			for range c.starts {
				start, end, err := h.beginStart(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if c.want != nil {
					defer end()
					continue
				}
				go func() {
					<-start.Done()
					end()
				}()
			}
			if err := h.Close(c.ctx); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if _, _, err := h.beginStart(t.Context()); !errors.Is(err, ErrClosed) {
				t.Errorf("a start after the end: %v", err)
			}
		})
	}
}
