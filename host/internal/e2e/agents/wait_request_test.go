package agents

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A wait for a request is for one that follows the latest action: neither an earlier one of the same URL, nor one that
// is still under way, is what the agent waits for.
func TestAWaitForARequestIsForOneThatTheLastActionMade(t *testing.T) {
	t.Parallel()
	answer := make(chan int)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/save") {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<button onclick="fetch('/save?n=1').catch(() => 0)">Save</button><button onclick="fetch('http://127.0.0.1:1/save').catch(() => 0)">Lose</button><p>text`))
			return
		}
		select {
		case status := <-answer:
			w.WriteHeader(status)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(site.CloseClientConnections) // before it waits for them
	t.Cleanup(site.Close)
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": site.URL})
	wait := arguments{"request": "/save"}
	u.bad("browser_wait_for", wait.with(arguments{"timeout_ms": 300}), "timeout", "no such request")

	u.good("browser_click", arguments{"text": "Save"})
	u.bad("browser_wait_for", wait.with(arguments{"timeout_ms": 1000}), "timeout", "GET "+site.URL+"/save", "under way")
	answer <- http.StatusCreated
	r := u.good("browser_wait_for", wait)
	want(t, r, "request.status", "201")
	want(t, r, "request.method", `"GET"`)
	id := text(t, r, "request.id")
	if got := u.good("browser_network_request", arguments{"id": id}); !strings.Contains(got.Text, "/save?n=1") {
		t.Errorf("the request %s is %s", id, show(got))
	}
	u.good("browser_snapshot", nil) // a reading is no action
	want(t, u.good("browser_wait_for", wait), "request.id", `"`+id+`"`)

	u.good("browser_hover", arguments{"text": "text"})
	u.bad("browser_wait_for", wait.with(arguments{"timeout_ms": 500}), "timeout", "no such request")
	u.good("browser_click", arguments{"text": "Save"})
	go func() { answer <- http.StatusTeapot }()
	again := u.good("browser_wait_for", wait)
	if want(t, again, "request.status", "418"); text(t, again, "request.id") == id {
		t.Errorf("the second request is the first: %s", show(again))
	}

	go func() { answer <- http.StatusAccepted }()
	list := u.good("browser_interact", arguments{"actions": []arguments{{"action": "click", "text": "Save"}, {"action": "wait_for", "request": "/save"}}})
	if !strings.Contains(list.Text, "status 202") {
		t.Errorf("in a list: %s", show(list))
	}

	u.good("browser_click", arguments{"text": "Lose"})
	lost := u.good("browser_wait_for", wait)
	if !strings.Contains(lost.Text, "has failed: net::ERR_") {
		t.Errorf("a request that fails: %s", show(lost))
	}
}
