package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	limit        int64
	pages, words []string
	unknown      string
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		limit: r.Int("limit", 0, 0, 1_000_000_000), unknown: r.OneOf("unknown", "deny", "deny", "allow"), pages: lower(r, "pages"), words: lower(r, "words"),
	}
	if !r.Has("pages") {
		s.pages = []string{"*checkout*", "*/payment*", "*/pay", "*/pay/*", "*/pay?*", "*/order*"}
	}
	if !r.Has("words") {
		s.words = []string{"total", "amount due", "to pay", "summe", "gesamt", "montant", "totale"}
	}
	return s, r.Err()
}

// lower reads a list of texts that are compared in small letters.
func lower(r *config.Reader, key string) []string {
	list := r.Strings(key)
	out := make([]string, len(list))
	for i := range list {
		if out[i] = strings.ToLower(list[i]); out[i] == "" {
			r.RefuseItem(key, i, "a text that is not empty")
		}
	}
	return out
}
