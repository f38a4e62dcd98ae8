package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// Golden compares two modules on the events of a golden table (see package sdktest), for want of a journal. What the
// cases expect does not matter.
func Golden(ctx context.Context, path string, before, after Module, o Options) (report Report, err error) {
	table, err := sdktest.ReadTable(path)
	if err != nil {
		return Report{}, err
	}
	c, err := newComparison(path, &before, after, o)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	for i, golden := range table.Cases {
		e, err := entryOf(cmp.Or(golden.Hook, table.Hook), golden)
		if err != nil {
			return c.report, fmt.Errorf("golden table %s: case %q: %w", path, golden.Name, err)
		}
		if o.Config != nil {
			e.Config = c.config
		}
		d := Difference{Sequence: uint64(i + 1), Hook: e.Hook, Subject: golden.Name}
		for _, side := range []struct {
			runner   *runner
			decision *Decision
			fuel     *int64
		}{{c.before, &d.Before, &c.report.FuelBefore}, {c.after, &d.After, &c.report.FuelAfter}} {
			var used int64
			if *side.decision, used, err = side.runner.run(ctx, call{Entry: e, environment: environmentOf(golden, e.Capabilities)}); err != nil {
				return c.report, fmt.Errorf("case %q: %w", golden.Name, err)
			}
			*side.fuel += used
		}
		c.add(d)
	}
	return c.report, nil
}

func entryOf(hook abi.Hook, golden sdktest.Case) (journal.Entry, error) {
	e := journal.Entry{Hook: hook, Capabilities: capabilitiesOf(golden)}
	if len(golden.Config) > 0 {
		config, err := abijson.ParseStruct(golden.Config)
		if err != nil {
			return e, err
		}
		e.Config = config.Append(nil)
	}
	var err error
	if len(golden.Event) > 0 {
		e.Event, err = abijson.ParseEvent(hook, golden.Event)
	}
	return e, err
}

// capabilitiesOf are what a case grants: what it says, else what it has a use for.
func capabilitiesOf(golden sdktest.Case) []abi.Capability {
	if golden.Capabilities != nil {
		return golden.Capabilities
	}
	var list []abi.Capability
	if golden.KV != nil || golden.KVAfter != nil {
		list = append(list, abi.CapabilityKV)
	}
	if golden.State != nil {
		list = append(list, abi.CapabilityState)
	}
	return list
}

// environmentOf is what each module finds: the store of a case is its own for each.
func environmentOf(golden sdktest.Case, granted []abi.Capability) *module.Environment {
	in := &module.Environment{Capabilities: granted, KV: map[string][]byte{}, State: map[string][]byte{}}
	for key, value := range golden.KV {
		in.KV[key] = value
	}
	for key, value := range golden.State {
		in.State[key] = value
	}
	return in
}
