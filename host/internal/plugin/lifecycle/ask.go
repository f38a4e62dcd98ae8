package lifecycle

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// Question is an event for plugins to decide on.
type Question struct {
	Hook abi.Hook
	Task string
	// Wait bounds the wait for an instance of each module; nil: the context of Ask does. A running guest is ended by
	// its own limits or with the context of Ask, because an instance that is cut short is lost.
	Wait context.Context
	// Held is the only module that is asked; nil: all that serve the hook, in order.
	Held *Held
	// Header is the header of the event. Ask sets its sequence number, time and seed, and the task's configuration for
	// each plugin.
	Header *abi.Header
	// Encode appends the event as it is at that moment.
	Encode func([]byte) []byte
	// Decode receives each verdict; see [plugin.Decode]. May be nil.
	Decode plugin.Decode
	// Next updates the event for the next plugin after one has decided, or returns false, which ends the question. Nil:
	// the first decision ends it.
	Next func() bool
}

// Outcome is the result of a question.
type Outcome struct {
	Sequence uint64
	Decided  bool
	// Fault says why the host has to decide itself; empty if a plugin decided or all abstained.
	Fault string
	Err   error // the cause of Fault if a call failed: a [*plugin.Fault] or an error of [plugin.Module.Call]
	Calls []Call
}

// Call is one module's part in an outcome.
type Call struct {
	Module     string
	Generation int
	SHA256     string
	ConfigHash string
	Outcome    journal.Outcome
	Reason     string     // of OutcomeError, with secrets masked
	Config     []byte     // of the module, encoded; it may hold secrets
	TaskConfig abi.Struct // the task's configuration of it; it may hold secrets too
	Told       bool       // the module read something from the task's state or its own store
	Duration   time.Duration
}

// learned reports whether an exchange gave the module any information.
func learned(x guestio.Exchange) bool {
	switch x.Import {
	case abi.ImportStateGet, abi.ImportKVGet:
		return x.Code >= 0
	case abi.ImportKVCompareAndSet:
		return x.Code == 0 || x.Code == abi.CodeConflict
	case abi.ImportKVList:
		return len(x.Keys) > 0
	}
	if _, embedder := x.Embedder(); embedder {
		return x.Code >= 0
	}
	return false
}

// Ask calls the plugins that serve a hook, in order, until one decides. One that abstains passes the event on. One that
// fails or reports an error ends the question, because the host's own rule is safer than the next plugin's guess. Every
// call is recorded in the journal.
func (e *Engine) Ask(ctx context.Context, q Question) Outcome {
	ctx, s := e.Spans.Begin(ctx, q.Task, string(q.Hook))
	out := e.ask(ctx, q)
	if s.On() {
		s.Set(attribute.String("hermes_cdp.task", q.Task), attribute.Bool("hermes_cdp.decided", out.Decided), attribute.Int("hermes_cdp.hook_call", int(out.Sequence)))
		for _, c := range out.Calls { // the last of several
			s.Set(attribute.String("hermes_cdp.plugin", c.Module), attribute.Int("hermes_cdp.generation", c.Generation), attribute.String("hermes_cdp.module", c.SHA256))
		}
		if out.Fault != "" {
			s.Fail("plugin_fault")
		}
		s.End(nil)
	}
	return out
}

// ask is Ask without what it records.
func (e *Engine) ask(ctx context.Context, q Question) Outcome {
	e.asking.Add(1)
	if q.Wait == nil {
		q.Wait = ctx
	}
	defer e.asking.Add(-1)
	q.Header.Sequence = e.sequence.Add(1)
	q.Header.TimeUnixNano = e.options.Now().UnixNano()
	q.Header.RandomSeed = randomSeed()
	out := Outcome{Sequence: q.Header.Sequence}
	if q.Held != nil {
		e.askHeld(ctx, &q, &out)
		return out
	}
	e.inTurn(
		func(m *member) bool { return e.askOne(ctx, m, &q, &out) },
		func(n *native) bool { return e.askNative(ctx, n, &q, &out) })
	if len(out.Calls) == 0 && out.Err == nil && e.running.Err() != nil {
		out.Fault, out.Err = plugin.ErrClosed.Error(), plugin.ErrClosed
	}
	return out
}

