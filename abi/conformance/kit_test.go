package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// wrong is a module of the runtime's tests that breaks rules.
func wrong(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("../../host/internal/plugin/testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestGuestsThatBreakARuleAreFound(t *testing.T) {
	cases := []struct{ module, want string }{
		{"trap", "trap"},
		{"unknown_status", "returned status"},
		{"unknown_verdict", "the verdict has action"},
		{"garbage", "the verdict is not usable"},
		{"no_result", "never called result_write"},
		{"counter", "is answered by the verdict"},
		{"init_error", "refused its configuration"},
		{"init_status", "returned status"},
		{"load_no_marker", "hermes_abi_v1"},
	}
	for _, c := range cases {
		t.Run(c.module, func(t *testing.T) {
			findings := conformance.CheckGuest(t.Context(), module.Conformance(module.Options{}), wrong(t, c.module))
			if !slices.ContainsFunc(findings, func(f conformance.Finding) bool { return strings.Contains(f.Detail, c.want) }) {
				t.Errorf("want a finding with %q, found %d: %.3v", c.want, len(findings), findings)
			}
		})
	}
}

func TestAGuestThatNeverReadsItsEventConforms(t *testing.T) {
	wasm, err := conformance.Probe("ok")
	if err != nil {
		t.Fatal(err)
	}
	conformance.Guest(t.Context(), t, module.Conformance(module.Options{}), wasm)
}

// lenient is a host that breaks rules of docs/abi.md.
type lenient struct {
	conformance.Host
	call func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error)
	load func(h conformance.Host, wasm, config []byte) (conformance.Plugin, error)
}

func (l lenient) Load(ctx context.Context, wasm, config []byte) (conformance.Plugin, error) {
	var p conformance.Plugin
	var err error
	if l.load != nil {
		p, err = l.load(l.Host, wasm, config)
	} else {
		p, err = l.Host.Load(ctx, wasm, config)
	}
	if err != nil || l.call == nil {
		return p, err
	}
	return lenientPlugin{p, l.call}, nil
}

type lenientPlugin struct {
	conformance.Plugin
	call func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error)
}

func (l lenientPlugin) Call(
	_ context.Context, in *fakehost.Environment, hook abi.Hook, event []byte,
) (fakehost.Answer, error) {
	return l.call(l.Plugin, in, hook, event)
}

func TestHostsThatBreakARuleAreFound(t *testing.T) {
	ctx := t.Context()
	cases := []struct {
		name string
		host lenient
		want []string // the beginnings of the rules
	}{
		{"grants everything", lenient{call: func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
			in.Capabilities = abi.Capabilities()
			return p.Call(ctx, in, hook, event)
		}}, []string{"The store keeps copies", "Without the grant"}},
		{"forgets what is stored", lenient{call: func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
			return p.Call(ctx, &fakehost.Environment{Capabilities: in.Capabilities, State: in.State}, hook, event)
		}}, []string{"The store keeps copies", "Without the grant"}},
		{"takes faults for abstentions", lenient{call: func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
			if got, err := p.Call(ctx, in, hook, event); err == nil {
				return got, nil
			}
			return fakehost.Answer{Status: abi.StatusAbstain}, nil
		}}, []string{"A fault ends the instance"}},
		{"gives events without their last byte", lenient{call: func(p conformance.Plugin, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
			return p.Call(ctx, in, hook, event[:max(0, len(event)-1)])
		}}, []string{"A fault ends the instance", "An import returns a length", "0 is a verdict"}},
		{"loads another module instead of one that it should refuse", lenient{load: func(h conformance.Host, wasm, config []byte) (conformance.Plugin, error) {
			if p, err := h.Load(ctx, wasm, config); err == nil {
				return p, nil
			}
			other, err := conformance.Probe("ok")
			if err != nil {
				return nil, err
			}
			return h.Load(ctx, other, config)
		}}, []string{"A module whose hermes_init", "What a host cannot serve"}},
		{"gives no configuration", lenient{load: func(h conformance.Host, wasm, _ []byte) (conformance.Plugin, error) {
			return h.Load(ctx, wasm, nil)
		}}, []string{"An import returns a length"}},
		{"refuses everything", lenient{load: func(conformance.Host, []byte, []byte) (conformance.Plugin, error) {
			return nil, os.ErrInvalid
		}}, []string{"0 is a verdict", "A quota never traps", "The state is what"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.host.Host = module.Conformance(module.Options{})
			findings := conformance.CheckHost(ctx, c.host)
			for _, want := range c.want {
				if !slices.ContainsFunc(findings, func(f conformance.Finding) bool { return strings.HasPrefix(f.Rule, want) }) {
					t.Errorf("nothing is found about %q: %v", want, findings)
				}
			}
		})
	}
}

