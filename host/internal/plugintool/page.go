package plugintool

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// pageSlack is the room that an event needs beside its page: for ids, the URL and field tags.
const pageSlack = 4 << 10

// runPageScript runs the tool's script in the page. It asks for the document's own URL in the same evaluation, so that
// everything the module is told is about one document.
func (c *toolCall) runPageScript() error {
	if !c.held.Granted(abi.CapabilityPage) {
		return c.fail(fault.ErrCapabilityDenied, nil,
			"it has a page script, and the capability %s is not granted to the plugin; add it to plugins.%s.capabilities",
			abi.CapabilityPage, c.request.Plugin)
	}
	limit := c.held.Limits().EventBytes - len(c.event.Append(nil)) - pageSlack
	if limit <= 0 {
		return c.fail(fault.ErrTooLarge, nil, "the arguments leave no room for what the page script returns; pass less, or raise plugins.%s.limits.event_kb", c.request.Plugin)
	}
	expression, err := c.pageExpression(limit)
	if err != nil {
		return err
	}
	value, tab, err := act.EvaluateInWorld(c.op, pluginWorldPrefix+c.request.Plugin, c.request.TargetID, expression)
	switch {
	case errors.Is(err, fault.ErrEvaluate):
		return c.fail(fault.ErrPageScript, err, "%v: %v", fault.ErrPageScript, err)
	case err != nil:
		return err
	}
	c.event.TargetID = tab
	return c.takePage(value, limit)
}

// pluginWorldPrefix begins the names of the worlds that page scripts run in. Each plugin has its own, so that neither
// the page, nor an agent's script, nor another plugin can reach its objects.
const pluginWorldPrefix = "hermes-cdp plugin "

// pageExpression wraps the script in a function of the arguments. The page itself turns the result into JSON, so that a
// result over the limit never leaves it. UTF-8 takes at least as many bytes as a JavaScript string has code units.
func (c *toolCall) pageExpression(limit int) (string, error) {
	arguments, err := abijson.FormatStruct(c.arguments)
	if err != nil {
		return "", err
	}
	values, err := json.Marshal([]any{string(arguments), limit})
	if err != nil {
		return "", err
	}
	return `((text, limit) => (async function (args) {
` + c.tool.PageScript + `
})(JSON.parse(text)).then(value => {
	const page = JSON.stringify(value) ?? "null";
	return page.length > limit ? page.length : JSON.stringify([location.href, self.origin]) + "\n" + page;
}))(...` + string(values) + `)
//# sourceURL=hermes-cdp-plugin/` + c.request.Plugin + "/" + c.request.Tool, nil
}

// takePage reads what the script returned: the document's URL and origin on the first line, then the page's JSON; or a
// number, the length of a result that was too long.
func (c *toolCall) takePage(value act.Evaluation, limit int) error {
	var text string
	if json.Unmarshal(value.Value, &text) != nil {
		return c.pageTooLarge(string(value.Value), limit)
	}
	first, page, _ := strings.Cut(text, "\n")
	var document [2]string
	if err := json.Unmarshal([]byte(first), &document); err != nil {
		return c.fail(fault.ErrPageScript, err, "%v: its result cannot be read: %v", fault.ErrPageScript, err)
	}
	if len(page) > limit {
		return c.pageTooLarge("more than that", limit)
	}
	c.event.Page, c.untrusted = page, true
	c.standsOn(document[0], document[1])
	return nil
}

func (c *toolCall) pageTooLarge(length string, limit int) error {
	return c.fail(fault.ErrTooLarge, nil,
		"its page script returned %s characters of JSON, and an event has room for %d bytes; let it return less, or raise plugins.%s.limits.event_kb",
		length, limit, c.request.Plugin)
}
