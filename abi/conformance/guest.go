package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// GuestFile is a file of cases/guest: one rule of docs/abi.md, with the cases that guard it.
type GuestFile struct {
	Rule    string      `json:"rule"`
	Section string      `json:"section"` // a heading of docs/abi.md
	Level   Level       `json:"level"`
	Cases   []GuestCase `json:"cases"`
}

// GuestCase is a series of events for a hook. The module must answer each with a verdict that a host accepts, an
// abstention or a reason, and equal events equally.
type GuestCase struct {
	Name   string     `json:"name"`
	Hooks  []abi.Hook `json:"hooks,omitempty"`  // absent: all that the module exports
	Config *Hex       `json:"config,omitempty"` // absent: the host's own for the module
	Events []Event    `json:"events,omitempty"` // absent: only hermes_init is tested; it may refuse with a reason
	Same   bool       `json:"same,omitempty"`   // all events mean the same, and must get the same answer
}

// CheckGuest runs the cases for guests on a module and returns what is wrong with it. Each call has its own
// environment, which grants nothing. The host must not have time limits that a busy machine can exceed.
func CheckGuest(ctx context.Context, host Host, wasm []byte) []Finding {
	files, err := GuestFiles()
	if err != nil {
		return []Finding{{Level: Must, Rule: "the kit is whole", Case: "read it", Detail: err.Error()}}
	}
	plugin, err := host.Load(ctx, wasm, nil)
	if err != nil {
		return []Finding{{Level: Must, Rule: "a module loads", Case: "load it", Detail: err.Error()}}
	}
	g := guestRun{host: host, wasm: wasm, plugin: plugin}
	for _, file := range files {
		for _, c := range file.Cases {
			g.rule = Finding{Level: file.Level, Rule: file.Rule, Case: c.Name}
			g.run(ctx, c)
		}
	}
	if err := plugin.Close(); err != nil {
		g.rule = Finding{Level: Must, Rule: "a module can be closed", Case: "close it"}
		g.report("", "%v", err)
	}
	return g.findings
}

// guestRun runs the cases on one module.
type guestRun struct {
	host     Host
	wasm     []byte
	plugin   Plugin
	rule     Finding // of the current case; report completes it
	findings []Finding
}

func (g *guestRun) report(hook abi.Hook, format string, args ...any) {
	f := g.rule
	f.Hook, f.Detail = hook, fmt.Sprintf(format, args...)
	g.findings = append(g.findings, f)
}

func (g *guestRun) run(ctx context.Context, c GuestCase) {
	plugin := g.plugin
	if c.Config != nil {
		var err error
		if plugin, err = g.host.Load(ctx, g.wasm, *c.Config); err != nil {
			var refusal *RefusalError
			if !errors.As(err, &refusal) || refusal.Reason == "" {
				g.report("", "hermes_init neither accepts the configuration nor refuses it with a reason: %v", err)
			}
			return
		}
		defer func() {
			if err := plugin.Close(); err != nil {
				g.report("", "it cannot be closed: %v", err)
			}
		}()
	}
	for _, hook := range plugin.Hooks() {
		if len(c.Hooks) == 0 || slices.Contains(c.Hooks, hook) {
			g.events(ctx, plugin, hook, c)
		}
	}
}

// events reports only the first problem: later ones may follow from it.
func (g *guestRun) events(ctx context.Context, plugin Plugin, hook abi.Hook, c GuestCase) {
	bases, err := Events()
	if err != nil {
		g.report(hook, "%v", err)
		return
	}
	type exchange struct {
		event  []byte
		answer fakehost.Answer
	}
	var earlier []exchange
	for n, e := range c.Events {
		event, err := e.build(hook, bases)
		if err != nil {
			g.report(hook, "event %d: %v", n, err)
			return
		}
		got, err := plugin.Call(ctx, new(fakehost.Environment), hook, event)
		if err != nil {
			g.report(hook, "event %d: %v", n, err)
			return
		}
		if err := checkAnswer(hook, event, got); err != nil {
			g.report(hook, "event %d: %v", n, err)
			return
		}
		for _, before := range earlier {
			if (c.Same || bytes.Equal(before.event, event)) && !equal(before.answer, got) {
				g.report(hook, "event %d is answered by %s, and before by %s", n, show(got), show(before.answer))
				return
			}
		}
		earlier = append(earlier, exchange{event, got})
	}
}

func equal(a, b fakehost.Answer) bool {
	return a.Status == b.Status && a.Reason == b.Reason && bytes.Equal(a.Verdict, b.Verdict)
}

// show formats an answer for people, truncated.
func show(a fakehost.Answer) string {
	const most = 64
	switch a.Status {
	case abi.StatusDecided:
		return fmt.Sprintf("the verdict %x%s", a.Verdict[:min(len(a.Verdict), most)], more(len(a.Verdict) > most))
	case abi.StatusAbstain:
		return "abstaining"
	default:
		return fmt.Sprintf("the reason %.200q", a.Reason)
	}
}

func more(cut bool) string {
	if cut {
		return "..."
	}
	return ""
}
