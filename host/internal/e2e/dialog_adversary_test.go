package e2e

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestASecondClientTakesNativeDialogsFromTheAgent(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{}, nil, host.TaskOptions{Scope: host.ScopeBrowser})
	w.open("/empty")
	a := newAdversary(t, address)
	w.start("report('said', confirm('who decides?'))")
	want(t, "what the adversary met", a.next(), adversarySaid{Dialog: "confirm", Message: "who decides?"})
	want(t, "what the page got", w.reported("said"), "false")
	d := w.closed(1)[0]
	want(t, "closed by", d.ClosedBy, "remote")
}
