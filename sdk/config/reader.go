// Package config reads a plugin's configuration strictly: an unknown key, a wrong type and a value out of range are
// errors that name the key, the value and what is allowed.
package config

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
)

// Reader reads the members of one object. The first error sticks, and later calls return their default. Err returns it,
// and also finds the keys that nobody asked for.
type Reader struct {
	what   string // for errors: "configuration"
	place  string // of the object in it, such as rules[2]; empty at the top
	object abi.Struct
	known  []string
	err    error
}

// Read returns a reader for a whole configuration; what names it in errors, such as "configuration".
func Read(what string, object abi.Struct) *Reader { return &Reader{what: what, object: object} }

// Err returns the first error. Call it after asking for every key.
func (r *Reader) Err() error {
	if r.err != nil {
		return r.err
	}
	for i := range r.object {
		if key := r.object[i].Key; !r.asked(key) {
			return sdk.Error(r.where(), ": unknown key ", quote(key), "; known are ", list(r.known, "and"))
		}
	}
	return nil
}

func (r *Reader) asked(key string) bool {
	for _, known := range r.known {
		if known == key {
			return true
		}
	}
	return false
}

// get returns the member and records that the key is known; null counts as absent.
func (r *Reader) get(key string) (abi.Value, bool) {
	r.known = append(r.known, key)
	if r.err != nil {
		return abi.Value{}, false
	}
	value, found := r.object.Get(key)
	return value, found && value.Kind != abi.KindNull
}

// kind is get for a value that must have a certain kind.
func (r *Reader) kind(key string, kind abi.Kind, want string) (abi.Value, bool) {
	value, found := r.get(key)
	if found && value.Kind != kind {
		r.Refuse(key, want)
		found = false
	}
	return value, found
}

// Refuse makes the reader fail because the value of the key is invalid, or missing; want says what is valid.
func (r *Reader) Refuse(key, want string) {
	if r.err != nil {
		return
	}
	found := "is missing"
	if r.Has(key) {
		value, _ := r.object.Get(key)
		found = describe(value) + " is not possible"
	}
	r.err = sdk.Error(r.what, ": ", r.path(key), ": ", found, "; want ", want)
}

// Place returns where the object is in the configuration, such as rules[2]; it is empty at the top.
func (r *Reader) Place() string { return r.place }

func (r *Reader) where() string {
	if r.place == "" {
		return r.what
	}
	return r.what + ": " + r.place
}

func (r *Reader) path(key string) string {
	if r.place == "" {
		return key
	}
	return r.place + "." + key
}

// Has reports whether the key is present.
func (r *Reader) Has(key string) bool {
	value, found := r.object.Get(key)
	return found && value.Kind != abi.KindNull
}

// String returns the string with a key.
func (r *Reader) String(key, otherwise string) string {
	noteString(key, otherwise)
	if value, ok := r.kind(key, abi.KindString, "a string"); ok {
		return value.String
	}
	return otherwise
}

// OneOf returns the string with a key, which must be one of those allowed.
func (r *Reader) OneOf(key, otherwise string, allowed ...string) string {
	noteWord(key, otherwise, allowed)
	value, found := r.get(key)
	if !found {
		return otherwise
	}
	for _, word := range allowed {
		if value.Kind == abi.KindString && value.String == word {
			return word
		}
	}
	r.Refuse(key, list(allowed, "or"))
	return otherwise
}

// Bool returns the boolean with a key.
func (r *Reader) Bool(key string, otherwise bool) bool {
	noteBool(key, otherwise)
	if value, ok := r.kind(key, abi.KindBool, "true or false"); ok {
		return value.Bool
	}
	return otherwise
}

// Int returns the whole number with a key, which must be from least to most.
func (r *Reader) Int(key string, otherwise, least, most int64) int64 {
	noteInt(key, otherwise, least, most)
	value, found := r.get(key)
	if !found {
		return otherwise
	}
	n, ok := value.Int()
	if !ok || n < least || n > most {
		r.Refuse(key, "a whole number from "+sdk.Decimal(least)+" to "+sdk.Decimal(most))
		return otherwise
	}
	return n
}

// Milliseconds returns in milliseconds a number of seconds, which may have a fraction. It must be more than 0, and at
// most the given number of seconds.
func (r *Reader) Milliseconds(key string, otherwise, most int64) int64 {
	noteSeconds(key, otherwise, most)
	value, found := r.get(key)
	if !found {
		return otherwise
	}
	ms := value.Number * 1000
	if value.Kind != abi.KindNumber || !(ms >= 1 && value.Number <= float64(most)) {
		r.Refuse(key, "seconds, more than 0 and at most "+sdk.Decimal(most))
		return otherwise
	}
	return int64(ms + 0.5)
}

// Objects calls read with a reader for each object of the array with a key.
func (r *Reader) Objects(key string, read func(item *Reader)) {
	noteObjects(key, r, read)
	value, ok := r.kind(key, abi.KindList, "an array of objects")
	if !ok {
		return
	}
	for i := range value.List {
		item := &Reader{what: r.what, place: r.path(key) + "[" + sdk.Decimal(int64(i)) + "]"}
		if value.List[i].Kind != abi.KindStruct {
			r.err = sdk.Error(item.where(), ": ", describe(value.List[i]), " is not possible; want an object")
			return
		}
		item.object = value.List[i].Struct
		read(item)
		if r.err = item.Err(); r.err != nil {
			return
		}
	}
}
