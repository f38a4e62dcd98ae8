package plugin

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// anyScript draws calls of the environment's imports, proper ones and others.
func anyScript(r *rapid.T) *script {
	var s script
	key := rapid.SampledFrom([]string{"a", "b", "ab", "", "\xff", strings.Repeat("k", 257)})
	for range rapid.IntRange(0, 20).Draw(r, "calls") {
		k := key.Draw(r, "key")
		switch rapid.IntRange(0, 4).Draw(r, "import") {
		case 0:
			s.ask(abi.ImportStateGet, k, 8)
		case 1:
			s.ask(abi.ImportKVGet, k, 8)
		case 2:
			s.set(k, rapid.StringMatching(`v{0,40}`).Draw(r, "value"))
		case 3:
			s.delete(k)
		case 4:
			s.ask(abi.ImportKVList, k, 8)
		}
	}
	return &s
}

// A call that is recorded gives the same when it is played back, on a fresh instance, and uses the same fuel.
func TestARecordedCallIsPlayedBackTheSame(t *testing.T) {
	m := load(t, "imports", Limits{ExchangeBytes: 1000}, granted(abi.CapabilityKV, abi.CapabilityState))
	rapid.Check(t, func(r *rapid.T) {
		store := new(guestio.Store)
		store.Environment("p", "t", guestio.Quota{}, nil).KVSet("ab", []byte("before"))
		s := anyScript(r)
		var recorder guestio.Recorder
		recorder.Reset(store.Environment("p", "t", guestio.Quota{Bytes: 100}, states(map[string]string{"a": "1", "b": "22"})))
		run := func(env guestio.Environment) (answers []int32, buffers []byte, fuel int64) {
			res, err := m.CallFresh(ctx0, env, abi.HookDialog, s.event(), s.decode(&answers, &buffers))
			if err != nil {
				r.Fatal(err)
			}
			return answers, buffers, res.Fuel
		}
		answers, buffers, fuel := run(&recorder)
		exchanges := throughJSON(r, recorder.Exchanges())
		playback := guestio.NewPlayback(exchanges)
		again, buffersAgain, fuelAgain := run(playback)
		if !slices.Equal(answers, again) || !slices.Equal(buffers, buffersAgain) || fuel != fuelAgain {
			r.Fatalf("answered %v with %d fuel, then %v with %d", answers, fuel, again, fuelAgain)
		}
		if err := playback.Deviation(); err != nil {
			r.Fatal(err)
		}
	})
}

func throughJSON(r *rapid.T, in []guestio.Exchange) (out []guestio.Exchange) {
	text, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		r.Fatal(err)
	}
	return out
}

func TestAPlaybackSaysWhereTheGuestAskedOtherwise(t *testing.T) {
	recorded := []guestio.Exchange{
		{Import: abi.ImportKVGet, Key: "a", Value: []byte("1")},
		{Import: abi.ImportKVSet, Key: "a", Value: []byte("2"), Code: abi.CodeTooLarge},
		{Import: abi.ImportKVList, Key: "", Keys: []string{"a"}},
	}
	get := func(key string) func(guestio.Environment) abi.Code {
		return func(e guestio.Environment) abi.Code { _, c := e.KVGet(key); return c }
	}
	set := func(value string) func(guestio.Environment) abi.Code {
		return func(e guestio.Environment) abi.Code { return e.KVSet("a", []byte(value)) }
	}
	list := func(e guestio.Environment) abi.Code { _, c := e.KVList(""); return c }
	drop := func(e guestio.Environment) abi.Code { return e.KVDelete("a") }
	state := func(e guestio.Environment) abi.Code { _, c := e.StateGet("a"); return c }
	cases := map[string]struct {
		asks  []func(guestio.Environment) abi.Code
		codes []abi.Code
		want  string
	}{
		"the same":         {[]func(guestio.Environment) abi.Code{get("a"), set("2"), list}, []abi.Code{0, -3, 0}, ""},
		"another value":    {[]func(guestio.Environment) abi.Code{get("a"), set("3!"), list}, []abi.Code{0, -3, 0}, `asked kv_set of 2 bytes to "a" where kv_set of 1 bytes to "a" is recorded (exchange 1)`},
		"another key":      {[]func(guestio.Environment) abi.Code{get("b"), get("a"), set("2"), list}, []abi.Code{-1, 0, -3, 0}, `asked kv_get of "b" where kv_get of "a" is recorded (exchange 0)`},
		"one left out":     {[]func(guestio.Environment) abi.Code{get("a"), list}, []abi.Code{0, 0}, `asked kv_list of "" where kv_set`},
		"the last left":    {[]func(guestio.Environment) abi.Code{get("a"), set("2")}, []abi.Code{0, -3}, `asked nothing where kv_list`},
		"more at the end":  {[]func(guestio.Environment) abi.Code{get("a"), set("2"), list, drop, state, set("2"), list}, []abi.Code{0, -3, 0, -1, -1, 0, 0}, `asked kv_delete of "a" where nothing is recorded (exchange 3)`},
		"in another order": {[]func(guestio.Environment) abi.Code{set("2"), get("a"), list}, []abi.Code{-3, -1, 0}, `asked kv_set of 1 bytes to "a" where kv_get`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := guestio.NewPlayback(recorded)
			for n, ask := range c.asks {
				if got := ask(p); got != c.codes[n] {
					t.Errorf("question %d: code %d, want %d", n, got, c.codes[n])
				}
			}
			err := p.Deviation()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var deviation *guestio.DeviationError
			if !errors.As(err, &deviation) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("deviation is %v, want %q", err, c.want)
			}
		})
	}
}

