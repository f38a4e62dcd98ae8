package module_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

var every = abi.Capabilities()

func TestAnEnvironmentKeepsCopiesWithinItsQuota(t *testing.T) {
	e := &module.Environment{Capabilities: every, KVBytes: 10}
	value := []byte("12345")
	if code := e.KVSet("a", value); code != 0 {
		t.Fatal(code)
	}
	value[0] = 'x'
	if got, code := e.KVGet("a"); string(got) != "12345" || code != 0 {
		t.Errorf("a is %q (%s)", got, code)
	}
	if code := e.KVSet("b", []byte("1234")); code != abi.CodeTooLarge {
		t.Errorf("11 bytes in 10: %s", code)
	}
	if code := e.KVSet("a", []byte("123456789")); code != 0 {
		t.Errorf("a value that replaces another and fits: %s", code)
	}
	if code := e.KVSet("a", []byte("1234567890")); code != abi.CodeTooLarge {
		t.Errorf("a value that replaces another and does not fit: %s", code)
	}
	if got, _ := e.KVGet("a"); string(got) != "123456789" {
		t.Errorf("a is %q", got)
	}
}

func TestAnEnvironmentLimitsItsKeys(t *testing.T) {
	e := &module.Environment{Capabilities: every}
	for n := range abi.MaxKVKeys {
		if code := e.KVSet(fmt.Sprint(n), nil); code != 0 {
			t.Fatal(n, code)
		}
	}
	if code := e.KVSet("more", nil); code != abi.CodeTooLarge {
		t.Errorf("one more: %s", code)
	}
	if code := e.KVSet("0", []byte("again")); code != 0 {
		t.Errorf("one that is there: %s", code)
	}
}

func TestAnEnvironmentListsAndDeletes(t *testing.T) {
	e := &module.Environment{Capabilities: every, KV: map[string][]byte{"b": nil, "ab": nil, "a": nil}}
	if keys, code := e.KVList("a"); !slices.Equal(keys, []string{"a", "ab"}) || code != 0 {
		t.Errorf("keys are %q (%s)", keys, code)
	}
	if code := e.KVDelete("a"); code != 0 {
		t.Error(code)
	}
	if code := e.KVDelete("a"); code != abi.CodeNotFound {
		t.Errorf("deleted twice: %s", code)
	}
	if _, code := e.KVGet("a"); code != abi.CodeNotFound {
		t.Errorf("get after delete: %s", code)
	}
}

func TestAnEnvironmentWithoutGrantsDeniesEverything(t *testing.T) {
	e := &module.Environment{KV: map[string][]byte{"a": nil}, State: map[string][]byte{"a": nil}}
	_, get := e.KVGet("a")
	_, list := e.KVList("")
	_, state := e.StateGet("a")
	for i, code := range []abi.Code{get, list, state, e.KVSet("a", nil), e.KVDelete("a")} {
		if code != abi.CodeDenied {
			t.Errorf("function %d: %s", i, code)
		}
	}
}

// The fixture calls the imports that its event names: here kv_set, which is number 9, with the strings after the call.
func TestACallChangesTheStoreOfItsEnvironment(t *testing.T) {
	m, err := module.OpenFile(t.Context(), path("imports"), module.Options{Limits: patient})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const texts = 8 + 17 // where they begin
	event := binary.LittleEndian.AppendUint32(nil, 1)
	event = binary.LittleEndian.AppendUint32(event, 4) // the verdict is what kv_set returned
	event = append(event, 9)
	for _, argument := range []uint32{texts, 3, texts + 3, 5} {
		event = binary.LittleEndian.AppendUint32(event, argument)
	}
	event = append(event, "keyvalue"...)

	e := &module.Environment{Capabilities: every}
	for _, c := range []struct {
		name string
		call func() (module.Result, error)
		want abi.Code
	}{
		{"with the grant", func() (module.Result, error) { return m.CallIn(t.Context(), e, abi.HookDialog, event) }, 5},
		{"without an environment", func() (module.Result, error) { return m.Call(t.Context(), abi.HookDialog, event) }, abi.CodeDenied},
	} {
		res, err := c.call()
		if want := binary.LittleEndian.AppendUint32(nil, uint32(c.want)); err != nil || !bytes.Equal(res.Verdict, want) {
			t.Errorf("%s: kv_set returned %x (%v), want %x", c.name, res.Verdict, err, want)
		}
	}
	if got, code := e.KVGet("key"); string(got) != "value" || code != 0 {
		t.Errorf("key is %q (%s)", got, code)
	}
}
