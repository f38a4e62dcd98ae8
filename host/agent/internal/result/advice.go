package result

import (
	"context"
	"regexp"
)

// Offered are the tools that a client has; nil: all of them, as when the tools of a task are used directly. Whatever
// the host says of a tool goes through Advice, so that no client is told to use what it does not have.
type Offered map[string]struct{}

var NamedTool = regexp.MustCompile(`\bbrowser_[a-z]+(?:_[a-z]+)*\b`)

// Advice returns the first of several texts that names only tools that are there; empty if there is none.
func (o Offered) Advice(texts ...string) string {
	for _, text := range texts {
		if o.hasAll(NamedTool.FindAllString(text, -1)) {
			return text
		}
	}
	return ""
}

func (o Offered) hasAll(names []string) bool {
	for _, name := range names {
		if _, there := o[name]; !there && o != nil {
			return false
		}
	}
	return true
}

type offeredKey struct{}

// WithOffered tells a call which tools its client has.
func WithOffered(ctx context.Context, o Offered) context.Context {
	return context.WithValue(ctx, offeredKey{}, o)
}

func OfferedIn(ctx context.Context) Offered {
	o, _ := ctx.Value(offeredKey{}).(Offered)
	return o
}
