package e2e

import (
	"context"
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// lostPage has a frame in another process, in which a call is under way.
var lostPage = map[string]string{
	"/page":  `<iframe id=f src="{{127.0.0.1}}/inner"></iframe>`,
	"/inner": `<p>inner</p>`,
}

// oopif waits for the only frame below the top, and until it has a process of its own.
func (w *world) oopif() string {
	w.t.Helper()
	return w.await("the frame", func(s *host.Snapshot) bool {
		c := s.Page().RawFrameTree.Children
		return len(c) == 1 && c[0].IsOOPIF && c[0].SessionID != "" && c[0].URL == w.url("127.0.0.1", "/inner")
	}).Page().RawFrameTree.Children[0].FrameID
}

// A call in flight ends at once, in the top frame and in a frame of another process, whatever ends its place.
func TestACallInFlightEndsWithItsPlace(t *testing.T) {
	type scene struct {
		*world
		frame string // where the call is; empty: the top frame
		via   *proxy
	}
	for name, tc := range map[string]struct {
		end          func(s scene)
		top, inFrame error
	}{
		"the connection is lost": {end: func(s scene) { s.via.cut() }, top: host.ErrDisconnected, inFrame: host.ErrDisconnected},
		"the target crashes": {end: func(s scene) {
			id := s.frame
			if id == "" {
				id = s.Snapshot().Page().ID
			}
			newRawClient(s.ctx, s.t, s.address).crasher(id)()
		}, top: host.ErrTargetCrashed, inFrame: host.ErrTargetCrashed},
		"the tab is closed": {end: func(s scene) {
			newRawClient(s.ctx, s.t, s.address).call("", "Target.closeTarget", map[string]any{"targetId": s.Snapshot().Page().ID}, nil)
		}, top: host.ErrTargetGone, inFrame: host.ErrFrameGone}, // it goes before its tab does
		"the task is closed": {end: func(s scene) {
			if err := s.Task.Close(context.Background()); err != nil {
				s.t.Error(err)
			}
		}, top: host.ErrClosed, inFrame: host.ErrClosed},
		"the page is left": {end: func(s scene) {
			if err := commit(s.ctx, s.Tab(""), s.url("localhost", "/empty")); err != nil {
				s.t.Error(err)
			}
		}, top: host.ErrFrameGone, inFrame: host.ErrFrameGone},
		"the frame is removed":                   {end: func(s scene) { s.evaluate("f.remove()") }, inFrame: host.ErrFrameGone},
		"the frame navigates within its process": {end: func(s scene) { s.evaluate("f.src = f.src + '?again'") }, inFrame: host.ErrFrameGone},
		"the frame moves to another process":     {end: func(s scene) { s.evaluate("f.src = '/empty'") }, inFrame: host.ErrFrameGone},
	} {
		for _, raw := range []bool{false, true} {
			for place, ends := range map[string]error{"in the top frame": tc.top, "in a frame": tc.inFrame} {
				if ends == nil {
					continue
				}
				t.Run(name+" "+place+map[bool]string{false: "", true: ", by raw CDP"}[raw], func(t *testing.T) {
					start := newWorld
					if errors.Is(ends, host.ErrTargetCrashed) {
						start = newWorldAlone
					}
					w := start(t, lostPage, host.TaskOptions{})
					var via *proxy
					if errors.Is(ends, host.ErrDisconnected) {
						via = newProxy(t, w.address)
						w.Task = w.attachVia(via, "calls")
					}
					w.open("/page")
					frame := w.oopif()
					if place == "in the top frame" {
						frame = ""
					}
					result := make(chan error, 1)
					go func() { result <- w.waitForEver(frame, raw) }()
					w.reported("waiting")
					tc.end(scene{w, frame, via})
					if err := <-result; !errors.Is(err, ends) {
						t.Errorf("the call ended with: %v, want %v", err, ends)
					}
				})
			}
		}
	}
}

// waitForEver runs an expression whose promise never settles.
func (w *world) waitForEver(frame string, raw bool) error {
	expression := "fetch('" + w.url("127.0.0.1", "/report/waiting") + "', {method: 'POST', mode: 'no-cors', body: '1'}).then(() => " + forever + ")"
	if raw {
		_, err := w.CDP(w.ctx, host.CDPCall{Method: "Runtime.evaluate", FrameID: frame, Params: []byte(shared.Dump(map[string]any{"expression": expression, "awaitPromise": true}))})
		return err
	}
	_, err := w.Tab("").Evaluate(w.ctx, expression, &host.EvaluateOptions{Locator: host.InFrame(frame), AwaitPromise: true})
	return err
}