// What is recorded is the caller's: the next recording does not change it.
func TestARecordingIsTheCallers(t *testing.T) {
	var r guestio.Recorder
	r.Reset(nil)
	value := []byte("1")
	r.KVSet("a", value)
	first := r.Exchanges()
	value[0] = 'x'
	r.Reset(nil)
	r.KVDelete("b")
	if len(first) != 1 || string(first[0].Value) != "1" || first[0].Code != abi.CodeTooLarge || first[0].Import != abi.ImportKVSet {
		t.Errorf("the first recording is %+v", first)
	}
}

func TestARecorderOfACallThatAsksNothingAllocatesNothing(t *testing.T) {
	var r guestio.Recorder
	env := new(guestio.Store).Environment("p", "t", guestio.Quota{}, nil)
	m := load(t, "ok", Limits{})
	plain := testing.AllocsPerRun(100, func() { _, _ = m.Call(ctx0, abi.HookDialog, nil, nil) })
	recorded := testing.AllocsPerRun(100, func() {
		r.Reset(env)
		_, _ = m.CallIn(ctx0, &r, abi.HookDialog, nil, nil)
	})
	if recorded > plain {
		t.Errorf("%v allocations, %v without the recorder", recorded, plain)
	}
}

// A guest whose buffer is too small asks again; one that has served before has a buffer that is large enough.
func TestAReadThatIsRepeatedAtOnceIsOneQuestion(t *testing.T) {
	once := []guestio.Exchange{
		{Import: abi.ImportKVGet, Key: "a", Value: []byte("long")},
		{Import: abi.ImportKVSet, Key: "a", Value: []byte("b")},
		{Import: abi.ImportKVGet, Key: "a", Value: []byte("b")},
	}
	twice := []guestio.Exchange{once[0], once[0], once[1], once[2], once[2], once[2]}
	read := func(p *guestio.Playback, want string) {
		t.Helper()
		if value, code := p.KVGet("a"); string(value) != want || code != 0 {
			t.Errorf("it answers %q, %d, want %q", value, code, want)
		}
	}
	for _, recorded := range [][]guestio.Exchange{once, twice} {
		p := guestio.NewPlayback(recorded)
		read(p, "long")
		read(p, "long")
		p.KVSet("a", []byte("b"))
		read(p, "b")
		if err := p.Deviation(); err != nil {
			t.Error(err)
		}
	}
	changed := []guestio.Exchange{once[0], once[2]} // someone else wrote between
	p := guestio.NewPlayback(changed)
	read(p, "long")
	read(p, "b")
	read(p, "b")
	if err := p.Deviation(); err != nil {
		t.Error(err)
	}
}
