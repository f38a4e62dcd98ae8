package module

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// conformancePatience replaces the host's time limits: whether a module conforms does not depend on how busy the
// machine is. Fuel still ends endless loops.
const conformancePatience = time.Minute

// CheckFully runs [Check] and then, if it found nothing, every case of package conformance for guests, which loads the
// module a dozen times. Their findings are steps with the name "conformance"; a finding of level should is only a
// remark.
func CheckFully(ctx context.Context, wasm []byte, opts Options) (CheckReport, error) {
	report, err := Check(ctx, wasm, opts)
	if err != nil || !report.OK {
		return report, err
	}
	if opts.CacheDir == "" { // without a cache, each load compiles it again
		dir, err := os.MkdirTemp("", "hermes-cdp-conformance-")
		if err != nil {
			return report, err
		}
		defer os.RemoveAll(dir)
		opts.CacheDir = dir
	}
	report.conform(conformance.CheckGuest(ctx, Conformance(opts), wasm))
	return report, ctx.Err()
}

// shownFindings limits the report on a module that breaks most rules.
const shownFindings = 10

// conform adds findings to the report, those of level must first.
func (r *CheckReport) conform(findings []conformance.Finding) {
	slices.SortStableFunc(findings, func(a, b conformance.Finding) int { return strings.Compare(string(a.Level), string(b.Level)) })
	for n, f := range findings {
		if n == shownFindings {
			r.Steps = append(r.Steps, CheckStep{conformanceStep, outcomeOf(f), fmt.Sprintf("and %d more findings", len(findings)-n)})
			break
		}
		r.OK = r.OK && f.Level == conformance.Should
		r.Steps = append(r.Steps, CheckStep{conformanceStep, outcomeOf(f), f.String()})
	}
	if len(findings) == 0 {
		r.Steps = append(r.Steps, CheckStep{Name: conformanceStep, Outcome: OutcomeOK})
	}
}

const conformanceStep = "conformance"

func outcomeOf(f conformance.Finding) Outcome {
	if f.Level == conformance.Should {
		return OutcomeOK
	}
	return OutcomeFailed
}

// Conformance returns this host for package conformance, with options for every module that it loads. Time limits are
// at least a minute.
func Conformance(opts Options) conformance.Host {
	opts.Limits.InitTimeout = max(opts.Limits.InitTimeout, conformancePatience)
	opts.Limits.HookTimeout = max(opts.Limits.HookTimeout, conformancePatience)
	return conformingHost{opts}
}

type conformingHost struct{ opts Options }

func (h conformingHost) Load(ctx context.Context, wasm, config []byte) (conformance.Plugin, error) {
	opts := h.opts
	if config != nil {
		if err := opts.Config.Unmarshal(config); err != nil {
			return nil, err
		}
	}
	m, err := Open(ctx, wasm, opts)
	if err != nil {
		return nil, conformanceError(err)
	}
	return conformingPlugin{m}, nil
}

// conformanceError tells a module that refuses its configuration from one that the host refuses.
func conformanceError(err error) error {
	var refused *LoadError
	var fault *Fault
	if !errors.As(err, &refused) || !errors.As(err, &fault) || refused.Step != plugin.StepInit || fault.Kind != plugin.FaultInit {
		return err
	}
	reason, _ := strings.CutPrefix(fault.Detail, plugin.RefusedPrefix)
	if reason == plugin.NoReason {
		reason = ""
	}
	return errors.Join(err, &conformance.RefusalError{Reason: reason})
}

type conformingPlugin struct{ *Module }

func (p conformingPlugin) Call(ctx context.Context, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
	got, err := p.callIn(ctx, in, hook, event, func(encoded []byte) error {
		if _, verdict := abi.NewMessages(hook); verdict != nil {
			return verdict.Unmarshal(encoded)
		}
		return nil
	})
	return fakehost.Answer{Status: got.Status, Verdict: got.Verdict, Reason: got.Reason}, err
}
