package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// goesOn checks that a task whose last tab is closed tells so, and goes on with the tab that a navigation opens.
func (u *user) goesOn() {
	u.t.Helper()
	u.bad("browser_snapshot", nil, "session_lost", "a navigation opens one")
	r := u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	want(u.t, r, "url", shared.Dump(u.URL("localhost", "/two")))
	is(u.t, "the tabs", len(u.Tabs()), 1)
	u.shows("two", "/two")
}

// closesLast closes the last tab of a task in both ways.
func (u *user) closesLast() {
	u.t.Helper()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
	r := u.good("browser_tabs", arguments{"action": "close", "tab": u.inUse()})
	want(u.t, r, "tab_in_use.tab", "null")
	u.goesOn()

	// A page may close a popup.
	u.good("browser_navigate", arguments{"url": "{{localhost}}/opener"})
	u.good("browser_click", arguments{"selector": "#pop"})
	u.good("browser_tabs", arguments{"action": "close", "tab": u.inUse()})
	r = u.good("browser_click", arguments{"selector": "#close"})
	want(u.t, r, "tab_closed", "true")
	u.goesOn()
}

func TestATaskGoesOnWithoutItsLastTab(t *testing.T) {
	t.Parallel()
	t.Run("in a context", func(t *testing.T) {
		t.Parallel()
		newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{}).closesLast()
	})
	t.Run("in a tab beside those of others", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, common.Address(t), host.Options{})
		b.beginner(t, func() (*host.Task, error) {
			return b.host.Attach(t.Context(), t.Name(), b.address, &host.TaskOptions{Scope: host.ScopeTab})
		}).closesLast()
	})
	t.Run("in a browser of its own", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, "", host.Options{})
		b.beginner(t, func() (*host.Task, error) { return b.host.Launch(t.Context(), t.Name(), nil, nil) }).closesLast()
	})
}

// beginner is a user whose task begins in a way of its own.
func (b *bench) beginner(t *testing.T, begin func() (*host.Task, error)) *user {
	t.Helper()
	task, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	return &user{bench: b, Task: task, t: t, ctx: t.Context()}
}
