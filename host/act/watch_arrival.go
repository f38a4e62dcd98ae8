package act

import (
	"strconv"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Announce implements [input.Actor]. The binding exists only in our world, where the page's scripts cannot call it.
func (d *driver) Announce(frame cdproto.FrameID) error {
	place, err := d.op.Locate(supervise.FrameSelector{Target: d.tab, Frame: frame})
	if err != nil || d.watch == nil || !d.watch.addBinding(place.Session) {
		return err
	}
	d.op.Task().Tell(place.Session, runtime.CommandAddBinding, &runtime.AddBindingParams{
		Name: input.ArrivalBinding, ExecutionContextName: isolatedWorldName,
	})
	return nil
}

// Announced implements [input.Actor].
func (d *driver) Announced(id uint64) input.Arrival {
	if d.watch == nil {
		return ""
	}
	d.watch.mu.Lock()
	defer d.watch.mu.Unlock()
	return d.watch.arrivals[id]
}

// addBinding records that a session has the binding; it is false if that was already known.
func (w *pageWatch) addBinding(session target.SessionID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	had := w.bindings[session]
	w.bindings[session] = true
	return !had
}

// noteArrival records what one of our listeners announces.
func (w *pageWatch) noteArrival(params []byte) {
	var e runtime.EventBindingCalled
	if cdp.Unmarshal(params, &e) != nil || e.Name != input.ArrivalBinding {
		return
	}
	number, what, _ := strings.Cut(e.Payload, " ")
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return
	}
	w.arrivals[id] = input.Arrival(what)
	w.delivered = w.delivered || w.arrivals[id] != input.ArrivesWithin && w.arrivals[id] != input.HeldBack
}

// isUndelivered reports whether listeners for the action's input were installed in a page of the tab and none has
// announced any.
func (w *pageWatch) isUndelivered() (undelivered bool) {
	w.inspect(func(w *pageWatch) { undelivered = len(w.bindings) > 0 && !w.delivered })
	return undelivered
}

// isDelivered reports whether a page of the tab has received input of the action, though its handlers may not have
// returned. The watch's channel is closed when that changes.
func (w *pageWatch) isDelivered() (delivered bool) {
	w.inspect(func(w *pageWatch) { delivered = w.delivered })
	return delivered
}
