package guestio

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestAStoreHasAQuota(t *testing.T) {
	var store Store
	env := store.Environment("p", "t", Quota{Bytes: 10}, nil)
	steps := []struct {
		key, value string
		want       abi.Code
		bytes      int
	}{
		{"a", "12345", 0, 6},
		{"b", "123", 0, 10},
		{"c", "", abi.CodeTooLarge, 10},
		{"a", "123456", abi.CodeTooLarge, 10}, // the old value stays
		{"a", "1234", 0, 9},
		{"c", "", 0, 10},
	}
	for _, s := range steps {
		if c := env.KVSet(s.key, []byte(s.value)); c != s.want || store.Bytes("t") != s.bytes {
			t.Errorf("%s = %s: code %d with %d bytes, want %d with %d", s.key, s.value, c, store.Bytes("t"), s.want, s.bytes)
		}
	}
	if v, c := env.KVGet("a"); string(v) != "1234" || c != 0 {
		t.Errorf("a is %q, %d", v, c)
	}
}

func TestAStoreHasSoManyKeys(t *testing.T) {
	env := new(Store).Environment("p", "t", Quota{}, nil)
	for n := range abi.MaxKVKeys {
		if c := env.KVSet(fmt.Sprint(n), nil); c != 0 {
			t.Fatalf("key %d: code %d", n, c)
		}
	}
	if c := env.KVSet("more", nil); c != abi.CodeTooLarge {
		t.Errorf("one more key: code %d", c)
	}
	if c := env.KVSet("7", []byte("new")); c != 0 {
		t.Errorf("a key that is there: code %d", c)
	}
}

func TestPluginsAndTasksHaveStoresOfTheirOwn(t *testing.T) {
	var store Store
	at := func(plugin, task string) Environment { return store.Environment(plugin, task, Quota{}, nil) }
	for _, plugin := range []string{"one", "two"} {
		for _, task := range []string{"red", "blue"} {
			at(plugin, task).KVSet("key", []byte(plugin+task))
		}
	}
	at("one", "red").KVSet("own", nil)
	for _, plugin := range []string{"one", "two"} {
		for _, task := range []string{"red", "blue"} {
			if v, _ := at(plugin, task).KVGet("key"); string(v) != plugin+task {
				t.Errorf("%s in %s has %q", plugin, task, v)
			}
			keys, _ := at(plugin, task).KVList("")
			if has := slices.Contains(keys, "own"); has != (plugin == "one" && task == "red") {
				t.Errorf("%s in %s lists %v", plugin, task, keys)
			}
		}
	}
	late := at("one", "red")
	store.Drop("red")
	late.KVSet("late", nil)
	if keys, _ := at("one", "red").KVList(""); keys != nil || store.Bytes("red") != 0 {
		t.Errorf("%v are there after the task", keys)
	}
	if v, _ := at("two", "blue").KVGet("key"); string(v) != "twoblue" {
		t.Errorf("the other task has %q", v)
	}
}

func TestAForkReachesNobodyElse(t *testing.T) {
	var store Store
	env := store.Environment("p", "t", Quota{}, nil)
	env.KVSet("a", []byte("1"))
	fork := store.Fork("p", "t", Quota{}, nil)
	fork.KVSet("a", []byte("22"))
	fork.KVSet("b", []byte("2"))
	env.KVSet("c", []byte("3"))
	if v, _ := env.KVGet("a"); string(v) != "1" || store.Bytes("t") != 4 {
		t.Errorf("a is %q, %d bytes are stored", v, store.Bytes("t"))
	}
	if keys, _ := fork.KVList(""); !slices.Equal(keys, []string{"a", "b"}) {
		t.Errorf("the fork lists %v", keys)
	}
}

// What is given out and taken in is the caller's own.
func TestAStoreKeepsCopies(t *testing.T) {
	env := new(Store).Environment("p", "t", Quota{}, nil)
	given := []byte("one")
	env.KVSet("a", given)
	copy(given, "xxx")
	before, _ := env.KVGet("a")
	env.KVSet("a", []byte("two"))
	if string(before) != "one" {
		t.Errorf("the value became %q", before)
	}
}

// A store is a sorted map with a bound.
func TestAStoreBehavesLikeAMap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var store Store
		const limit = 60
		env := store.Environment("p", "t", Quota{Bytes: limit}, nil)
		model, used := map[string]string{}, 0
		key := rapid.StringMatching(`[ab]{1,3}`)
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			k := key.Draw(r, "key")
			old, had := model[k]
			switch rapid.IntRange(0, 2).Draw(r, "step") {
			case 0:
				v := rapid.StringMatching(`v{0,20}`).Draw(r, "value")
				after := used + len(v) - len(old)
				if !had {
					after += len(k)
				}
				if c := env.KVSet(k, []byte(v)); (c == 0) != (after <= limit) {
					r.Fatalf("set: code %d for %d bytes", c, after)
				} else if c == 0 {
					model[k], used = v, after
				}
			case 1:
				if c := env.KVDelete(k); (c == 0) != had {
					r.Fatalf("delete: code %d", c)
				} else if had {
					used -= len(k) + len(old)
					delete(model, k)
				}
			case 2:
				var want []string
				for other := range model {
					if strings.HasPrefix(other, k) {
						want = append(want, other)
					}
				}
				slices.Sort(want)
				if got, _ := env.KVList(k); !slices.Equal(got, want) {
					r.Fatalf("list: %v, want %v", got, want)
				}
			}
			if v, c := env.KVGet(k); string(v) != model[k] || store.Bytes("t") != used || c < 0 && len(v) > 0 {
				r.Fatalf("%s is %q, code %d, with %d bytes; want %q with %d", k, v, c, store.Bytes("t"), model[k], used)
			}
		}
	})
}

func TestAStoreHasManyUsersAtOnce(t *testing.T) {
	var store Store
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for round := range 200 {
				task := fmt.Sprint("t", round%3)
				env := store.Environment("p", task, Quota{}, nil)
				key := fmt.Sprint(n)
				if c := env.KVSet(key, []byte(key)); c != 0 {
					t.Errorf("code %d", c)
				}
				if v, c := env.KVGet(key); c != 0 || string(v) != key {
					t.Errorf("%q, code %d", v, c)
				}
				env.KVList("")
				store.Fork("p", task, Quota{}, nil).KVDelete(key)
				if round%50 == n {
					store.Drop(task)
				}
				env.KVDelete(key)
			}
		})
	}
	all.Wait()
	for n := range 3 {
		if left := store.Bytes(fmt.Sprint("t", n)); left != 0 {
			t.Errorf("%d bytes are left", left)
		}
	}
}
