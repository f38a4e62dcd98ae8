package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	categories   [len(categories)]bool
	block, allow map[string]bool // domains, with everything below them
	reason       string
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{reason: r.String("reason", "it is on a list of advertisers and trackers")}
	s.block, s.allow = domainsOf(r, "block"), domainsOf(r, "allow")
	if _, given := object.Get("categories"); !given {
		s.categories[0], s.categories[1] = true, true
	}
	for i, word := range r.Strings("categories") {
		known := false
		for c, name := range categories {
			if word == name {
				s.categories[c], known = true, true
			}
		}
		if !known {
			r.RefuseItem("categories", i, "one of ad, analytics, marketing, social, tag-manager, customer-success")
		}
	}
	return s, r.Err()
}

func domainsOf(r *config.Reader, key string) map[string]bool {
	list := make(map[string]bool)
	for i, domain := range r.Strings(key) {
		if !isDomain(domain) {
			r.RefuseItem(key, i, "a domain in lower case and Punycode, like ads.example")
		}
		list[domain] = true
	}
	return list
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
