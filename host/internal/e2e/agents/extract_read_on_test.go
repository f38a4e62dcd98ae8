package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A text that was cut can be read on from where it was cut, in characters, across frames, to its end.
func TestALongTextIsReadOnFromWhereItWasCut(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<p id=p>ab😀cd</p><iframe srcdoc="<p>inner</p>"></iframe>`, `await new Promise(r => document.querySelector("iframe").onload = r); 0`)
	whole := text(t, u.good("browser_extract_text", nil), "text")
	is(t, "the text of all frames", whole, "ab😀cd\n\ninner")

	var read string
	for _, part := range []struct {
		offset          int
		text, truncated string
	}{{0, "ab😀c", "true"}, {4, "d\n\ni", "true"}, {8, "nner", "null"}, {12, "", "null"}} {
		r := u.good("browser_extract_text", arguments{"offset": part.offset, "max_chars": 4})
		is(t, "a part", text(t, r, "text"), part.text)
		want(t, r, "chars", "12")
		want(t, r, "truncated", part.truncated)
		read += part.text
	}
	is(t, "the parts", read, whole)

	want(t, u.good("browser_extract_text", arguments{"selector": "#p", "offset": 2, "max_chars": 2}), "text", `"😀c"`)
	r := u.good("browser_interact", arguments{"actions": []arguments{{"action": "extract_text", "selector": "#p", "offset": 3}}})
	want(t, r, "results.0.result.text", `"cd"`)
	u.bad("browser_interact", arguments{"actions": []arguments{{"action": "click", "selector": "#p", "offset": 3}}}, "bad_arguments", "actions[0].offset")
}
