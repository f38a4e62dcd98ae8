package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// Options say how a replay is done. The zero value works.
type Options struct {
	// Plugin is the name of the plugin whose calls are run; empty: the name in the manifest of the tried module.
	Plugin string
	// Config replaces the recorded configurations. Nil keeps them.
	Config *abi.Struct
	// Allow lists intended differences.
	Allow Allow
	// Strict counts differences from a record with masked secrets like all others: none is Inexact in the report.
	Strict bool
	// Progress is told before each call how many bytes of the journal have been read, and how many there are. May be nil.
	Progress func(read, all int64)
}

// Record runs the calls of a journal (a file, or a directory of files) on a module, and compares with what was
// recorded.
//
// The error is that of ctx, or says why the journal or the module cannot be used; differences are in the report.
func Record(ctx context.Context, path string, tried Module, o Options) (Report, error) {
	return run(ctx, path, nil, tried, o)
}

// Between is [Record] for two modules: it compares what before decides with what after decides.
func Between(ctx context.Context, path string, before, after Module, o Options) (Report, error) {
	return run(ctx, path, &before, after, o)
}

// Call runs one call of a host's journal ([host.Host.Journal], [Entries]) on a module, and compares with what was
// recorded. Nothing changes by it: what the module asks the host for is answered from the record. If the call is not
// compared, the report says why among what was skipped.
func Call(ctx context.Context, recorded host.JournalEntry, tried Module) (report Report, err error) {
	e, ok := recorded.Entry()
	if !ok {
		return Report{}, errors.New("the call was not recorded by a host of this process")
	}
	c, err := newComparison("journal", nil, tried, Options{})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	c.report.Plugin = e.Plugin
	err = c.recorded(ctx, e)
	return c.report, err
}

func run(ctx context.Context, path string, before *Module, after Module, o Options) (report Report, err error) {
	c, err := newComparison(path, before, after, o)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	r, err := journal.Open(path)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	name := o.Plugin
	if name == "" {
		name = c.after.identity.Name
	}
	c.report.Plugin = name
	others := map[string]int{}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return c.report, err
		}
		if o.Progress != nil {
			o.Progress(r.Position())
		}
		if e.Plugin != name {
			others[e.Plugin]++
			continue
		}
		if err := c.recorded(ctx, e); err != nil {
			return c.report, fmt.Errorf("call %d of %s: %w", e.Sequence, e.Hook, err)
		}
	}
	c.report.Lost = r.Lost()
	for _, p := range r.Problems() {
		c.report.Problems = append(c.report.Problems, p.String())
	}
	for _, n := range others {
		c.report.Skipped.OtherPlugins += n
	}
	return c.report, c.nothing(name, others)
}

// nothing returns an error if no call was of the plugin: a replay of nothing proves nothing.
func (c *comparison) nothing(name string, others map[string]int) error {
	s := c.report.Skipped
	if c.report.Calls+s.Candidates+s.Incomplete+s.Unrepeatable > 0 || len(others) == 0 {
		return nil
	}
	return fmt.Errorf("the journal has no call of a plugin %q; it has calls of: %s; name one of them as the plugin",
		name, strings.Join(slices.Sorted(maps.Keys(others)), ", "))
}

// comparison collects the report.
type comparison struct {
	options Options
	config  []byte  // replaces the recorded ones
	before  *runner // nil: the record
	after   *runner
	report  Report
}

func newComparison(source string, before *Module, after Module, o Options) (*comparison, error) {
	c := &comparison{options: o, report: Report{Source: source, Differences: []Difference{}}}
	if o.Config != nil {
		c.config = o.Config.Append(nil)
	}
	var err error
	if c.after, err = newRunner(after); err != nil {
		return nil, err
	}
	c.report.After = c.after.identity
	if before != nil {
		if c.before, err = newRunner(*before); err != nil {
			return nil, err
		}
		c.report.Before = &c.before.identity
	}
	return c, nil
}

func (c *comparison) close() error {
	err := c.after.close()
	if c.before != nil {
		err = errors.Join(err, c.before.close())
	}
	return err
}

// recorded compares a call of a journal.
func (c *comparison) recorded(ctx context.Context, e journal.Entry) error {
	switch {
	case e.Candidate:
		c.report.Skipped.Candidates++
		return nil
	case e.Incomplete:
		c.report.Skipped.Incomplete++
		return nil
	case c.before == nil && unrepeatable[e.Fault]:
		c.report.Skipped.Unrepeatable++
		return nil
	}
	if c.options.Config != nil {
		e.Config, e.MaskedConfig = c.config, false
	}
	e.Capabilities = granted(&e)
	d := Difference{Sequence: e.Sequence, Time: e.Time, Task: e.Task, Hook: e.Hook, Subject: e.Subject, MaskedConfig: e.MaskedConfig}
	var err error
	if c.before == nil {
		d.Before, c.report.FuelBefore = recorded(&e), c.report.FuelBefore+e.Fuel
		d.Inexact = e.Masked
	} else if d.Before, _, err = c.ask(ctx, c.before, &c.report.FuelBefore, e); err != nil {
		return err
	}
	if d.After, d.Deviation, err = c.ask(ctx, c.after, &c.report.FuelAfter, e); err != nil {
		return err
	}
	c.add(d)
	return nil
}

func (c *comparison) ask(ctx context.Context, r *runner, fuel *int64, e journal.Entry) (Decision, string, error) {
	playback := guestio.NewPlayback(e.Exchanges)
	d, used, err := r.run(ctx, call{Entry: e, environment: playback})
	*fuel += used
	if deviation := playback.Deviation(); deviation != nil && err == nil {
		return d, deviation.Error(), nil
	}
	return d, "", err
}

// add counts a call that both sides decided.
func (c *comparison) add(d Difference) {
	c.report.Calls++
	if d.MaskedConfig {
		c.report.MaskedConfig++
	}
	if d.Deviation != "" {
		c.report.Deviating++
	}
	if d.Before.Same(d.After) {
		return
	}
	d.Allowed = c.options.Allow.permits(&d)
	switch {
	case d.Allowed:
		c.report.Allowed++
	case d.Inexact && !c.options.Strict:
		c.report.Inexact++
	default:
		c.report.Different++
	}
	c.report.Differences = append(c.report.Differences, d)
}

// granted returns the capabilities of a call: the recorded ones, and those that its exchanges must have had.
func granted(e *journal.Entry) []abi.Capability {
	list := slices.Clone(e.Capabilities)
	for _, x := range e.Exchanges {
		if _, embedder := x.Embedder(); embedder {
			continue
		}
		need := abi.CapabilityKV
		if x.Import == abi.ImportStateGet {
			need = abi.CapabilityState
		}
		if !slices.Contains(list, need) {
			list = append(list, need)
		}
	}
	slices.Sort(list)
	return list
}
