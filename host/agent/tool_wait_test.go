package agent

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A client that may run no script is not given that power by a wait.
func TestAWaitForAnExpressionNeedsAToolThatRunsScript(t *testing.T) {
	pages := map[string]string{"/": ""}
	reads := newWorld(t, pages, Options{Toolsets: Toolsets{Use: []string{"browser-read"}}})
	reads.bad("browser_wait_for", `{"expression":"1"}`, host.ErrRefused)
	reads.good("browser_wait_for", `{"url":"*"}`)
	disabled := newWorld(t, pages, Options{EvaluateDisabled: true})
	disabled.bad("browser_wait_for", `{"expression":"1"}`, host.ErrEvaluateDisabled)
}
