//go:build !(tinygo.wasm || wasip1)

package kv_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
	"github.com/hermes-cdp/hermes-cdp/sdk/kv"
)

// store is a host's store that fails with a code, unless that is 0.
type store struct {
	values map[string][]byte
	lives  map[string]time.Duration
	code   abi.Code
}

func (s store) StateGet(string) ([]byte, abi.Code) { return nil, abi.CodeInternal }

func (s store) KVGet(key string) ([]byte, abi.Code) {
	value, ok := s.values[key]
	if s.code == 0 && !ok {
		return nil, abi.CodeNotFound
	}
	return value, s.code
}

func (s store) KVSet(key string, value []byte) abi.Code {
	if s.code == 0 {
		s.values[key] = value
	}
	return s.code
}

func (s store) KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	if s.lives != nil {
		s.lives[key] = ttl
	}
	return s.KVSet(key, value)
}

func (s store) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	if current, ok := s.values[key]; s.code == 0 && (ok != (old != nil) || !bytes.Equal(current, old)) {
		return abi.CodeConflict
	}
	return s.KVSetTTL(key, value, ttl)
}

func (s store) KVDelete(key string) abi.Code {
	if _, ok := s.values[key]; s.code == 0 && !ok {
		return abi.CodeNotFound
	}
	delete(s.values, key)
	return s.code
}

func (s store) CallEmbedder(context.Context, string, []byte) ([]byte, abi.Code) {
	return nil, abi.CodeUnsupported
}

