//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
)

// wantInUse checks that everything that marks a tab marks this one and no other, and that calls without a tab go there.
func (s *shell) wantInUse(url string) {
	s.t.Helper()
	if s.t.Failed() {
		return
	}
	for line, mark := range map[string]string{
		"browser tabs": " in use\n", "snapshot": " in use\n", "__complete browser tabs focus ": "\tin use ", "__complete browser click --tab ": "\tin use ",
		"__complete cdp --target ": "\tin use ",
	} {
		var marked []string
		for shown := range strings.Lines(s.ok(strings.Split(line, " ")...)) {
			if strings.Contains(shown, mark) {
				marked = append(marked, shown)
			}
		}
		if len(marked) != 1 || !strings.Contains(marked[0], url) {
			s.t.Errorf("%s marks %q, want the tab of %s", line, marked, url)
		}
	}
	for _, tab := range get[browsertool.TabsResult](s, "browser", "tabs").Tabs {
		if tab.InUse != (tab.URL == url) {
			s.t.Errorf("browser tabs --json has %+v, in use is the tab of %s", tab, url)
		}
	}
	goes := map[string]string{"snapshot --json": "", "status": s.status().Tasks[0].URL}
	snapshot := get[host.Snapshot](s, "snapshot")
	if page := snapshot.Page(); page != nil {
		goes["snapshot --json"] = page.URL
	}
	for _, line := range []string{"eval location.href", "browser evaluate location.href", `cdp Runtime.evaluate {"expression":"location.href"}`} {
		goes[line] = s.ok(strings.Split(line, " ")...)
	}
	for line, to := range goes {
		if !strings.Contains(to, url) {
			s.t.Errorf("%s goes to %s, want %s", line, to, url)
		}
	}
}

func TestTheTabInUseIsTheSameWhereverItIsShown(t *testing.T) {
	s := newShell(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><a id=popup href=/3 target=_blank rel=opener>popup</a>")
	}))
	defer site.Close()
	first, second, popup := site.URL+"/1", site.URL+"/2", site.URL+"/3" // descriptions in completions are short
	d, at := s.startDaemon()

	s.ok("browser", "navigate", first)
	s.ok("browser", "tabs", "open", "--url", second)
	s.wantInUse(second)
	s.ok("browser", "tabs", "focus", "t1")
	var clicked struct {
		NewTabs []host.TabInfo `json:"new_tabs"`
	}
	if out := s.ok("browser", "click", "#popup", "--json"); json.Unmarshal([]byte(out), &clicked) != nil || len(clicked.NewTabs) != 1 || clicked.NewTabs[0].Handle != "t3" {
		t.Fatalf("the click gives %s", out)
	}
	s.wantInUse(first) // a popup never takes its place
	s.ok("browser", "tabs", "focus", "t2")
	s.ok("browser", "tabs", "focus", "t3")
	s.wantInUse(popup)
	s.ok("browser", "tabs", "close", "t3")
	s.wantInUse(first) // its opener
	s.ok("browser", "tabs", "close", "t1")
	s.wantInUse(second)
	s.leavesNothing(d, at, syscall.SIGTERM)
}
