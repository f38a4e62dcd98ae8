package config

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
)

// Strings returns the strings of the array with a key, or nil if there is none.
func (r *Reader) Strings(key string) []string {
	noteStrings(key)
	value, ok := r.kind(key, abi.KindList, "an array of strings")
	if !ok {
		return nil
	}
	texts := make([]string, len(value.List))
	for i := range value.List {
		if value.List[i].Kind != abi.KindString {
			r.RefuseItem(key, i, "a string")
			return nil
		}
		texts[i] = value.List[i].String
	}
	return texts
}

// RefuseItem makes the reader fail because an item of the array with a key is invalid; want says what is valid.
func (r *Reader) RefuseItem(key string, i int, want string) {
	if value, _ := r.object.Get(key); r.err == nil && i < len(value.List) {
		r.err = sdk.Error(r.what, ": ", r.path(key), "[", sdk.Decimal(int64(i)), "]: ", describe(value.List[i]), " is not possible; want ", want)
	}
}
