package supervise_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// fetches are the commands of the Fetch domain since the last look.
func (s *script) fetches() (list []string) {
	for _, line := range s.sent() {
		if strings.Contains(line, " Fetch.") {
			list = append(list, line)
		}
	}
	s.quiet()
	return list
}

func (s *script) wantFetches(want ...string) {
	s.t.Helper()
	if got := s.fetches(); !slices.Equal(got, want) {
		s.t.Errorf("sent %q, not %q", got, want)
	}
}

func asset(id fetch.RequestID) supervise.RequestPaused {
	return supervise.RequestPaused{Session: "page", Request: id, Frame: "tab", URL: "https://top/asset", Method: "GET", Type: "Image"}
}

var blockAll = route.Rule{Pattern: "*", Block: true}

// A rule holds in every session of its task, those to come and those after a loss too, and in none without rules.
func TestRulesHoldInEverySession(t *testing.T) {
	s := newStory(t)
	s.on(oopif("frame", "tab", "below", "page"))
	s.wantFetches()
	s.on(supervise.AddRoute{Request: 1, Task: "task", Rule: blockAll})
	s.wantFetches("page Fetch.enable", "below Fetch.enable")
	s.on(popup("window", "popped", "tab"))
	s.wantFetches("popped Fetch.enable")
	s.drop().back()
	s.wantFetches("again Fetch.enable")
	s.on(supervise.RemoveRoute{Request: 2, Task: "task", Route: "route1"})
	s.wantFetches("again Fetch.disable")
	s.on(supervise.RemoveRoute{Request: 3, Task: "task", Route: "route1"})
	if r := s.replyTo(3); r.Err == nil || !strings.Contains(r.Err.Error(), "route1") {
		t.Error(r.Err)
	}
}

// The reply comes when the browser has confirmed, and a main thread that spins delays it only for a time.
func TestARuleIsAwaited(t *testing.T) {
	s := newStory(t)
	s.on(supervise.AddRoute{Request: 1, Task: "task", Rule: blockAll})
	if _, early := s.lookFor(1); early {
		t.Error("it is said to hold before the browser confirms")
	}
	s.reply("page Fetch.enable", supervise.CommandReply{})
	if r := s.replyTo(1); r.Route != "route1" || r.Err != nil {
		t.Errorf("%+v", r)
	}
	s.quiet().on(supervise.AddRoute{Request: 2, Task: "task", Rule: blockAll}).pass(time.Minute)
	if r := s.replyTo(2); r.Route != "route2" || r.Err != nil {
		t.Errorf("%+v", r)
	}
}

func (s *script) lookFor(id supervise.RequestID) (supervise.Reply, bool) {
	for _, effect := range s.effects {
		if r, ok := effect.(supervise.Reply); ok && r.Request == id {
			return r, true
		}
	}
	return supervise.Reply{}, false
}

// Every paused request is answered: also one that no rule matches any more, and one whose answer the browser refuses.
func TestNoRequestStaysPaused(t *testing.T) {
	s := newStory(t)
	s.on(supervise.AddRoute{Request: 1, Task: "task", Rule: route.Rule{Pattern: "*", Times: 1, Fulfil: &route.Response{Status: 299}}})
	s.quiet().on(asset("one"))
	s.wantFetches("page Fetch.fulfillRequest", "page Fetch.disable") // it was good for one
	s.reply("page Fetch.fulfillRequest", supervise.CommandReply{Err: &supervise.CommandError{Message: "no such status"}})
	s.wantFetches("page Fetch.continueRequest")
	s.on(asset("two"))
	s.wantFetches("page Fetch.continueRequest")
}

// A module that serves the navigate hook decides first; a rule sees only what it allows.
func TestNoRuleEvadesTheNavigateHook(t *testing.T) {
	s := newStory(t)
	s.on(supervise.HooksChanged{Navigate: true}, supervise.AddRoute{Request: 1, Task: "task", Rule: route.Rule{Pattern: "*", Fulfil: &route.Response{Status: 200}}})
	s.quiet().on(asksFor("one", "https://top/denied"))
	if early := s.sent(); len(early) > 0 {
		t.Errorf("before the verdict %q", early)
	}
	s.navigateAction(abi.NavigateActionDeny)
	s.wantFetches("page Fetch.failRequest")
	s.on(asksFor("two", "https://top/allowed"))
	s.navigateAction(abi.NavigateActionAllow)
	s.wantFetches("page Fetch.fulfillRequest")
	s.on(asset("three"))
	s.wantFetches("page Fetch.fulfillRequest")
}
