package config

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
)

// Strings returns the texts of the array with that key, or nil where there is none.
func (r *Reader) Strings(key string) []string {
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

// RefuseItem makes the reader fail: the item of the array with that key is not possible, and want says what is.
func (r *Reader) RefuseItem(key string, i int, want string) {
	if value, _ := r.object.Get(key); r.err == nil && i < len(value.List) {
		r.err = sdk.Error(r.what, ": ", r.path(key), "[", sdk.Decimal(int64(i)), "]: ", describe(value.List[i]), " is not possible; want ", want)
	}
}
