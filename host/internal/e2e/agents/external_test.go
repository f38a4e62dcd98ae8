package agents

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestALinkToAnotherProgramIsTold(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.Handle("/calls", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<!doctype html><a id=call href="tel:+123">call</a><a id=join href="zoommtg://join?next=`+strings.Repeat("x", 9000)+`">join</a>`)
	})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/calls"})
	r := u.good("browser_click", arguments{"selector": "#call"})
	want(t, r, "external_protocol", `"tel:+123"`)
	if fields := lookUp(t, r, "untrusted.fields"); !strings.Contains(fields, "external_protocol") {
		t.Errorf("the address is not marked as the page's: %s", fields)
	}
	if !strings.Contains(r.Text, `the page asked for another program by "tel:+123"`) || !strings.HasPrefix(r.Text, "<untrusted ") {
		t.Errorf("the text is %s", r.Text)
	}
	r = u.good("browser_click", arguments{"selector": "#join"})
	if address := text(t, r, "external_protocol"); !strings.HasPrefix(address, "zoommtg://join?") || len(address) > 3000 {
		t.Errorf("the address has %d bytes: %.50s", len(address), address)
	}
	u.bad("browser_navigate", arguments{"url": "tel:+123"}, "refused", "tel")
}
