package e2e

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Whatever the action and wherever the frame: its caller is told that it was delivered, and can end what it set off.
func TestEveryActionWhoseHandlerNeverEndsIsToldAsDelivered(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"/stuck", "/stuck-far"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			address, _ := shared.Own(t)
			w := newWorldOn(t, address, host.Options{}, stuckPages, host.TaskOptions{})
			// The handler has begun when the host has waited for it, on a busy machine too.
			pace := shared.Measure(func() {
				where := host.Locator{Selector: "#drop", FrameID: w.openStuck("/stuck", 2)[place]}
				if _, err := w.Tab("").Click(w.ctx, where, nil); err != nil {
					t.Fatal(err)
				}
			})
			w = newWorldOn(t, address, host.Options{ActionWait: pace.Times(1, 500*time.Millisecond)}, stuckPages, host.TaskOptions{Scope: host.ScopeContext})
			for name, act := range stuckActions {
				frame := w.openStuck("/stuck", 2)[place]
				err := act(w, func(id string) host.Locator {
					return host.Locator{Selector: "#" + id, FrameID: frame}
				})
				var delivered *host.DeliveredError
				if !errors.As(err, &delivered) || delivered.TargetID != w.Snapshot().Page().ID || host.CodeOf(err) != host.ErrDelivered {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if err := w.Stop(w.ctx, delivered.CallID); err != nil {
					t.Errorf("%s: stop: %v", name, err)
				}
				var stopped *host.StoppedError
				if _, err := w.Resume(w.ctx, delivered.CallID); !errors.As(err, &stopped) || !stopped.Terminated || !stopped.Sent || host.CodeOf(err) != host.ErrAborted {
					t.Errorf("%s: it came to %v", name, err)
				}
				if w.kept(frame) == "0" {
					t.Errorf("%s: the handler did not run", name)
				}
			}
		})
	}
}

// A text has a handler for each of its keys: none of them keeps the tab, whichever way it leaves its page.
func TestAPageThatIsBusyWithATextCanBeLeft(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{ActionWait: time.Second}, stuckPages, host.TaskOptions{})
	limited := func() context.Context { return within(t, w.ctx, shared.Limit()/4) }
	for name, leave := range map[string]func() error{
		"another page of the site": func() error {
			_, err := w.Tab("").Navigate(limited(), w.url("localhost", "/stuck-other"), nil)
			return err
		},
		"a page of another site": func() error {
			_, err := w.Tab("").Navigate(limited(), w.url("127.0.0.1", "/stuck-other"), nil)
			return err
		},
		"to its first document": func() error {
			return commit(w.ctx, w.Tab(""), w.url("localhost", "/stuck-other"))
		},
		"back": func() error {
			_, err := w.Tab("").Back(limited())
			return err
		},
		"itself": func() error {
			_, err := w.Tab("").Reload(limited())
			return err
		},
		"ended on request": func() error {
			return w.Stop(w.ctx, w.Interrupted()[0])
		},
		"closed": func() error {
			tab, err := w.OpenTab(w.ctx, "")
			if err == nil {
				err = w.Tabs()[0].Close(w.ctx)
			}
			if err == nil && w.Snapshot().Page().ID != tab.Info().TargetID {
				err = errors.New("the new tab is not in use")
			}
			return err
		},
	} {
		w.open("/stuck-other")
		w.open("/stuck-same")
		_, err := w.Tab("").Type(within(t, w.ctx, shared.Limit()/2), host.BySelector("#key"), "abc", nil)
		var delivered *host.DeliveredError
		if !errors.As(err, &delivered) {
			t.Fatalf("%s: %v", name, err)
		}
		if err := leave(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := w.Tab("").Evaluate(limited(), "1", nil); err != nil || string(got.Value) != "1" {
			t.Errorf("%s: the page afterwards: %s, %v", name, got.Value, err)
		}
		if _, err := w.Resume(w.ctx, delivered.CallID); host.CodeOf(err) != host.ErrAborted {
			t.Errorf("%s: the typing came to %v", name, err)
		}
	}
}

// A caller who still waits for the action is no reason to stay.
func TestAPageThatIsStuckInATextIsLeftByAnotherCall(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/": `<input id=key onkeydown="` + spinsLoudly + `">`, "/other": `<p>other`}
	for _, site := range []string{"localhost", "127.0.0.1"} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			address, _ := shared.Own(t)
			w := newWorldOn(t, address, host.Options{ActionWait: -1}, pages, host.TaskOptions{})
			w.open("/")
			typed := make(chan error, 1)
			go func() {
				_, err := w.Tab("").Type(within(t, w.ctx, shared.Limit()/2), host.BySelector("#key"), "abc", nil)
				typed <- err
			}()
			w.reported("spins")
			if _, err := w.Tab("").Navigate(within(t, w.ctx, shared.Limit()/4), w.url(site, "/other"), nil); err != nil {
				t.Fatal(err)
			}
			if err := <-typed; host.CodeOf(err) != host.ErrAborted {
				t.Errorf("the typing came to %v", err)
			}
		})
	}
}
