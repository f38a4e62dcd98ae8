package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func TestARewrittenNavigationShowsItsNewAddress(t *testing.T) {
	g := newGuarded(t, nil)
	g.open("/empty")
	g.goes(g.url("localhost", "/x!r"+g.at("/echo"))+"#part", "GET")
	want(t, "where it is", g.evaluate("[location.href, origin]"), `["`+g.at("/echo")+`#part","`+g.at("")+`"]`)
	g.never("/x!r" + g.at("/echo"))
	want(t, "rewritten", g.host.Counters().Navigations.Rewritten, 1)
}

func TestARewriteKeepsMethodAndBody(t *testing.T) {
	g := newGuarded(t, nil)
	g.open("/empty")
	g.start(`const f = document.createElement("form"); f.method = "post"; f.action = "/x!r` + g.at("/echo") + `"; f.innerHTML = "<input name=a value=b>";
		document.body.append(f); f.submit()`)
	g.lands(g.at("/echo"), "POST a=b")
}

func TestTheAddressOfARewriteIsAskedAbout(t *testing.T) {
	g := newGuarded(t, nil)
	d := wantDenied(t, commit(g.ctx, g.Tab(""), g.url("localhost", "/x!r"+g.url("b.localhost", "/y!e"))))
	e := eventOf(t, d)
	want(t, "redirects", e.Redirects, 1)
	want(t, "the address before", e.RedirectedFrom, g.url("localhost", "/x!r"+g.url("b.localhost", "/y!e")))
	d = wantDenied(t, commit(g.ctx, g.Tab(""), g.url("localhost", "/x!l")))
	want(t, "an endless rewrite", d.Reason, "it was rewritten 10 times in a row")
	want(t, "rewritten", g.host.Counters().Navigations.Rewritten, 11)
}

// A module that fails decides nothing: the navigation goes on, or not, as the host was told.
func TestAFaultOfTheNavigateHook(t *testing.T) {
	for _, tc := range []struct{ name, verb, fault string }{
		{"a trap", "!t", "unreachable"},
		{"an endless loop", "!s", ""},
		{"an address that is none", "!b", "absolute http or https"},
	} {
		t.Run(tc.name+", open", func(t *testing.T) {
			g := newFaultyGuarded(t, tc.verb, false)
			events := g.Events(100)
			g.goes(g.at("/echo?"+tc.verb), "GET")
			events.Close()
			told := false
			for e := range events.C {
				told = told || e.Kind == host.EventPluginFault && strings.Contains(e.Reason, tc.fault)
			}
			want(t, "an event tells of it", told, true)
			want(t, "failed open", g.host.Counters().Navigations.FailedOpen, 1)
		})
		t.Run(tc.name+", closed", func(t *testing.T) {
			g := newFaultyGuarded(t, tc.verb, true)
			d := wantDenied(t, commit(g.ctx, g.Tab(""), g.at("/echo?"+tc.verb)))
			want(t, "failed closed", d.FailedClosed, true)
			want(t, "plugin", d.DecidedBy.Module, "guard")
			if d.DecidedBy.Fault == "" || !strings.Contains(d.Reason, tc.fault) {
				t.Errorf("the denial %s does not say what failed", shared.Dump(d))
			}
			want(t, "counted", g.host.Counters().Navigations.FailedClosed, 1)
			g.goes(g.at("/echo"), "GET")
		})
	}
}

func newFaultyGuarded(t *testing.T, verb string, closed bool) *guardedWorld {
	t.Helper()
	t.Parallel()
	o := guardOptions()
	o.NavigateFailClosed = closed
	if verb == "!s" {
		collectGarbage(t)
		o.Plugins["guard"] = host.PluginOptions{
			PluginSource: host.PluginSource{Path: filepath.Join("testdata", "navigate.wasm")}, Hooks: []abi.Hook{abi.HookNavigate}, Limits: module.Limits{HookTimeout: time.Second},
		}
	}
	return newGuardedOn(t, common.Address(t), o, nil, host.TaskOptions{})
}
