// The contrary-request plugin does with a request what the letter after the first ! in its address says.
package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

func init() {
	request.Handle(func(e request.Event) request.Verdict {
		_, says, _ := strings.Cut(e.URL, "!")
		return decide(&e, says).Because("the address says so")
	})
}

func main() {}

func decide(e *request.Event, says string) request.Verdict {
	switch {
	case strings.HasPrefix(says, "b"):
		return request.Block("blocked by its address")
	case strings.HasPrefix(says, "a"):
		return request.Abort("aborted by its address")
	case strings.HasPrefix(says, "e"):
		return request.Block(told(e))
	case strings.HasPrefix(says, "f"):
		return request.Fail("it does not want to")
	case strings.HasPrefix(says, "t"):
		panic("a trap")
	case strings.HasPrefix(says, "s"):
		for spins := 0; spins >= 0; spins &= 1 {
			spins++
		}
	}
	return request.Allow()
}

// told is the event as text, without what differs from run to run.
func told(e *request.Event) string {
	text := e.Method + " " + e.ResourceType + " of " + e.TargetType + " " + e.FrameKind.String() + " from " + e.FromOrigin + " in " + e.TopOrigin
	if e.Popup {
		text += " popup"
	}
	if e.Redirected {
		text += " redirected"
	}
	for _, h := range e.Headers {
		text += "\n" + h.Name + ": " + h.Value
	}
	return text
}
