package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Store is what a plugin keeps for a task.
type Store map[string]string

// Keys lists the keys, sorted.
func (s Store) Keys() []string { return slices.Sorted(maps.Keys(s)) }

// State is what a host tells of a task: JSON by key.
type State map[string]json.RawMessage

// ParseKV reads a store from a JSON object; nil for an empty text.
func ParseKV(text string) (Store, error) {
	return parseObject[Store](text, "want a JSON object whose values are texts")
}

// ParseState reads the answers of state_get from a JSON object; nil for an empty text.
func ParseState(text string) (State, error) { return parseObject[State](text, "want a JSON object") }

func parseObject[M ~map[string]V, V any](text, want string) (M, error) {
	if text == "" {
		return nil, nil
	}
	object := M{}
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, objectError(err, want)
	}
	if object == nil {
		return nil, errors.New(want + ", not null")
	}
	return object, nil
}

// objectError tells a wrong type in the words of JSON.
func objectError(err error, want string) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field != "" {
			want += fmt.Sprintf("; %s is a %s", wrong.Field, wrong.Value)
		}
		return errors.New(want)
	}
	return err
}

// environmentOf grants what the request has.
func environmentOf(r Request) *module.Environment {
	e := new(module.Environment)
	if r.KV != nil {
		e.Capabilities = append(e.Capabilities, abi.CapabilityKV)
		e.KV = make(map[string][]byte)
		for key, value := range r.KV {
			e.KV[key] = []byte(value)
		}
	}
	if r.State != nil {
		e.Capabilities = append(e.Capabilities, abi.CapabilityState)
		e.State = make(map[string][]byte)
		for key, value := range r.State {
			e.State[key] = value
		}
	}
	return e
}

func storeOf(kv map[string][]byte) Store {
	store := Store{}
	for key, value := range kv {
		store[key] = string(value)
	}
	return store
}
