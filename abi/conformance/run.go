package conformance

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// HostFile is a file of cases/host: one rule of docs/abi.md, with the cases that guard it.
type HostFile struct {
	Rule    string     `json:"rule"`
	Section string     `json:"section"` // a heading of docs/abi.md
	Level   Level      `json:"level"`
	Cases   []HostCase `json:"cases"`
}

// HostCase is a module that the host must refuse, or a series of calls of it.
type HostCase struct {
	Name   string `json:"name"`
	Module string `json:"module"`           // of cases/host/testdata
	Config *Hex   `json:"config,omitempty"` // absent: an empty one
	// Manifest is added to the module as its manifest; absent: it has none.
	Manifest Hex        `json:"manifest,omitempty"`
	Refuse   bool       `json:"refuse,omitempty"` // the host must not load it
	Reason   string     `json:"reason,omitempty"` // with refuse: hermes_init must return status 2 with this reason
	Calls    []HostCall `json:"calls,omitempty"`  // on one plugin
	Again    bool       `json:"again,omitempty"`  // a second load of the module must answer the same, byte for byte
}

// HostCall is a call with the expected result: exactly one of Decided, Verdict, Abstain, Error and Fault.
type HostCall struct {
	Hook         abi.Hook          `json:"hook,omitempty"` // absent: hermes_on_dialog
	Event        Hex               `json:"event,omitempty"`
	Capabilities []abi.Capability  `json:"capabilities,omitempty"`
	KV           map[string]string `json:"kv,omitempty"`
	State        map[string]string `json:"state,omitempty"`

	Decided bool   `json:"decided,omitempty"` // with any verdict
	Verdict *Hex   `json:"verdict,omitempty"`
	Abstain bool   `json:"abstain,omitempty"`
	Error   string `json:"error,omitempty"` // the reason
	Fault   bool   `json:"fault,omitempty"`

	KVAfter map[string]string `json:"kv_after,omitempty"` // the whole store after the call; absent: not compared
}

// CheckHost runs the cases for hosts and returns what is wrong with the host.
func CheckHost(ctx context.Context, host Host) []Finding {
	files, err := HostFiles()
	if err != nil {
		return []Finding{{Level: Must, Rule: "the kit is whole", Case: "read it", Detail: err.Error()}}
	}
	var findings []Finding
	for _, file := range files {
		for _, c := range file.Cases {
			for _, problem := range runHostCase(ctx, host, c) {
				findings = append(findings, Finding{Level: file.Level, Rule: file.Rule, Case: c.Name, Detail: problem})
			}
		}
	}
	return findings
}

func runHostCase(ctx context.Context, host Host, c HostCase) (problems []string) {
	wasm, err := Probe(c.Module)
	if err != nil {
		return []string{err.Error()}
	}
	if len(c.Manifest) > 0 {
		wasm = withSection(wasm, abi.ManifestSection, c.Manifest)
	}
	config := []byte{}
	if c.Config != nil {
		config = *c.Config
	}
	first, problems := runPlugin(ctx, host, wasm, config, c)
	if !c.Again || len(problems) > 0 {
		return problems
	}
	second, problems := runPlugin(ctx, host, wasm, config, c)
	for n := range second {
		if !equal(first[n], second[n]) {
			problems = append(problems, fmt.Sprintf("call %d returned %s, and after another load %s", n, show(first[n]), show(second[n])))
		}
	}
	return problems
}

// withSection adds a custom section to a module.
func withSection(wasm []byte, name string, content []byte) []byte {
	body := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
	body = append(body, content...)
	out := append(slices.Clip(wasm), 0)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

func runPlugin(ctx context.Context, host Host, wasm, config []byte, c HostCase) (answers []fakehost.Answer, problems []string) {
	plugin, err := host.Load(ctx, wasm, config)
	if c.Refuse || err != nil {
		if err == nil {
			err = plugin.Close()
			return nil, []string{fmt.Sprintf("the host loaded %s, which it must refuse (%v)", c.Module, err)}
		}
		return nil, judgeRefusal(c, err)
	}
	for n, call := range c.Calls {
		answer, problem := runCall(ctx, plugin, call)
		answers = append(answers, answer)
		if problem != nil {
			problems = append(problems, fmt.Sprintf("call %d: %v", n, problem))
		}
	}
	if err := plugin.Close(); err != nil {
		problems = append(problems, "the plugin cannot be closed: "+err.Error())
	}
	return answers, problems
}

func judgeRefusal(c HostCase, err error) []string {
	var refusal *RefusalError
	isRefusal := errors.As(err, &refusal)
	switch {
	case errors.As(err, new(*FailureError)):
		return []string{fmt.Sprintf("%s: %v", c.Module, err)}
	case !c.Refuse:
		return []string{fmt.Sprintf("the host did not load %s: %v", c.Module, err)}
	case c.Reason != "" && (!isRefusal || !strings.Contains(refusal.Reason, c.Reason)):
		return []string{fmt.Sprintf("the host refused %s with %q; want hermes_init's own reason, %q", c.Module, err, c.Reason)}
	case c.Reason == "" && isRefusal:
		return []string{fmt.Sprintf("hermes_init refused its configuration with %q; want the host to refuse the module before", refusal.Reason)}
	}
	return nil
}

func runCall(ctx context.Context, plugin Plugin, c HostCall) (fakehost.Answer, error) {
	in := &fakehost.Environment{Capabilities: c.Capabilities, KV: bytesOf(c.KV), State: bytesOf(c.State)}
	hook := c.Hook
	if hook == "" {
		hook = abi.HookDialog
	}
	got, err := plugin.Call(ctx, in, hook, c.Event)
	if err := judgeCall(c, got, err); err != nil {
		return got, err
	}
	if c.KVAfter != nil && !maps.EqualFunc(in.KV, bytesOf(c.KVAfter), bytes.Equal) {
		return got, fmt.Errorf("the store is %q after the call, want %q", in.KV, c.KVAfter)
	}
	return got, nil
}

func judgeCall(c HostCall, got fakehost.Answer, err error) error {
	switch {
	case errors.As(err, new(*FailureError)):
		return err
	case c.Fault && err == nil:
		return fmt.Errorf("it returned %s, want a fault", show(got))
	case c.Fault:
		return nil
	case err != nil:
		return fmt.Errorf("it faulted: %w", err)
	case c.Abstain && got.Status != abi.StatusAbstain:
		return fmt.Errorf("it returned %s, want to abstain", show(got))
	case c.Error != "" && (got.Status != abi.StatusError || got.Reason != c.Error):
		return fmt.Errorf("it returned %s, want the reason %q", show(got), c.Error)
	case (c.Decided || c.Verdict != nil) && got.Status != abi.StatusDecided:
		return fmt.Errorf("it returned %s, want a verdict", show(got))
	case c.Verdict != nil && !bytes.Equal(got.Verdict, *c.Verdict):
		return fmt.Errorf("it returned %s, want the verdict %x", show(got), *c.Verdict)
	}
	return nil
}

func bytesOf(texts map[string]string) map[string][]byte {
	out := make(map[string][]byte, len(texts))
	for key, text := range texts {
		out[key] = []byte(text)
	}
	return out
}

// Modules lists the modules that the cases for hosts use, sorted.
func Modules() ([]string, error) {
	files, err := HostFiles()
	if err != nil {
		return nil, err
	}
	used := make(map[string]bool)
	for _, file := range files {
		for _, c := range file.Cases {
			used[c.Module] = true
		}
	}
	return slices.Sorted(maps.Keys(used)), nil
}
