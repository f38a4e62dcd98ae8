package plugin

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// Two modules of the same bytes, with the same compiled code in a cache, share nothing that a guest can change.
func TestModulesOfTheSameBytesShareNoState(t *testing.T) {
	cache := t.TempDir() + "/cache"
	cached := func(_ *Source, o *Options) { o.CacheDir = cache }
	var modules [2]*Module
	for n := range modules {
		modules[n] = load(t, "counter", Limits{Instances: 1}, cached)
	}
	if modules[0].Info().SHA256 != modules[1].Info().SHA256 {
		t.Fatal("they are not the same")
	}
	counts := [2]byte{}
	for step, n := range []int{0, 0, 0, 1, 0, 1, 1, 0} {
		for _, hook := range abi.Hooks() {
			_, got, err := call(ctx0, modules[n], hook, nil)
			if err != nil || got[0] != counts[n] || got[1] != counts[n] {
				t.Fatalf("step %d: module %d counts %v in its global and its memory, want %d (%v)", step, n, got, counts[n], err)
			}
			counts[n]++
		}
	}
	// What one of them does to its instance does nothing to the other's.
	if err := modules[0].Close(); err != nil {
		t.Error(err)
	}
	if _, got, err := call(ctx0, modules[1], abi.HookDialog, nil); err != nil || got[0] != counts[1] {
		t.Errorf("after the other was closed: %v, %v", got, err)
	}
}

// Guests of the same module under two names, and of one name for two tasks, do not see each other's store; a module
// that takes over a name sees what the one before it stored.
func TestGuestsSeeTheirOwnStoreOnly(t *testing.T) {
	var store guestio.Store
	kv := granted(abi.CapabilityKV)
	first, second := load(t, "imports", Limits{}, kv), load(t, "imports", Limits{}, kv)
	write := func(m *Module, plugin, task string) {
		var s script
		s.set("who", plugin+" "+task)
		s.set(plugin+task, "")
		s.run(t, m, store.Environment(plugin, task, guestio.Quota{}, nil))
	}
	read := func(m *Module, plugin, task string) (who string, keys []string) {
		var s script
		s.ask(abi.ImportKVGet, "who", 8)
		s.ask(abi.ImportKVList, "", 64)
		answers, buffers := s.run(t, m, store.Environment(plugin, task, guestio.Quota{}, nil))
		var list abi.KeyList
		if err := list.Unmarshal(buffers[8 : 8+answers[1]]); err != nil {
			t.Fatal(err)
		}
		return string(buffers[:max(0, answers[0])]), list.Keys
	}
	write(first, "one", "red")
	write(second, "two", "red")
	write(first, "one", "blue")
	for _, c := range []struct {
		m            *Module
		plugin, task string
	}{{first, "one", "red"}, {second, "two", "red"}, {first, "one", "blue"}, {second, "one", "red"}} {
		who, keys := read(c.m, c.plugin, c.task)
		if who != c.plugin+" "+c.task || !slices.Equal(keys, []string{c.plugin + c.task, "who"}) {
			t.Errorf("%s for %s sees %q and %v", c.plugin, c.task, who, keys)
		}
	}
	if who, keys := read(second, "two", "blue"); who != "" || keys != nil {
		t.Errorf("a store that nobody wrote to has %q and %v", who, keys)
	}
	store.Drop("red")
	if who, keys := read(first, "one", "red"); who != "" || keys != nil {
		t.Errorf("after the task there are %q and %v", who, keys)
	}
}
