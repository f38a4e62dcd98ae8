package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	address    string // of the requests: https, a host that does not exist, and a path; no query
	maxMessage int64  // UTF-16 code units of a message, or of a prompt's default text, that are sent
	waitMs     int64  // how long a page waits for a supervisor that was lost
}

// The defaults of a configuration. Names under .invalid never exist (RFC 2606), and https requests are allowed on every
// page, as http ones are not. Chromium itself cuts the text of a dialog at 10,240.
const (
	defaultAddress    = "https://hermes-bridge.invalid/"
	defaultMaxMessage = 10240
	defaultWaitMs     = 2000
)

// readSettings refuses what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		address:    r.String("address", defaultAddress),
		maxMessage: r.Int("max_message", defaultMaxMessage, 1, defaultMaxMessage),
		waitMs:     r.Milliseconds("wait_s", defaultWaitMs, 60),
	}
	if !plainAddress(s.address) {
		r.Refuse("address", "an https address with a path, without a query, such as "+defaultAddress)
	}
	return s, r.Err()
}

// plainAddress takes what needs no escaping in a script, a URL pattern or a comparison.
func plainAddress(address string) bool {
	rest, found := strings.CutPrefix(address, "https://")
	for _, c := range rest {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':' || c == '/') {
			return false
		}
	}
	return found && strings.IndexByte(rest, '/') > 0
}
