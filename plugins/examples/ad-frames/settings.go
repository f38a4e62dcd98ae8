package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	block          map[string]bool // domains, with everything below them
	thirdPartyOnly bool
}

// readSettings rejects what it does not understand; the error names the key. It rejects a public suffix: co.uk would
// break half the pages of a country.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{thirdPartyOnly: r.Bool("third_party_only", true), block: make(map[string]bool)}
	for i, domain := range r.Strings("block") {
		switch {
		case !isDomain(domain):
			r.RefuseItem("block", i, "a domain in lower case and Punycode, like ads.example")
		case site(domain) == "":
			r.RefuseItem("block", i, "a domain below a public suffix, which this is")
		}
		s.block[domain] = true
	}
	return s, r.Err()
}

// isDomain accepts names without an empty label, and IPv4 addresses.
func isDomain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			if i == 0 || i == len(s)-1 || s[i-1] == '.' {
				return false
			}
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return s != ""
}

// blocks reports whether a host is one of the domains, or below one.
func (s *settings) blocks(host string) bool {
	for name := host; name != ""; name = parent(name) {
		if s.block[name] {
			return true
		}
	}
	return false
}
