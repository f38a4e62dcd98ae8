package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestARawCommandTakesTheHandleOfATab(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/two"})
	raw := arguments{"method": "Runtime.evaluate", "params": arguments{"expression": "location.pathname"}}
	want(t, u.good("browser_cdp", raw), "result.result.value", `"/two"`)
	want(t, u.good("browser_cdp", raw.with(arguments{"tab": "t1"})), "result.result.value", `"blank"`)
	u.bad("browser_cdp", raw.with(arguments{"tab": "t9"}), "unknown_tab", "t9")
	u.bad("browser_cdp", raw.with(arguments{"tab": "t1", "target_id": "x"}), "bad_arguments", "target_id")
}
