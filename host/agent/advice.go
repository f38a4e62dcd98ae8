package agent

import (
	"context"
	"regexp"
)

// offered are the tools that a client has; nil: all of them, as when a [Browser] is used directly. Whatever the host
// says of a tool goes through advice, so that no client is told to use what it does not have.
type offered map[string]entry

var namedTool = regexp.MustCompile(`\bbrowser_[a-z]+(?:_[a-z]+)*\b`)

// advice returns the first of several texts that names only tools that are there; empty if there is none.
func (o offered) advice(texts ...string) string {
	for _, text := range texts {
		if o.hasAll(namedTool.FindAllString(text, -1)) {
			return text
		}
	}
	return ""
}

func (o offered) hasAll(names []string) bool {
	for _, name := range names {
		if _, there := o[name]; !there && o != nil {
			return false
		}
	}
	return true
}

type offeredKey struct{}

// withOffered tells a call which tools its client has.
func withOffered(ctx context.Context, o offered) context.Context {
	return context.WithValue(ctx, offeredKey{}, o)
}

func offeredIn(ctx context.Context) offered {
	o, _ := ctx.Value(offeredKey{}).(offered)
	return o
}
