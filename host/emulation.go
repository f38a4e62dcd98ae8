package host

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Emulate replaces what is emulated in all tabs of the task, their frames and workers, those that open later before
// their first script runs, and again after a reconnect. The zero value ends it, and so does the end of the task. On an
// error, what was emulated before is emulated again. Errors: ErrBadArguments, which names what the browser does not
// take, such as an unknown timezone; ErrTask; ErrClosed; and the context's, as a page that a dialog blocks may not
// reply.
//
// Pages of one renderer process share timezone, locale and being offline, whichever task they belong to. Permissions
// are those of the task's browser context. In the browser's default context, ending them also ends those that other
// tasks of the connection have.
func (t *Task) Emulate(ctx context.Context, e Emulation) (err error) {
	defer fault.During("emulate", &err)
	return t.engine.Emulate(ctx, e)
}

// Device is what emulates a well known device, such as "Pixel 7": its viewport, its touch screen and its user agent,
// which has the version of this browser if the device's own is a Chromium. Errors: ErrBadArguments, which names the
// nearest device, and those of [Task.CDP].
func (t *Task) Device(ctx context.Context, name string) (_ Emulation, err error) {
	defer fault.During("device", &err)
	reply, err := t.CDP(ctx, CDPCall{Method: browser.CommandGetVersion})
	if err != nil {
		return Emulation{}, err
	}
	var said browser.GetVersionResult
	if err := json.Unmarshal(reply.Result, &said); err != nil {
		return Emulation{}, err
	}
	_, version, _ := strings.Cut(said.Product, "/")
	major, _, _ := strings.Cut(version, ".")
	return view.Device(name, major+".0.0.0") // as browsers shorten it
}

// Emulation returns what is emulated.
func (t *Task) Emulation() Emulation { return t.engine.Emulation() }

// emulationOf is what a task emulates from the start.
func (t *Task) emulationOf(ctx context.Context, o TaskOptions) (Emulation, error) {
	e := o.Emulation
	if o.Device == "" {
		return e, nil
	}
	d, err := t.Device(ctx, o.Device)
	e.Width, e.Height, e.Scale = cmp.Or(e.Width, d.Width), cmp.Or(e.Height, d.Height), cmp.Or(e.Scale, d.Scale)
	e.UserAgent, e.Mobile, e.Touch = cmp.Or(e.UserAgent, d.UserAgent), e.Mobile || d.Mobile, e.Touch || d.Touch
	return e, err
}
