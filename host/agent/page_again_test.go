//go:build unix

package agent

import (
	"strings"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// afterRestart has calls about a page, with what they find on the page that was open before.
var afterRestart = map[string]struct{ arguments, path, value string }{
	"browser_extract_text": {``, "text", `"Save\n\none"`},
	"browser_click":        {`{"selector":"button"}`, "clicked", `"button \"Save\""`},
	"browser_screenshot":   {`{"selector":"#p"}`, "success", "true"},
	"browser_snapshot":     {``, "url", `"SITE/one"`},
	"browser_vision":       {`{"question":"what is there?"}`, "success", "true"},
	"browser_find":         {`{"role":"button"}`, "found", "1"},
	"browser_get_images":   {``, "count", "0"},
	"browser_wait_for":     {`{"text":"one"}`, "state", `"visible"`},
	"browser_evaluate":     {`{"expression":"location.pathname"}`, "result", `"/one"`},
	"browser_console":      {`{"expression":"location.pathname"}`, "result", `"/one"`},
	"browser_press":        {`{"key":"Tab"}`, "pressed", `"Tab"`},
	"browser_scroll":       {`{"direction":"down"}`, "scrolled", `"down"`},
	"browser_reload":       {``, "url", `"SITE/one"`},
	"browser_interact":     {`{"actions":[{"action":"extract_text","selector":"#p"}]}`, "results.0.result.text", `"one"`},
}

func TestAfterARestartACallIsOnTheLastPageAndSaysSo(t *testing.T) {
	for tool, call := range afterRestart {
		t.Run(tool, func(t *testing.T) {
			m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
			m.good("browser_navigate", `{"url":"SITE/one"}`)
			m.die()
			m.good("browser_tabs", ``) // reports the restart, and needs no page
			r := m.good(tool, call.arguments)
			want(t, r, call.path, strings.ReplaceAll(call.value, "SITE", m.site))
			want(t, r, "returned_to.url", `"`+m.site+`/one"`)
			want(t, r, "returned_to.http_status", "200")
			if !strings.Contains(r.Text, "the last one was opened again") {
				t.Errorf("the text says nothing of it: %s", r.Text)
			}
			want(t, m.good("browser_snapshot", ``), "returned_to", "null") // it is said once
		})
	}
}

func TestAfterARestartACallWithoutAnAddressToGoToFails(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	m.good("browser_tabs", ``)
	m.die()
	for tool, call := range afterRestart {
		if tool == "browser_interact" {
			r := m.call(tool, call.arguments)
			want(t, r, "results.0.kind", `"no_page"`)
			continue
		}
		r := m.bad(tool, call.arguments, fault.ErrNoPage)
		if text := field(t, r, "error"); !strings.Contains(text, "restarted") || !strings.Contains(text, "browser_navigate") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	m.good("browser_navigate", `{"url":"SITE/two"}`)
	want(t, m.good("browser_extract_text", ``), "text", `"two"`)
}

// Calls that open a page, or work without one, do not return to the last page.
func TestAfterARestartAnAgentGoesWhereItWants(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	m.die()
	r := m.good("browser_interact", `{"url":"SITE/two","actions":[{"action":"extract_text"}]}`)
	want(t, r, "results.1.result.text", `"two"`)
	want(t, r, "returned_to", "null")
	m.die()
	m.good("browser_navigate", `{"url":"about:blank"}`)
	want(t, m.good("browser_evaluate", `{"expression":"location.href"}`), "result", `"about:blank"`)
}

func TestAfterARestartCallsAtTheSameTimeGoBackOnce(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	m.die()
	results := make([]Result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i] = m.call("browser_extract_text", ``) })
	}
	all.Wait()
	told := 0
	for _, r := range results {
		want(t, r, "text", `"Save\n\none"`)
		if r.Structured["returned_to"] != nil {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d results say that the page was opened again", told)
	}
}

// A dialog of the page that is opened again comes first; the requested call is then not begun.
func TestAfterARestartADialogOfTheLastPageIsTold(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, map[string]string{"/asks": `<button>Save</button><script>confirm("well?")</script>`})
	blocked := m.bad("browser_navigate", `{"url":"SITE/asks"}`, host.ErrBlockedByDialog)
	m.good("browser_dialog", `{"action":"accept"}`)
	m.good("browser_resume", `{"call_id":`+field(t, blocked, "call_id")+`}`)
	m.die()
	blocked = m.bad("browser_click", `{"selector":"button"}`, host.ErrBlockedByDialog)
	want(t, blocked, "call_id", "null")
	want(t, blocked, "returned_to.url", `"`+m.site+`/asks"`)
	m.good("browser_dialog", `{"action":"accept"}`)
	want(t, m.good("browser_click", `{"selector":"button"}`), "clicked", `"button \"Save\""`)
}
