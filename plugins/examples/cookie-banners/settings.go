package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct{ hosts, except []string }

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{hosts: domains(r, "hosts"), except: domains(r, "except")}
	return s, r.Err()
}

// domains reads a list of domains.
func domains(r *config.Reader, key string) []string {
	list := r.Strings(key)
	for i, domain := range list {
		if !strings.Contains(domain, ".") && domain != "localhost" || strings.ContainsAny(domain, "/:* ") || strings.ToLower(domain) != domain {
			r.RefuseItem(key, i, "a domain in small letters, which stands for its subdomains, too")
		}
	}
	return list
}
