package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// An action of a list takes what its own tool takes.
func TestAnActionOfAListAppendsAndSubmits(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<form id=f><input id=i value=old></form><iframe srcdoc="<input id=i value=inner>"></iframe>`,
		`globalThis.sent = []; f.onsubmit = e => { e.preventDefault(); sent.push(i.value) }; await new Promise(r => document.querySelector("iframe").onload = r); 0`)
	frame := u.SettledSnapshot(u.ctx).Page().FrameTree.Children[0].FrameID
	r := u.good("browser_interact", arguments{"actions": []arguments{
		{"action": "fill", "selector": "#i", "text": " and new", "append": true, "submit": true},
		{"action": "fill", "text": "!", "append": true},
		{"action": "fill", "selector": "#i", "frame_id": frame, "text": " too", "append": true},
	}})
	want(t, r, "results.1.result.element", `"textbox"`)
	is(t, "what was sent", u.value("sent"), `["old and new"]`)
	is(t, "the field", u.value("i.value"), `"old and new!"`)
	is(t, "the frame's field", u.value(`document.querySelector("iframe").contentDocument.querySelector("#i").value`), `"inner too"`)
	u.bad("browser_interact", arguments{"actions": []arguments{{"action": "click", "selector": "#i", "append": true}}}, "bad_arguments", "actions[0].append")
}
