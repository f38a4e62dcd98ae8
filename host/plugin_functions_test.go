package host

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// consulting is a plugin whose module asks the function lookup_v1 how to answer dialogs.
func consulting(functions ...string) PluginOptions {
	return PluginOptions{
		PluginSource: PluginSource{Wasm: contrary.Embedder()}, Hooks: []abi.Hook{abi.HookDialog}, Priority: 1, Functions: functions,
		Limits: module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute},
	}
}

// functionHost returns a host without a browser with one function and a plugin that calls it.
func functionHost(t *testing.T, o Options, f PluginFunction) *Host {
	t.Helper()
	if f.Name == "" {
		f.Name, f.Version = "lookup", 1
	}
	o.Functions, o.Plugins = []PluginFunction{f}, map[string]PluginOptions{"asking": consulting("lookup_v1")}
	o.PluginCacheDir = compiled
	h, err := New(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// askFor asks about a dialog with that message, and returns the verdict and the exchange of the latest call of the
// plugin.
func askFor(t *testing.T, h *Host, message string) (abi.DialogVerdict, []JournalExchange) {
	t.Helper()
	event := abi.DialogEvent{Header: abi.Header{TaskID: "t"}, DialogID: "d-1", Type: abi.DialogTypePrompt, Message: message}
	var verdict abi.DialogVerdict
	if out := h.plugins.Ask(t.Context(), questionAbout("t", &event, verdict.Unmarshal)); !out.Decided {
		t.Fatalf("nobody decided: %+v", out)
	}
	calls := h.Journal(JournalFilter{Plugin: "asking"})
	if len(calls) == 0 {
		t.Fatal("the plugin was not asked")
	}
	return verdict, calls[len(calls)-1].Exchanges
}

func TestAModuleCallsAFunctionOfTheEmbedder(t *testing.T) {
	long := strings.Repeat("a long answer ", 100) // more than the buffer of the SDK
	var calls []PluginFunctionCall
	h := functionHost(t, Options{}, PluginFunction{Timeout: time.Minute, Call: func(_ context.Context, c PluginFunctionCall) ([]byte, error) {
		calls = append(calls, c)
		switch string(c.Request) {
		case "long":
			return []byte(long), nil
		case "closed":
			return nil, &PluginFunctionError{Reason: "the shop is closed"}
		case "nobody":
			return nil, &PluginFunctionError{Code: abi.CodeNotFound}
		case "broken":
			return nil, errors.New("the password of the database is hunter22")
		case "panics":
			panic("an embedder's mistake")
		case "large":
			return make([]byte, abi.DefaultFunctionAnswerBytes+1), nil
		}
		return []byte("dismiss"), nil
	}})
	if v, x := askFor(t, h, "Delete?"); v.Action != abi.DialogActionDismiss || v.Rule != "the embedder" || len(x) != 1 || x[0].Import != "embedder.lookup_v1" || x[0].Request != "Delete?" || x[0].Text != "dismiss" {
		t.Errorf("the verdict is %+v, the exchange %+v", v, x)
	}
	if len(calls) != 1 || calls[0].Plugin != "asking" || calls[0].Task != "t" {
		t.Errorf("the calls are %+v", calls)
	}
	calls = nil
	if v, _ := askFor(t, h, "long"); v.Text != long || len(calls) != 1 {
		t.Errorf("the verdict is %+v after %d calls", v, len(calls))
	}
	if v, x := askFor(t, h, "closed"); v.Rule != "the shop is closed" || x[0].Code != abi.CodeFailed {
		t.Errorf("the verdict is %+v, the exchange %+v", v, x)
	}
	for message, want := range map[string]abi.Code{
		"nobody": abi.CodeNotFound, "broken": abi.CodeInternal, "panics": abi.CodeInternal, "large": abi.CodeTooLarge,
	} {
		// The module abstains, and the shipped policy decides.
		if _, x := askFor(t, h, message); len(x) != 1 || x[0].Code != want || x[0].Text != "" {
			t.Errorf("%s: the exchange is %+v, want the code %d", message, x, want)
		}
	}
	for _, p := range h.Plugins() {
		if (p.Name == "asking") != (len(p.Functions) == 1 && p.Functions[0] == "lookup_v1") {
			t.Errorf("the functions of %s are %v", p.Name, p.Functions)
		}
	}
}

func TestAFunctionThatHangsDelaysNobody(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	h := functionHost(t, Options{}, PluginFunction{Timeout: time.Millisecond, Call: func(context.Context, PluginFunctionCall) ([]byte, error) {
		<-end // whatever its context says
		return nil, nil
	}})
	if v, x := askFor(t, h, "Sure?"); v.Rule != "it took longer than 1ms" || len(x) != 1 || x[0].Code != abi.CodeFailed {
		t.Errorf("the verdict is %+v, the exchange %+v", v, x)
	}
}

func TestAFunctionHasItsLimits(t *testing.T) {
	answer := func(context.Context, PluginFunctionCall) ([]byte, error) { return []byte("dismiss"), nil }
	h := functionHost(t, Options{}, PluginFunction{Timeout: time.Minute, Calls: 1, RequestBytes: 8, Call: answer})
	for message, want := range map[string]int{
		"once":      1, // the call is answered
		"twice":     1, // the second call of the function is refused before it is made, and the module abstains
		"123456789": 0,
	} {
		if v, x := askFor(t, h, message); len(x) != want || (v.Rule == "the embedder") != (message == "once") {
			t.Errorf("%s: the verdict is %+v, the exchanges %+v", message, v, x)
		}
	}
	// An expensive one costs the module its fuel: there is enough for one call.
	h = functionHost(t, Options{}, PluginFunction{Timeout: time.Minute, Fuel: abi.DefaultFuel * 3 / 5, Call: answer})
	event := abi.DialogEvent{Header: abi.Header{TaskID: "t"}, DialogID: "d-1", Type: abi.DialogTypePrompt, Message: "twice"}
	if out := h.plugins.Ask(t.Context(), questionAbout("t", &event, nil)); !strings.Contains(out.Fault, "fuel") {
		t.Errorf("the outcome is %+v", out)
	}
}

func TestWhatIsNotGrantedIsRefusedByName(t *testing.T) {
	lookup := PluginFunction{Name: "lookup", Version: 1, Call: func(context.Context, PluginFunctionCall) ([]byte, error) { return nil, nil }}
	next := lookup
	next.Version = 2
	for name, c := range map[string]struct {
		offered []PluginFunction
		granted []string
		want    string
	}{
		"nothing":                 {[]PluginFunction{lookup}, nil, "imports embedder.lookup_v1, a function of the program that embeds the host, which is not granted to the plugin (none is)"},
		"another version":         {[]PluginFunction{lookup, next}, []string{"lookup_v2"}, "granted: lookup_v2"},
		"what nobody offers":      {nil, []string{"lookup_v1"}, `granted the function "lookup_v1", which this program does not offer`},
		"a name that is none":     {[]PluginFunction{{Name: "Look up", Version: 1, Call: lookup.Call}}, nil, "is no name of a function"},
		"no version":              {[]PluginFunction{{Name: "lookup", Call: lookup.Call}}, nil, "versions begin with 1"},
		"nothing to call":         {[]PluginFunction{{Name: "lookup", Version: 1}}, nil, "has no Call"},
		"one that is there twice": {[]PluginFunction{lookup, lookup}, nil, "twice"},
	} {
		h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Functions: c.offered, Plugins: map[string]PluginOptions{"asking": consulting(c.granted...)}})
		if err == nil {
			err = h.Close(t.Context())
			t.Errorf("%s: it started (%v)", name, err)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
	}
	// A swap, a shadow and an author's check refuse it as well.
	h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Functions: []PluginFunction{lookup}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	change := PluginChange{PluginSource: PluginSource{Wasm: contrary.Embedder()}}
	_, swapped := h.SwapPlugin(t.Context(), "dialog-policy", change)
	_, shadowed := h.ShadowPlugin(t.Context(), "dialog-policy", change)
	_, opened := module.Open(t.Context(), contrary.Embedder(), module.Options{})
	for _, err := range []error{swapped, shadowed, opened} {
		var refused *module.LoadError
		if !errors.As(err, &refused) || refused.Step != "imports" || !strings.Contains(refused.Detail, "embedder.lookup_v1") {
			t.Errorf("the error is %v", err)
		}
	}
	if report, err := module.Inspect(contrary.Embedder()); err != nil || len(report.Embedder) != 1 || report.Embedder[0] != "lookup_v1" {
		t.Errorf("the functions in the report are %v, %v", report.Embedder, err)
	}
}

func TestAReplayBeforeASwapAndAShadowNeverCallTheEmbedder(t *testing.T) {
	var calls atomic.Int64
	h := functionHost(t, Options{}, PluginFunction{Timeout: time.Minute, Call: func(_ context.Context, c PluginFunctionCall) ([]byte, error) {
		calls.Add(1)
		if string(c.Request) == "closed" {
			return nil, &PluginFunctionError{Reason: "the shop is closed"}
		}
		return []byte("answer " + string(c.Request)), nil
	}})
	askFor(t, h, "one")
	askFor(t, h, "closed")
	// The new generation is replayed on the recorded calls before it serves, in a child process that has no embedder.
	if g, err := h.SwapPlugin(t.Context(), "asking", PluginChange{PluginSource: PluginSource{Wasm: contrary.Embedder()}, RequireSame: true}); err != nil {
		t.Fatalf("%+v, %v", g, err)
	}
	if _, err := h.ShadowPlugin(t.Context(), "asking", PluginChange{PluginSource: PluginSource{Wasm: contrary.Embedder()}}); err != nil {
		t.Fatal(err)
	}
	askFor(t, h, "twice")
	for {
		s, err := h.PluginShadow("asking")
		if err != nil {
			t.Fatal(err)
		}
		if s.Compared == 1 {
			if s.Differing != 0 {
				t.Errorf("the shadow differs: %+v", s.Differences)
			}
			break
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
	if calls.Load() != 4 { // one, closed, and twice two times
		t.Errorf("the embedder was called %d times", calls.Load())
	}
}
