package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	address    string // the URL for requests: https, a host that does not exist, and a path; no query
	maxMessage int64  // how much of a message, or of a prompt's default text, is sent, in UTF-16 code units
	waitMs     int64  // how long a page waits for a lost supervisor
}

// The defaults of the configuration. Names under .invalid never exist (RFC 2606). Every page may send https requests,
// but not http ones. Chromium itself truncates the text of a dialog at 10,240.
const (
	defaultAddress    = "https://hermes-bridge.invalid/"
	defaultMaxMessage = 10240
	defaultWaitMs     = 2000
)

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		address:    r.String("address", defaultAddress),
		maxMessage: r.Int("max_message", defaultMaxMessage, 1, defaultMaxMessage),
		waitMs:     r.Milliseconds("wait_s", defaultWaitMs, 60),
	}
	if !plainAddress(s.address) {
		r.Refuse("address", "an https URL with a path and without a query, such as "+defaultAddress)
	}
	return s, r.Err()
}

// plainAddress accepts only URLs that need no escaping in a script, a URL pattern or a comparison.
func plainAddress(address string) bool {
	rest, found := strings.CutPrefix(address, "https://")
	for _, c := range rest {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':' || c == '/') {
			return false
		}
	}
	return found && strings.IndexByte(rest, '/') > 0
}
