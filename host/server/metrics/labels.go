package metrics

import (
	"regexp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

const (
	// maxValues is how many values a label may have. Those that appear later share the value other.
	maxValues = 200
	other     = "other"
)

// word matches values that are shown as they are.
var word = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// bounded returns the value of a label: once shown, a value stays, so that a counter never goes back.
func (c *collector) bounded(label, value string) string {
	if !word.MatchString(value) {
		return other
	}
	seen := c.seen[label]
	if seen == nil {
		seen = map[string]bool{}
		c.seen[label] = seen
	}
	if !seen[value] && len(seen) >= maxValues {
		return other
	}
	seen[value] = true
	return value
}

// code returns a code of the list. Plugins and other servers choose their own.
func code(value string) string {
	if fault.Code(value).Cure() == "" {
		return other
	}
	return value
}
