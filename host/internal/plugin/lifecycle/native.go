package lifecycle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// Native is code of this program that decides beside the modules. It has no generations: it is neither swapped nor
// replayed, and however often it fails, it stays.
type Native struct {
	Name     string
	Priority int           // as of a plugin; it comes before the modules of the same priority
	Timeout  time.Duration // of a call; default [abi.DefaultHookTimeout]
	Decide   map[abi.Hook]Decide
}

// Decide returns an encoded verdict on an encoded event, or nil, which is an abstention. An error is that of a module
// that could not decide. The event is its own.
type Decide func(ctx context.Context, event []byte) (verdict []byte, err error)

// native is a Native with what it has done.
type native struct {
	Native
	member *member // for its name and the configuration of tasks; it is not among the plugins

	mu   sync.Mutex
	info Info
}

func newNatives(list []Native) []*native {
	var natives []*native
	for _, n := range list {
		n.Timeout = cmp.Or(n.Timeout, abi.DefaultHookTimeout)
		m := newMember(n.Name, Spec{Priority: n.Priority})
		info := Info{
			Name: n.Name, State: StateServing, Serving: Generation{Source: NativeSource, State: StateServing},
			Stats: plugin.Stats{Faults: map[string]uint64{}},
		}
		for _, hook := range abi.Hooks() {
			if n.Decide[hook] != nil {
				info.Hooks = append(info.Hooks, hook)
			}
		}
		natives = append(natives, &native{Native: n, member: m, info: info})
	}
	slices.SortStableFunc(natives, func(a, b *native) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Name, b.Name))
	})
	return natives
}

// NativeSource is the source of code of this program, for people.
const NativeSource = "go"

// inTurn calls one of the two for each plugin and each code of this program, in the order in which they are asked,
// until it returns false.
func (e *Engine) inTurn(theirs func(*member) bool, own func(*native) bool) {
	natives := e.natives
	for _, m := range e.members() {
		for len(natives) > 0 && natives[0].Priority >= m.settings.Load().priority {
			if !own(natives[0]) {
				return
			}
			natives = natives[1:]
		}
		if !theirs(m) {
			return
		}
	}
	for _, n := range natives {
		if !own(n) {
			return
		}
	}
}

func (n *native) serves(hook abi.Hook) bool { return n.Decide[hook] != nil }

// askNative asks code of this program and reports whether to ask the next.
func (e *Engine) askNative(ctx context.Context, n *native, q *Question, out *Outcome) (next bool) {
	if !n.serves(q.Hook) {
		return true
	}
	asked := e.prepare(n.member, q)
	asked.answer = n.ask(ctx, &asked, q.Decode)
	e.options.Masker.Learn(journal.Entry{Task: asked.task, Hook: asked.hook, Event: asked.event})
	if e.options.Journal != nil {
		e.options.Journal.Add(journal.Entry{
			Sequence: asked.header.Sequence, Time: time.Unix(0, asked.header.TimeUnixNano), Task: asked.task, Hook: asked.hook,
			Subject: subject(asked.hook, asked.event), Plugin: n.Name, Event: asked.event,
			Outcome: asked.answer.outcome, Verdict: asked.answer.verdict, Reason: asked.answer.reason, Fault: asked.answer.fault,
			Detail: asked.answer.detail, Duration: asked.answer.result.Duration,
		})
	}
	n.count(asked.answer, e.options.Now())
	shown := e.maskedAnswer(&asked)
	out.Calls = append(out.Calls, Call{
		Module: n.Name, Outcome: shown.outcome, Reason: shown.reason, TaskConfig: asked.header.TaskConfig, Duration: shown.result.Duration,
	})
	out.conclude(n.Name, shown)
	if out.Fault != "" {
		return false
	}
	return asked.answer.outcome != journal.OutcomeDecided || q.Next != nil && q.Next()
}

// ask runs the code on a goroutine of its own, which is left to itself if it does not end in time.
func (n *native) ask(parent context.Context, a *pluginCall, decode plugin.Decode) answer {
	ctx, cancel := context.WithTimeout(parent, n.Timeout)
	defer cancel()
	type reply struct {
		verdict  []byte
		err      error
		panicked any
		trace    string
	}
	replies := make(chan reply, 1)
	begun := time.Now()
	event := bytes.Clone(a.event)
	go func() {
		var r reply
		defer func() {
			if p := recover(); p != nil {
				r = reply{panicked: p, trace: string(debug.Stack())}
			}
			replies <- r
		}()
		r.verdict, r.err = n.Decide[a.hook](ctx, event)
	}()
	var r reply
	failed := func(kind plugin.FaultKind, detail string, cause error) answer {
		fault := &plugin.Fault{Kind: kind, Module: n.Name, Hook: a.hook, Detail: detail, Trace: r.trace, Err: cause}
		return answerOf(plugin.Result{Duration: time.Since(begun)}, nil, fault)
	}
	select {
	case r = <-replies:
	case <-ctx.Done():
		if parent.Err() != nil {
			return failed(plugin.FaultCanceled, fmt.Sprintf("the caller gave up (%v)", parent.Err()), parent.Err())
		}
		return failed(plugin.FaultDeadline, fmt.Sprintf("ran longer than its limit of %v and was left to itself", n.Timeout), ctx.Err())
	}
	res := plugin.Result{Duration: time.Since(begun)}
	switch {
	case r.panicked != nil:
		return failed(plugin.FaultTrap, fmt.Sprintf("panicked: %v", r.panicked), nil)
	case r.err != nil:
		res.Status, res.Reason = abi.StatusError, r.err.Error()
	case r.verdict == nil:
		res.Status = abi.StatusAbstain
	case decode != nil:
		if err := decode(r.verdict); err != nil {
			return failed(plugin.FaultBadVerdict, "the verdict is not usable: "+err.Error(), err)
		}
	}
	return answerOf(res, r.verdict, nil)
}

func (n *native) count(a answer, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &n.info.Stats
	s.Calls++
	s.TotalTime += a.result.Duration
	s.MaxTime = max(s.MaxTime, a.result.Duration)
	for i, bound := range plugin.CallBounds {
		if bound == 0 || a.result.Duration <= bound {
			s.Durations[i]++
			break
		}
	}
	switch a.outcome {
	case journal.OutcomeDecided:
		s.Decided++
	case journal.OutcomeAbstained:
		s.Abstained++
	case journal.OutcomeError:
		s.Errors++
	case journal.OutcomeFault:
		s.Faults[a.fault]++
		n.info.LastFault = LastFault{Time: now, Kind: a.fault, Detail: a.detail}
	}
}

// describe is its line among the plugins.
func (n *native) describe() Info {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.info
	out.Stats = plus(plugin.Stats{}, n.info.Stats)
	out.Serving.Calls, out.Serving.Faults = out.Stats.Calls, out.Stats.FaultsCounted()
	return out
}