func (s store) KVList(prefix string) ([]string, abi.Code) {
	var keys []string
	for key := range s.values {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, s.code
}

// in runs f as a plugin on a host.
func in(t *testing.T, environment guest.Environment, granted []abi.Capability, f func()) {
	t.Helper()
	guest.RunNative(&guest.Host{Environment: environment, Capabilities: granted}, f)
}

var granted = []abi.Capability{abi.CapabilityKV}

func TestWhatIsStoredIsFoundUntilItIsDeleted(t *testing.T) {
	in(t, store{values: map[string][]byte{"old": []byte("1")}}, granted, func() {
		value := []byte("a value that is longer than the one before it")
		if err := kv.Set("new", value); err != nil {
			t.Fatal(err)
		}
		value[0] = 'X' // the host has its own copy
		if err := kv.Set("empty", nil); err != nil {
			t.Fatal(err)
		}
		first, ok, err := kv.Get("old")
		if string(first) != "1" || !ok || err != nil {
			t.Errorf("old is %q, %v (%v)", first, ok, err)
		}
		if got, ok, err := kv.Get("new"); string(got) != "a value that is longer than the one before it" || !ok || err != nil {
			t.Errorf("new is %q, %v (%v)", got, ok, err)
		}
		if string(first) != "1" {
			t.Errorf("the first value became %q", first)
		}
		if got, ok, err := kv.Get("empty"); len(got) != 0 || !ok || err != nil {
			t.Errorf("empty is %q, %v (%v)", got, ok, err)
		}
		if keys, err := kv.List(""); !slices.Equal(keys, []string{"empty", "new", "old"}) || err != nil {
			t.Errorf("keys are %q (%v)", keys, err)
		}
		if keys, err := kv.List("n"); !slices.Equal(keys, []string{"new"}) || err != nil {
			t.Errorf("keys with n are %q (%v)", keys, err)
		}
		for range 2 { // deleting what is not there is not an error
			if err := kv.Delete("new"); err != nil {
				t.Error(err)
			}
		}
		if got, ok, err := kv.Get("new"); got != nil || ok || err != nil {
			t.Errorf("what was deleted is %q, %v (%v)", got, ok, err)
		}
	})
}

// everyError is what the functions return.
func everyError(key string) []error {
	_, _, get := kv.Get(key)
	_, list := kv.List(key)
	_, compare := kv.CompareAndSet(key, nil, nil, 0)
	return []error{get, kv.Set(key, nil), kv.Delete(key), list, kv.SetTTL(key, nil, 0), compare}
}

func TestCodesOfTheHostAreErrors(t *testing.T) {
	for code, want := range map[abi.Code]error{
		abi.CodeDenied:      kv.ErrDenied,
		abi.CodeTooLarge:    kv.ErrTooLarge,
		abi.CodeUnsupported: kv.ErrUnsupported,
		abi.CodeInternal:    kv.ErrInternal,
		abi.CodeBadMemory:   kv.ErrInternal,
		-99:                 kv.ErrInternal,
	} {
		in(t, store{code: code}, granted, func() {
			for i, err := range everyError("key") {
				if !errors.Is(err, want) {
					t.Errorf("%s, function %d: error is %v, want %v", code, i, err, want)
				}
			}
		})
	}
}

func TestWithoutTheCapabilityEverythingIsDenied(t *testing.T) {
	in(t, store{values: map[string][]byte{"key": nil}}, []abi.Capability{abi.CapabilityState}, func() {
		for i, err := range everyError("key") {
			if !errors.Is(err, kv.ErrDenied) {
				t.Errorf("function %d: error is %v", i, err)
			}
		}
	})
}

func TestWithoutAStoreNothingIsFoundAndNothingStored(t *testing.T) {
	in(t, nil, granted, func() {
		if value, ok, err := kv.Get("key"); value != nil || ok || err != nil {
			t.Errorf("got %q, %v (%v)", value, ok, err)
		}
		if keys, err := kv.List(""); len(keys) != 0 || err != nil {
			t.Errorf("keys are %q (%v)", keys, err)
		}
		if err := kv.Set("key", nil); !errors.Is(err, kv.ErrTooLarge) {
			t.Errorf("set: %v", err)
		}
		if err := kv.Delete("key"); err != nil {
			t.Errorf("delete: %v", err)
		}
	})
}

func TestAKeyIsShortUTF8(t *testing.T) {
	in(t, store{values: map[string][]byte{}}, granted, func() {
		for _, key := range []string{strings.Repeat("k", 257), "\xff"} {
			for i, err := range everyError(key) {
				if !errors.Is(err, kv.ErrKey) {
					t.Errorf("%.10q, function %d: error is %v", key, i, err)
				}
			}
		}
		if _, _, err := kv.Get(""); !errors.Is(err, kv.ErrKey) {
			t.Errorf("an empty key: %v", err)
		}
		if err := kv.Set(strings.Repeat("k", 256), nil); err != nil {
			t.Errorf("a key of 256 bytes: %v", err)
		}
	})
}

func TestAValueLivesAsLongAsAsked(t *testing.T) {
	lives := map[string]time.Duration{}
	in(t, store{values: map[string][]byte{}, lives: lives}, granted, func() {
		if err := kv.SetTTL("minute", []byte("1"), time.Minute); err != nil {
			t.Error(err)
		}
		if ok, err := kv.CompareAndSet("hour", nil, []byte("1"), time.Hour); !ok || err != nil {
			t.Errorf("a new key: %v (%v)", ok, err)
		}
		for _, ttl := range []time.Duration{-1, time.Microsecond, abi.MaxKVTTL + 1} {
			_, err := kv.CompareAndSet("key", nil, nil, ttl)
			for _, err := range []error{err, kv.SetTTL("key", nil, ttl)} {
				if !errors.Is(err, kv.ErrTTL) {
					t.Errorf("%v: error is %v", ttl, err)
				}
			}
		}
	})
	if lives["minute"] != time.Minute || lives["hour"] != time.Hour || len(lives) != 2 {
		t.Errorf("the store was told %v", lives)
	}
}

func TestOnlyTheExpectedValueIsReplaced(t *testing.T) {
	in(t, store{values: map[string][]byte{"empty": {}, "one": []byte("1")}}, granted, func() {
		for _, c := range []struct {
			key string
			old []byte
			ok  bool
		}{
			{"one", []byte("2"), false}, {"one", nil, false}, {"one", []byte("1"), true}, {"one", []byte("1"), false}, {"one", []byte("new"), true},
			{"empty", nil, false}, {"empty", []byte{}, true}, {"none", []byte{}, false}, {"none", nil, true},
		} {
			if ok, err := kv.CompareAndSet(c.key, c.old, []byte("new"), 0); ok != c.ok || err != nil {
				t.Errorf("%s from %q: %v (%v)", c.key, c.old, ok, err)
			}
		}
	})
}
