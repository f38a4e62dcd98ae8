//go:build !(tinygo.wasm || wasip1)

package config

import "sync"

// Key is a key that a plugin reads of its configuration, with what the plugin takes there.
type Key struct {
	Name    string
	Type    string   // of JSON Schema: string, boolean, integer, number or array
	Allowed []string // of a string: its values; empty: any
	Least   *float64 // of an integer or a number
	Most    *float64
	Default any   // what an absent key means: a string, bool or float64; nil for arrays
	Items   []Key // of an array of objects; nil: its items are strings
}

// recording is what [Record] keeps.
var recording struct {
	sync.Mutex
	on   bool
	keys []Key
}

// Record returns the keys that are read while run runs, in the order in which they are read, each once. Of an array of
// objects that is absent, the keys of an object without members are read.
func Record(run func()) []Key {
	recording.Lock()
	defer recording.Unlock()
	recording.on, recording.keys = true, nil
	defer func() { recording.on, recording.keys = false, nil }()
	run()
	return recording.keys
}

func note(k Key) {
	if !recording.on {
		return
	}
	for _, known := range recording.keys {
		if known.Name == k.Name {
			return
		}
	}
	recording.keys = append(recording.keys, k)
}

func noteString(key, otherwise string) { note(Key{Name: key, Type: "string", Default: otherwise}) }

func noteWord(key, otherwise string, allowed []string) {
	note(Key{Name: key, Type: "string", Allowed: append([]string(nil), allowed...), Default: otherwise})
}

func noteBool(key string, otherwise bool) { note(Key{Name: key, Type: "boolean", Default: otherwise}) }

func noteInt(key string, otherwise, least, most int64) {
	l, m := float64(least), float64(most)
	note(Key{Name: key, Type: "integer", Least: &l, Most: &m, Default: float64(otherwise)})
}

func noteSeconds(key string, otherwise, most int64) {
	l, m := 0.001, float64(most)
	note(Key{Name: key, Type: "number", Least: &l, Most: &m, Default: float64(otherwise) / 1000})
}

func noteStrings(key string) { note(Key{Name: key, Type: "array"}) }

func noteObjects(key string, r *Reader, read func(*Reader)) {
	if !recording.on {
		return
	}
	outer := recording.keys
	recording.keys = nil
	read(&Reader{what: r.what, place: r.path(key) + "[0]"})
	items := recording.keys
	recording.keys = outer
	if items == nil {
		items = []Key{}
	}
	note(Key{Name: key, Type: "array", Items: items})
}