// A probe that no case uses guards nothing.
func TestEveryProbeIsUsed(t *testing.T) {
	used, err := conformance.Modules()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("cases/host/testdata/*.wasm")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, file := range files {
		there = append(there, strings.TrimSuffix(filepath.Base(file), ".wasm"))
	}
	slices.Sort(there)
	if !slices.Equal(used, there) {
		t.Errorf("cases use %v\nthere are %v", used, there)
	}
}

// Every rule names a heading of docs/abi.md.
func TestRulesNameHeadingsOfTheSpecification(t *testing.T) {
	text, err := os.ReadFile("../../docs/abi.md")
	if err != nil {
		t.Fatal(err)
	}
	guests, err := conformance.GuestFiles()
	if err != nil {
		t.Fatal(err)
	}
	hosts, err := conformance.HostFiles()
	if err != nil {
		t.Fatal(err)
	}
	check := func(rule, section string, level conformance.Level, cases int) {
		if !strings.Contains(string(text), "\n## "+section+"\n") {
			t.Errorf("%q is of section %q, which docs/abi.md does not have", rule, section)
		}
		if rule == "" || cases == 0 || level != conformance.Must && level != conformance.Should {
			t.Errorf("%q has level %q and %d cases", rule, level, cases)
		}
	}
	for _, f := range guests {
		check(f.Rule, f.Section, f.Level, len(f.Cases))
	}
	for _, f := range hosts {
		check(f.Rule, f.Section, f.Level, len(f.Cases))
	}
}

// The module abstains in every hook, so that every case is run.
func TestEveryHookHasItsCases(t *testing.T) {
	conformance.Guest(t.Context(), t, module.Conformance(module.Options{}), wrong(t, "abstain"))
}

// decodes reports whether an event is a message of its hook.
func decodes(hook abi.Hook, event []byte) error {
	m, _ := abi.NewMessages(hook)
	return m.Unmarshal(event)
}

// recorder is a host whose module serves every hook and records the events.
type recorder struct{ events map[abi.Hook][][]byte }

func (r recorder) Load(context.Context, []byte, []byte) (conformance.Plugin, error) { return r, nil }
func (r recorder) Hooks() []abi.Hook                                                { return abi.Hooks() }
func (r recorder) Close() error                                                     { return nil }

func (r recorder) Call(_ context.Context, _ *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
	r.events[hook] = append(r.events[hook], event)
	return fakehost.Answer{Status: abi.StatusAbstain}, nil
}

// What a guest must answer is what a host can send: a message within the limit.
func TestEventsOfTheCasesAreMessages(t *testing.T) {
	r := recorder{make(map[abi.Hook][][]byte)}
	conformance.Guest(t.Context(), t, r, nil)
	for hook, events := range r.events {
		malformed, largest := 0, 0
		for _, event := range events {
			largest = max(largest, len(event))
			if decodes(hook, event) != nil {
				malformed++
			}
		}
		if largest != abi.DefaultEventBytes {
			t.Errorf("%s: the largest event has %d bytes, the limit is %d", hook, largest, abi.DefaultEventBytes)
		}
		if malformed == 0 || malformed > 32 {
			t.Errorf("%s: %d of %d events are no messages; want only those of malformed.json", hook, malformed, len(events))
		}
	}
	files, err := conformance.GuestFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range file.Cases {
			if c.Config == nil {
				continue
			}
			if err := new(abi.Struct).Unmarshal(*c.Config); err != nil {
				t.Errorf("the configuration of %q: %v", c.Name, err)
			}
		}
	}
}
