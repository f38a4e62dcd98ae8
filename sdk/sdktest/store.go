package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

// Bytes is a value of a store. In JSON it is a string, or {"base64": "..."} if it is not valid UTF-8.
type Bytes []byte

// rawBytes is the JSON of a value that is not valid UTF-8.
type rawBytes struct {
	Base64 *[]byte `json:"base64"`
}

// MarshalJSON writes a string if the bytes are valid UTF-8.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return strictjson.Marshal(string(b))
	}
	raw := []byte(b)
	return strictjson.Marshal(rawBytes{&raw})
}

// UnmarshalJSON reads a string, or an object with base64.
func (b *Bytes) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte{'"'}) {
		var s string
		err := strictjson.Unmarshal(text, &s)
		*b = Bytes(s)
		return err
	}
	var raw rawBytes
	if err := strictjson.Unmarshal(text, &raw); err != nil || raw.Base64 == nil {
		return errors.Join(errors.New(`a value of a store is a string, or {"base64": "..."}`), err)
	}
	*b = *raw.Base64
	return nil
}

// Environment returns what the plugin can access in this case: a new one for each call.
func (c Case) Environment() (*Environment, error) {
	in := &Environment{Capabilities: c.Capabilities, KV: make(map[string][]byte), State: make(map[string][]byte)}
	if c.Capabilities == nil {
		in.Capabilities = c.implied()
	}
	for _, granted := range in.Capabilities {
		if !slices.Contains(abi.Capabilities(), granted) {
			return nil, fmt.Errorf("capabilities: %q is none; there are %v", granted, abi.Capabilities())
		}
	}
	for key, value := range c.KV {
		in.KV[key] = value
	}
	for key, value := range c.State {
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return nil, fmt.Errorf("state: %q: %w", key, err)
		}
		in.State[key] = compact.Bytes()
	}
	for function, answers := range c.Embedder {
		if in.Embedder == nil {
			in.Embedder = make(map[string]map[string][]byte)
		}
		in.Embedder[function] = make(map[string][]byte)
		for request, answer := range answers {
			in.Embedder[function][request] = answer
		}
	}
	return in, nil
}

// implied returns the capabilities that the case needs.
func (c Case) implied() []abi.Capability {
	var granted []abi.Capability
	if c.KV != nil || c.KVAfter != nil {
		granted = append(granted, abi.CapabilityKV)
	}
	if c.State != nil {
		granted = append(granted, abi.CapabilityState)
	}
	return granted
}

func (c Case) compareStore(got map[string][]byte) error {
	if c.KVAfter == nil {
		return nil
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(c.KVAfter)) {
		value, ok := got[key]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("the store has no %q, want %q", key, c.KVAfter[key]))
		case !bytes.Equal(value, c.KVAfter[key]):
			errs = append(errs, fmt.Errorf("the store has %q under %q, want %q", value, key, c.KVAfter[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := c.KVAfter[key]; !ok {
			errs = append(errs, fmt.Errorf("the store has %q under %q, want nothing there", got[key], key))
		}
	}
	return errors.Join(errs...)
}
