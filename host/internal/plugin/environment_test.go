package plugin

import (
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

func states(values map[string]string) guestio.State {
	return func(key string) ([]byte, abi.Code) {
		value, ok := values[key]
		if !ok {
			return nil, abi.CodeNotFound
		}
		return []byte(value), 0
	}
}

func TestAGuestUsesItsStoreAndTheHostsState(t *testing.T) {
	m := load(t, "imports", Limits{}, granted(abi.CapabilityKV, abi.CapabilityState))
	var store guestio.Store
	env := store.Environment("p", "t", guestio.Quota{}, states(map[string]string{"task": `{"tabs":2}`}))
	var s script
	s.call(abi.ImportFeatures)
	s.ask(abi.ImportKVGet, "visits", 8)
	s.set("visits", "three")
	s.set("visitors", "")
	s.set("other", "x")
	s.ask(abi.ImportKVGet, "visits", 8)
	s.ask(abi.ImportKVGet, "visits", 4) // does not fit
	s.ask(abi.ImportKVGet, "visitors", 8)
	s.ask(abi.ImportKVList, "visit", 32)
	s.ask(abi.ImportKVList, "", 8) // does not fit
	s.ask(abi.ImportKVList, "nobody", 8)
	s.delete("visits")
	s.delete("visits")
	s.ask(abi.ImportStateGet, "task", 16)
	s.ask(abi.ImportStateGet, "visitors", 16)
	answers, buffers := s.run(t, m, env)
	want := []int32{15, -1, 5, 0, 1, 5, 5, 0, 18, 25, 0, 0, -1, 10, -1}
	if !slices.Equal(answers, want) {
		t.Errorf("answers are %v, want %v", answers, want)
	}
	text := string(buffers)
	keys := (&abi.KeyList{Keys: []string{"visitors", "visits"}}).Append(nil)
	wantText := strings.Repeat("\x00", 8) + "three\x00\x00\x00" + "\x00\x00\x00\x00" + strings.Repeat("\x00", 8) + string(keys)
	if !strings.HasPrefix(text, wantText) || !strings.Contains(text, `{"tabs":2}`) {
		t.Errorf("buffers are %q", text)
	}
	if n := store.Bytes("t"); n != len("visitors")+len("otherx") {
		t.Errorf("%d bytes are stored", n)
	}
}

func TestWithoutAnEnvironmentThereIsNothing(t *testing.T) {
	m := load(t, "imports", Limits{}, granted(abi.CapabilityKV, abi.CapabilityState))
	var s script
	s.ask(abi.ImportStateGet, "task", 8)
	s.ask(abi.ImportKVGet, "a", 8)
	s.set("a", "b")
	s.delete("a")
	s.ask(abi.ImportKVList, "", 8)
	if answers, _ := s.run(t, m, nil); !slices.Equal(answers, []int32{-1, -1, -3, -1, 0}) {
		t.Errorf("answers are %v", answers)
	}
}

func TestACapabilityThatIsNotGrantedIsDenied(t *testing.T) {
	for name, c := range map[string]struct {
		granted []abi.Capability
		want    []int32
	}{
		"none":  {nil, []int32{15, -4, -4, -4, -4, -4}},
		"page":  {[]abi.Capability{abi.CapabilityPage}, []int32{15, -4, -4, -4, -4, -4}},
		"state": {[]abi.Capability{abi.CapabilityState}, []int32{15, 1, -4, -4, -4, -4}},
		"kv":    {[]abi.Capability{abi.CapabilityKV}, []int32{15, -4, -1, 1, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, "imports", Limits{}, granted(c.granted...))
			var s script
			s.call(abi.ImportFeatures)
			s.ask(abi.ImportStateGet, "a", 8)
			s.ask(abi.ImportKVGet, "a", 8)
			s.set("a", "b")
			s.delete("a")
			s.ask(abi.ImportKVList, "", 8)
			answers, _ := s.run(t, m, new(guestio.Store).Environment("p", "t", guestio.Quota{}, states(map[string]string{"a": "1"})))
			if !slices.Equal(answers, c.want) {
				t.Errorf("answers are %v, want %v", answers, c.want)
			}
		})
	}
}

func TestKeysAreTextOfABoundedLength(t *testing.T) {
	m := load(t, "imports", Limits{}, granted(abi.CapabilityKV, abi.CapabilityState))
	long := strings.Repeat("k", abi.MaxKeyBytes)
	names := []string{abi.ImportStateGet, abi.ImportKVGet, abi.ImportKVSet, abi.ImportKVDelete, abi.ImportKVList}
	cases := []struct {
		key  string
		want []int32
	}{
		{"", []int32{-2, -2, -2, -2, 0}}, // the empty prefix is every key's
		{"\xff", []int32{-2, -2, -2, -2, -2}},
		{"Grüße", []int32{-1, -1, 0, 0, 0}},
		{long, []int32{-1, -1, 0, 0, 0}},
		{long + "k", []int32{-3, -3, -3, -3, -3}},
	}
	for _, c := range cases {
		var s script
		k, kLen := s.text(c.key)
		for _, name := range names {
			s.call(name, k, kLen)
		}
		if answers, _ := s.run(t, m, new(guestio.Store).Environment("p", "t", guestio.Quota{}, nil)); !slices.Equal(answers, c.want) {
			t.Errorf("%q: answers are %v, want %v", c.key, answers, c.want)
		}
	}
}

func TestWhatACallAsksForIsBounded(t *testing.T) {
	m := load(t, "imports", Limits{ExchangeBytes: 2*(abi.ExchangeOverhead+1) + 10}, granted(abi.CapabilityKV))
	for _, value := range []string{"0123456789", "0123456789!"} {
		var s script
		s.set("a", value)
		s.delete("a")
		s.delete("a")
		var recorder guestio.Recorder
		recorder.Reset(new(guestio.Store).Environment("p", "t", guestio.Quota{}, nil))
		want, asked := []int32{10, 0, -3}, 2
		if len(value) > 10 {
			want, asked = []int32{11, -3, -3}, 1
		}
		answers, _ := s.run(t, m, &recorder)
		if !slices.Equal(answers, want) || len(recorder.Exchanges()) != asked {
			t.Errorf("answers are %v, want %v; recorded %+v", answers, want, recorder.Exchanges())
		}
	}
}

// strange is an environment that breaks its word.
type strange struct {
	guestio.Environment
	code abi.Code
}

func (s strange) KVGet(string) ([]byte, abi.Code) { return []byte("value"), s.code }

func TestOnlyKnownCodesReachTheGuest(t *testing.T) {
	m := load(t, "imports", Limits{}, granted(abi.CapabilityKV))
	for c, want := range map[abi.Code]int32{7: 5, 0: 5, -1: -1, -6: -6, -7: -6, -1000: -6} {
		var s script
		s.ask(abi.ImportKVGet, "a", 8)
		if answers, _ := s.run(t, m, strange{guestio.Nothing{}, c}); answers[0] != want {
			t.Errorf("code %d reaches the guest as %d, want %d", c, answers[0], want)
		}
	}
}
