package guestio

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestAValueIsGoneWhenItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var store Store
		env := store.Environment("p", "t", Quota{Bytes: 20}, nil)
		env.KVSet("stays", []byte("1"))
		env.KVSetTTL("minute", []byte("12"), time.Minute)
		fork := store.Fork("p", "t", Quota{}, nil)
		time.Sleep(time.Minute - time.Nanosecond) //nolint:forbidigo // the time of the bubble
		if v, c := env.KVGet("minute"); string(v) != "12" || c != 0 {
			t.Errorf("before the end it is %q, %d", v, c)
		}
		if c := env.KVSet("other", []byte("1234567")); c != abi.CodeTooLarge {
			t.Errorf("before the end there is room: %d", c)
		}
		time.Sleep(time.Nanosecond) //nolint:forbidigo // the time of the bubble
		for name, e := range map[string]Environment{"the store": env, "a fork": fork} {
			if v, c := e.KVGet("minute"); v != nil || c != abi.CodeNotFound {
				t.Errorf("%s has %q, %d", name, v, c)
			}
			if keys, _ := e.KVList(""); !slices.Equal(keys, []string{"stays"}) {
				t.Errorf("%s lists %v", name, keys)
			}
			if c := e.KVDelete("minute"); c != abi.CodeNotFound {
				t.Errorf("%s deletes it: %d", name, c)
			}
		}
		if c := env.KVCompareAndSet("minute", nil, []byte("new"), time.Hour); c != 0 {
			t.Errorf("in its place: %d", c)
		}
		if list := store.Entries("p", "t"); len(list) != 2 || list[0].Key != "minute" || time.Until(list[0].Ends) != time.Hour || !list[1].Ends.IsZero() {
			t.Errorf("the entries are %+v", list)
		}
		env.KVSet("minute", nil)  // for good
		time.Sleep(2 * time.Hour) //nolint:forbidigo // the time of the bubble
		if _, c := env.KVGet("minute"); c != 0 || store.Bytes("t") != 12 {
			t.Errorf("what is set again ended: %d, %d bytes", c, store.Bytes("t"))
		}
	})
}

// What has ended takes no room, whichever call comes first afterwards, and in whichever task.
func TestWhatHasEndedMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var store Store
		quota := Quota{Bytes: 10, TotalBytes: 12}
		one, two := store.Environment("p", "one", quota, nil), store.Environment("p", "two", quota, nil)
		one.KVSetTTL("a", []byte("123456789"), time.Second)
		if c := two.KVSet("b", []byte("12")); c != abi.CodeTooLarge {
			t.Errorf("over the total: %d", c)
		}
		time.Sleep(time.Second) //nolint:forbidigo // the time of the bubble
		if c := two.KVSet("b", []byte("12")); c != 0 {
			t.Errorf("after the end: %d", c)
		}
		if u := store.Usage("p"); u != (Usage{Bytes: 3, Keys: 1, Tasks: 1, Refused: 1}) {
			t.Errorf("the usage is %+v", u)
		}
	})
}

// One task cannot take what is for all, and what a plugin stores in total has a bound.
func TestTheTotalOfAPluginHasAQuota(t *testing.T) {
	var store Store
	at := func(plugin, task string) Environment {
		return store.Environment(plugin, task, Quota{Bytes: 4, TotalBytes: 10, TotalKeys: 5}, nil)
	}
	if c := at("p", "greedy").KVSet("a", []byte("1234")); c != abi.CodeTooLarge {
		t.Errorf("over the quota of a task: %d", c)
	}
	at("p", "greedy").KVSet("a", []byte("123"))
	at("p", "other").KVSet("a", []byte("123"))
	if c := at("p", "third").KVSet("a", []byte("12")); c != abi.CodeTooLarge {
		t.Errorf("over the total: %d", c)
	}
	if c := at("p", "third").KVSet("a", []byte("1")); c != 0 {
		t.Errorf("up to the total: %d", c)
	}
	if c := at("another", "third").KVSet("a", []byte("123")); c != 0 {
		t.Errorf("another plugin: %d", c)
	}
	store.Drop("greedy")
	for n, want := range []abi.Code{0, 0, 0, abi.CodeTooLarge} { // five keys
		if c := at("p", "fourth").KVSet(fmt.Sprint(n), nil); c != want {
			t.Errorf("key %d: %d", n, c)
		}
	}
	if u := store.Usage("p"); u != (Usage{Bytes: 9, Keys: 5, Tasks: 3, Refused: 3}) {
		t.Errorf("the usage is %+v", u)
	}
}

// Each call adds one to a number with a comparison, over and over until that succeeds: nothing is lost.
func TestComparisonsLoseNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var store Store
		keys := []string{"a", "b", "c"}
		var wait sync.WaitGroup
		want := map[string]int{}
		for range rapid.IntRange(2, 6).Draw(r, "calls") {
			plan := rapid.SliceOfN(rapid.SampledFrom(keys), 1, 30).Draw(r, "plan")
			for _, key := range plan {
				want[key]++
			}
			env := store.Environment("p", "t", Quota{}, nil)
			wait.Go(func() {
				for _, key := range plan {
					for increment(env, key) == abi.CodeConflict {
					}
				}
			})
		}
		wait.Wait()
		env := store.Environment("p", "t", Quota{}, nil)
		for key, n := range want {
			if v, _ := env.KVGet(key); string(v) != strconv.Itoa(n) {
				r.Fatalf("%s is %s, want %d", key, v, n)
			}
		}
	})
}

func increment(env Environment, key string) abi.Code {
	old, c := env.KVGet(key)
	n := 0
	if c == 0 {
		n, _ = strconv.Atoi(string(old))
	}
	return env.KVCompareAndSet(key, old, []byte(strconv.Itoa(n+1)), time.Hour)
}
