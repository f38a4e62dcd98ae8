package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// Golden compares two modules on the events of a golden table (see package sdktest), when there is no journal. It
// ignores what the cases expect.
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
			in, err := golden.Environment() // with a separate store for each module
			if err != nil {
				return c.report, fmt.Errorf("golden table %s: case %q: %w", path, golden.Name, err)
			}
			e.Capabilities = in.Capabilities
			e.Functions = nil
			for _, name := range slices.Sorted(maps.Keys(in.Embedder)) {
				e.Functions = append(e.Functions, plugin.Grant{Name: name})
			}
			var used int64
			if *side.decision, used, err = side.runner.run(ctx, call{Entry: e, environment: in}); err != nil {
				return c.report, fmt.Errorf("case %q: %w", golden.Name, err)
			}
			*side.fuel += used
		}
		c.add(d)
	}
	return c.report, nil
}

func entryOf(hook abi.Hook, golden sdktest.Case) (journal.Entry, error) {
	e := journal.Entry{Hook: hook}
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
