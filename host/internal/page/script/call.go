package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// OtherDocument is what a function throws whose element is not in the document of its frame: Chromium also resolves
// elements in the worlds of other frames of the same origin.
const OtherDocument = "hermes-cdp: the element is in another document"

// checked is a function of an element that checks its document first; any other function is as it was.
func checked(function string, element bool) string {
	if !element {
		return "(" + function + ")"
	}
	return `((element, ...rest) => { if (of(Node, "ownerDocument", element) !== document) throw new Error("` + OtherDocument + `"); return (` + function + `)(element, ...rest) })`
}

// callExpression is the expression that calls a function after the prelude, with arguments that are JSON. With element
// it is itself a function of an element, which comes before them.
func callExpression(callee string, element bool, args []string) string {
	return calling(page.Prelude+"return "+callee, element, args)
}

// keptCall is callExpression of a function that the document keeps, with what it needs of the prelude.
func keptCall(key string, element bool, args []string) string {
	return calling(`const kept = globalThis[Symbol.for("hermes-cdp")]?.`+key+`; if (!kept) throw new Error("`+NotKept+`"); return kept`, element, args)
}

func calling(returnCallee string, element bool, args []string) string {
	if !element {
		return "(() => {" + returnCallee + "(" + strings.Join(args, ", ") + ") })()"
	}
	return "(element) => {" + returnCallee + "(" + strings.Join(append([]string{"element"}, args...), ", ") + ") }"
}

// JSON returns the JSON of each argument. Errors: [fault.ErrBadArguments].
func JSON(args []any) ([]string, error) {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return nil, fmt.Errorf("%w: argument %d has no JSON: %w", fault.ErrBadArguments, i, err)
		}
		texts[i] = string(text)
	}
	return texts, nil
}

// OnNodes is a function of nodes that calls another one, after the prelude, with an array of them before its arguments.
// Errors: as [JSON].
func OnNodes(function string, args []any) (string, error) {
	texts, err := JSON(args)
	return "function(...nodes) { return " + callExpression("((...rest) => ("+function+")(nodes, ...rest))", false, texts) + " }", err
}