func randomSeed() []byte {
	seed := make([]byte, 16)
	_, _ = rand.Read(seed) // never fails: crypto/rand ends the process instead
	return seed
}

// askOne asks one plugin and reports whether to ask the next one.
func (e *Engine) askOne(ctx context.Context, m *member, q *Question, out *Outcome) (next bool) {
	g, shadow, outage := m.take(q.Hook, q.Task)
	if outage != nil {
		out.Fault, out.Err, out.Decided = outage.reason.Error(), outage.reason, false
	}
	if g == nil && shadow == nil {
		return outage == nil
	}
	asked := e.prepare(m, q)
	if outage != nil {
		asked.answer = answerOf(plugin.Result{}, nil, outage.reason)
	}
	if g != nil {
		e.use(ctx, g, q, &asked)
		e.observeService(m, g, &asked)
		out.add(g, &asked, e.maskedAnswer(&asked))
	}
	if shadow != nil {
		e.shadow(shadow, asked)
	}
	if out.Fault != "" {
		return false
	}
	if asked.answer.outcome != journal.OutcomeDecided {
		return true
	}
	return q.Next != nil && q.Next()
}

// askHeld asks the module that the caller holds.
func (e *Engine) askHeld(ctx context.Context, q *Question, out *Outcome) {
	asked := e.prepare(q.Held.member, q)
	e.call(ctx, q.Held.generation, q, &asked)
	e.observeService(q.Held.member, q.Held.generation, &asked)
	out.add(q.Held.generation, &asked, e.maskedAnswer(&asked))
	c := q.Held.member.seat.Load().candidate
	if c != nil && c.generation != q.Held.generation && !c.serves(q.Task) {
		e.shadow(c, asked)
	}
}

// observeService counts a call that a candidate decided for real.
func (e *Engine) observeService(m *member, g *generation, asked *pluginCall) {
	if c := m.seat.Load().candidate; c != nil && c.generation == g {
		e.observe(c, asked.answer, nil, false)
	}
}

// prepare is the call of a plugin before it is made.
func (e *Engine) prepare(m *member, q *Question) pluginCall {
	if e.options.TaskConfig != nil {
		q.Header.TaskConfig = e.options.TaskConfig(q.Task, m.name)
	}
	return pluginCall{
		member: m, hook: q.Hook, task: q.Task, header: *q.Header, event: q.encoded(), answer: answer{outcome: journal.OutcomeAbstained},
	}
}

// encoded is the event, in no more memory than it needs: the journal keeps it.
func (q *Question) encoded() []byte {
	buffer := encodings.Get().(*[]byte)
	*buffer = q.Encode((*buffer)[:0])
	event := bytes.Clone(*buffer)
	if cap(*buffer) <= maxKeptEncoding {
		encodings.Put(buffer)
	}
	return event
}

// encodings are pooled, but for those of trees, which are large and rare.
var encodings = sync.Pool{New: func() any { return new([]byte) }}

const maxKeptEncoding = 16 << 10

// take returns the generation that answers for the plugin, with the caller as a user, and the candidate that shadows
// it. All are nil if the plugin has no part in the question.
func (m *member) take(hook abi.Hook, task string) (g *generation, shadow *candidate, out *outage) {
	for {
		s := m.seat.Load()
		g, shadow = s.serving, s.candidate
		if shadow != nil && shadow.serves(task) {
			g, shadow = shadow.generation, nil
		}
		if shadow != nil && !s.serving.serves(hook) && !shadow.generation.serves(hook) {
			shadow = nil
		}
		switch {
		case !g.serves(hook) && s.outage.serves(hook):
			return nil, shadow, s.outage
		case !g.serves(hook):
			return nil, shadow, nil
		case g.acquire():
			return g, shadow, nil
		}
		// It is being closed, so there is another seat by now.
	}
}

