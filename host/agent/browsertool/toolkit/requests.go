package toolkit

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// InURL returns what a parameter looks for in the URL of a request: a part of it, or a regular expression between
// slashes.
func InURL(parameter, pattern string) (func(url string) bool, error) {
	inner, ok := strings.CutPrefix(pattern, "/")
	if !ok || len(inner) < 2 || !strings.HasSuffix(inner, "/") {
		return func(url string) bool { return strings.Contains(url, pattern) }, nil
	}
	expression, err := regexp.Compile(strings.TrimSuffix(inner, "/"))
	if err != nil {
		return nil, result.BadArgument(parameter, "between slashes it is a regular expression: %v; leave out one of the slashes to search for the text", err)
	}
	return expression.MatchString, nil
}

// RequestID is the id of a request for agents.
func RequestID(r host.Request) string { return "r" + strconv.FormatUint(r.Number, 10) }

// MarkRequests notes that an action begins: a later wait for a request is for one that follows.
func (k *Kit) MarkRequests() { k.acted.Store(k.Task.LastRequest()) }

// RequestsBefore is the number of the last request before the latest action.
func (k *Kit) RequestsBefore() uint64 { return k.acted.Load() }
