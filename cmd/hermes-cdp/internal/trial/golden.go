package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// GoldenReport is how a module did on a table.
type GoldenReport struct {
	OK    bool         `json:"ok"`
	Cases []GoldenCase `json:"cases"`
}

// GoldenCase is how a module did on one case.
type GoldenCase struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"` // what it gave instead
}

// Golden runs a golden table of package sdktest on a module, and the page scripts of the cases that have a document in
// a browser, which launch says how to start. The error is one of the table, or of the module before its first case.
func Golden(ctx context.Context, wasm []byte, opts module.Options, table string, launch host.LaunchOptions) (GoldenReport, error) {
	t, err := sdktest.ReadTable(table)
	if err != nil {
		return GoldenReport{}, err
	}
	cache, err := os.MkdirTemp("", "hermes-plugin-code-") // 0700, as the host wants it
	if err != nil {
		return GoldenReport{}, err
	}
	defer os.RemoveAll(cache)
	if err := module.Try(ctx, wasm, opts); err != nil {
		return GoldenReport{}, err
	}
	inspected, err := module.Inspect(wasm)
	if err != nil {
		return GoldenReport{}, err
	}
	opts.CacheDir = cache // a module is loaded once for each configuration of the table
	runners := keeper{open: plugintest.Wasm(wasm, opts), runners: make(map[string]sdktest.Runner)}
	pages := newDocuments(wasm, opts, inspected.Manifest, table, launch)
	report := GoldenReport{OK: true}
	for _, c := range t.Cases {
		one := sdktest.Table{Hook: t.Hook, Cases: []sdktest.Case{c}}
		result := GoldenCase{Name: c.Name, OK: true}
		err := checkArguments(inspected.Manifest, cmp.Or(c.Hook, t.Hook), c)
		if err == nil {
			err = one.Check(ctx, runners.get)
		}
		if err == nil {
			err = pages.check(ctx, c)
		}
		if err != nil {
			result.OK, result.Detail, report.OK = false, strings.TrimPrefix(err.Error(), c.Name+": "), false
		}
		report.Cases = append(report.Cases, result)
	}
	return report, errors.Join(ctx.Err(), runners.close(), pages.close())
}

// checkArguments refuses a call that a host would refuse before the module gets it.
func checkArguments(m *module.Manifest, hook abi.Hook, c sdktest.Case) error {
	if hook != abi.HookToolCall || len(c.Event) == 0 {
		return nil
	}
	var event abi.ToolCallEvent
	if err := abijson.Unmarshal(c.Event, &event); err != nil {
		return nil //nolint:nilerr // the case itself says what is wrong with its event
	}
	if err := module.CheckArguments(m, event.Tool, event.Arguments); err != nil {
		return fmt.Errorf("a host refuses the arguments, and the module never gets them: the input_schema of %s: %w", event.Tool, err)
	}
	return nil
}

// keeper opens a module once for each configuration. A table's own check would close it after each case.
type keeper struct {
	open    sdktest.Opener
	runners map[string]sdktest.Runner
}

func (k keeper) get(ctx context.Context, config abi.Struct) (sdktest.Runner, error) {
	key := string(config.Append(nil))
	if runner := k.runners[key]; runner != nil {
		return kept{runner}, nil
	}
	runner, err := k.open(ctx, config)
	if err != nil {
		return nil, err
	}
	k.runners[key] = runner
	return kept{runner}, nil
}

func (k keeper) close() error {
	var errs []error
	for _, runner := range k.runners {
		errs = append(errs, runner.Close())
	}
	return errors.Join(errs...)
}

// kept is a runner that stays open.
type kept struct{ sdktest.Runner }

// Close does nothing: the keeper closes.
func (kept) Close() error { return nil }