// pluginCall is the call of one plugin for a question, with its answer.
type pluginCall struct {
	member    *member
	config    []byte // of the module that answered, encoded; nil if none did
	hook      abi.Hook
	task      string
	header    abi.Header
	event     []byte
	exchanges []guestio.Exchange
	answer    answer
}

// use is call for a generation that was acquired for it, and releases it.
func (e *Engine) use(ctx context.Context, g *generation, q *Question, a *pluginCall) {
	defer g.release()
	e.call(ctx, g, q, a)
}

// call asks a generation, counts a failure, and records the call.
func (e *Engine) call(ctx context.Context, g *generation, q *Question, a *pluginCall) {
	var verdict []byte
	a.config = g.recipe.encoded
	recorder := recorders.Get().(*guestio.Recorder)
	recorder.Reset(environmentOf(e.options.Environment, a))
	res, err := g.module.CallWhile(ctx, q.Wait, recorder, a.hook, a.event, func(b []byte) error {
		if q.Decode != nil {
			if err := q.Decode(b); err != nil {
				return err
			}
		}
		verdict = bytes.Clone(b)
		return nil
	})
	a.answer, a.exchanges = answerOf(res, verdict, err), recorder.Exchanges()
	recorder.Reset(nil)
	recorders.Put(recorder)
	if err != nil {
		e.faulted(a.member, g, e.maskedAnswer(a).err)
	}
	e.record(g, a, a.answer, a.exchanges, false)
}

// recorders are pooled, so that a call without requests allocates none.
var recorders = sync.Pool{New: func() any { return new(guestio.Recorder) }}

// environmentOf is the environment of a call; nil if there is none.
func environmentOf(environment func(task, plugin string) guestio.Environment, a *pluginCall) guestio.Environment {
	if environment == nil {
		return nil
	}
	return environment(a.task, a.member.name)
}

// record adds a call to the journal, and its secrets to the masker.
func (e *Engine) record(g *generation, a *pluginCall, got answer, exchanges []guestio.Exchange, shadow bool) {
	e.options.Masker.Learn(journal.Entry{Task: a.task, Hook: a.hook, Event: a.event})
	if e.options.Journal == nil {
		return
	}
	info := g.module.Info()
	e.options.Journal.Add(journal.Entry{
		Sequence: a.header.Sequence, Time: time.Unix(0, a.header.TimeUnixNano), Task: a.task, Hook: a.hook, Subject: subject(a.hook, a.event),
		Plugin: a.member.name, Generation: g.number, SHA256: info.SHA256, ConfigHash: info.ConfigSHA256, Candidate: shadow,
		Capabilities: info.Granted, Functions: info.Functions, Event: a.event, Config: g.recipe.encoded, Exchanges: exchanges,
		Outcome: got.outcome, Verdict: got.verdict, Reason: got.reason, Fault: got.fault, Detail: got.detail,
		Duration: got.result.Duration, Fuel: got.result.Fuel,
	})
}

// add adds the answer of a module in a form that may be shown.
func (o *Outcome) add(g *generation, part *pluginCall, a answer) {
	info := g.module.Info()
	o.Calls = append(o.Calls, Call{
		Module: info.Name, Generation: g.number, SHA256: info.SHA256, ConfigHash: info.ConfigSHA256, Outcome: a.outcome, Reason: a.reason,
		Config: part.config, TaskConfig: part.header.TaskConfig,
		Told: slices.ContainsFunc(part.exchanges, learned), Duration: a.result.Duration,
	})
	o.conclude(info.Name, a)
}

// conclude is what an answer means for the question.
func (o *Outcome) conclude(name string, a answer) {
	switch a.outcome {
	case journal.OutcomeDecided:
		o.Decided = true
	case journal.OutcomeError:
		o.Decided, o.Fault = false, fmt.Sprintf("plugin %s could not decide: %s", name, a.reason)
	case journal.OutcomeFault:
		o.Decided, o.Fault, o.Err = false, a.err.Error(), a.err
	}
}
