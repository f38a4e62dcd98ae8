package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// What to do with an http URL if its pattern has no scheme.
const (
	httpDeny    = "deny"
	httpAllow   = "allow"
	httpUpgrade = "upgrade" // send the browser to the same URL with https
)

// Which rule applies to frames below the top frame.
const (
	subframesListed = "listed" // the list, like the top frame
	subframesAny    = "any"    // none: they may go anywhere
)

// settings is the configuration of the module.
type settings struct {
	allow     []pattern
	http      string
	subframes string
	reason    string // what an agent is told; empty: a sentence that names the origin
}

// readSettings rejects what it does not understand; the error names the key. Without a list nothing is allowed.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		http:      r.OneOf("http", httpDeny, httpDeny, httpAllow, httpUpgrade),
		subframes: r.OneOf("subframes", subframesListed, subframesListed, subframesAny),
		reason:    r.String("reason", ""),
		allow:     readPatterns(r),
	}
	return s, r.Err()
}

// readTaskSettings reads what a task can configure: a second list that an origin must be on, so that a task can narrow
// what the operator allows, but never widen it.
func readTaskSettings(object abi.Struct) ([]pattern, error) {
	r := config.Read("task configuration", object)
	allow := readPatterns(r)
	return allow, r.Err()
}

func readPatterns(r *config.Reader) []pattern {
	texts := r.Strings("allow")
	patterns := make([]pattern, 0, len(texts))
	for i, text := range texts {
		p, ok := parsePattern(text)
		if !ok {
			r.RefuseItem("allow", i, "an origin in lower case without a path, like https://example.com, https://*.example.com or *.example.com")
			return nil
		}
		patterns = append(patterns, p)
	}
	return patterns
}
