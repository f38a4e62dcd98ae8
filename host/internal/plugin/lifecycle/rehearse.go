package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/selftest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
)

// rehearsed is a module that must show how it decides: in this process or in a child.
type rehearsed interface {
	selfTest(ctx context.Context) error
	// replay asks about a recorded call of a hook that the module serves. A lost error means that the module is gone.
	replay(ctx context.Context, call journal.Entry) (a answer, lost error)
	serves(call journal.Entry) bool
}

// inProcess is a module in this process.
type inProcess struct{ module *plugin.Module }

func (h inProcess) selfTest(ctx context.Context) error { return selftest.RunAll(ctx, h.module) }

func (h inProcess) replay(ctx context.Context, call journal.Entry) (answer, error) {
	return ask(ctx, h.module, guestio.NewPlayback(call.Exchanges), call.Hook, call.Event), nil
}

func (h inProcess) serves(call journal.Entry) bool { return h.module.Serves(call.Hook) }

// inChild is a module in a child process.
type inChild struct{ session *trial.Session }

func (c inChild) selfTest(ctx context.Context) error {
	for _, hook := range c.session.Hooks() {
		if err, lost := c.session.SelfTest(ctx, hook); err != nil || lost != nil {
			return cmp.Or(lost, err)
		}
	}
	return nil
}

func (c inChild) replay(ctx context.Context, call journal.Entry) (answer, error) {
	doing := fmt.Sprintf("the recent call %d of %s", call.Sequence, call.Hook)
	res, verdict, err, lost := c.session.Ask(ctx, doing, trial.Call{Hook: call.Hook, Event: call.Event, Exchanges: call.Exchanges})
	return answerOf(res, verdict, err), lost
}

func (c inChild) serves(call journal.Entry) bool {
	return slices.Contains(c.session.Hooks(), call.Hook)
}

// needsTrial reports whether a module must be tried in a child process. Modules that come with this program are
// trusted.
func (e *Engine) needsTrial(r recipe) bool {
	return e.options.Trial != nil && !e.options.Trial.Off && (e.options.Trusted == nil || !e.options.Trusted(r.sha256))
}

// rehearseInChild takes the steps from StepCompile on in a child process.
func (e *Engine) rehearseInChild(ctx context.Context, source plugin.Source, m *member, a attempt, line *entry, log *slog.Logger) error {
	a.phase.set(DuringTrial)
	defer a.phase.set(DuringStart)
	session, err := trial.Start(ctx, source, e.options.CacheDir, *e.options.Trial, func(said trial.Line) {
		attrs := []slog.Attr{slog.String(plugin.SaysText, said.Text)}
		if said.Stream != "" {
			attrs = append(attrs, slog.String(plugin.SaysStream, said.Stream))
		}
		log.LogAttrs(ctx, said.Level, plugin.SaysMessage, append(attrs, slog.String("plugin", m.name))...)
	})
	if err == nil {
		defer session.Close()
		err = e.rehearse(ctx, inChild{session}, m, a, line)
	}
	var lost *trial.Error
	if errors.As(err, &lost) {
		return &plugin.LoadError{Step: plugin.StepTrial, Module: m.name, SHA256: line.SHA256, Detail: lost.Error(), Err: lost}
	}
	return err
}

// rehearse takes the steps that show how the module decides.
func (e *Engine) rehearse(ctx context.Context, s rehearsed, m *member, a attempt, line *entry) error {
	refused := func(step plugin.Step, detail string, err error) error {
		return &plugin.LoadError{Step: step, Module: m.name, SHA256: line.SHA256, Detail: detail, Err: err}
	}
	if err := s.selfTest(ctx); err != nil {
		return refused(plugin.StepSelfTest, "a made-up event: "+err.Error()+"; `hermes-cdp plugin check` shows each hook", err)
	}
	result, err := e.replay(ctx, m, s, a.failsafe)
	line.Replayed, line.Differences = result.replayed, result.differences
	if err != nil {
		return refused(plugin.StepReplay, err.Error(), err)
	}
	if a.requireSame && result.differences > 0 {
		return refused(plugin.StepReplay, fmt.Sprintf("it decides %d of %d recent calls otherwise, and identical decisions were required; the first is %s; "+
			"`hermes-cdp plugin shadow` lists both answers to live calls, and `hermes-cdp plugin replay` those to recorded ones",
			result.differences, result.replayed, result.first), nil)
	}
	return nil
}
