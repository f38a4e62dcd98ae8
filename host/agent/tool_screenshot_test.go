package agent

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestAScreenshotOfASelector(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<div id=box style="width:60px;height:40px;background:red"></div>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.good("browser_screenshot", `{"selector":"#box"}`)
	want(t, r, "width", "60")
	want(t, r, "height", "40")
	listed := w.good("browser_interact", `{"actions":[{"action":"screenshot","selector":"#box"}]}`)
	want(t, listed, "results.0.result.width", "60")
	w.bad("browser_screenshot", `{"selector":"#nowhere","timeout_ms":3000}`, host.ErrNoElement)
	w.bad("browser_screenshot", `{"selector":"#box","ref":"e1"}`, host.ErrBadArguments)
	w.bad("browser_screenshot", `{"selector":"#box","full_page":true}`, host.ErrBadArguments)
	w.bad("browser_screenshot", `{"selector":"#["}`, host.ErrBadArguments)
}
