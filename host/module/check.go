package module

import (
	"context"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/selftest"
)

// Outcome is the outcome of a step of [Check].
type Outcome string

// The outcomes of a step.
const (
	OutcomeOK      Outcome = "ok"
	OutcomeFailed  Outcome = "failed"
	OutcomeSkipped Outcome = "skipped" // it needs an earlier step that failed
)

// CheckReport is the result of [Check]. It can be encoded as JSON.
type CheckReport struct {
	SHA256 string      `json:"sha256"` // in hexadecimal; empty if the file could not be read
	OK     bool        `json:"ok"`     // every step is
	Steps  []CheckStep `json:"steps"`
}

// Remark is what an operator should know of a manifest that passed: that there is none, or that what it asks for is not
// what the module imports or is granted. It is empty if there is nothing.
func (r CheckReport) Remark() string {
	for _, step := range r.Steps {
		if step.Name == string(plugin.StepManifest) && step.Outcome == OutcomeOK {
			return step.Detail
		}
	}
	return ""
}

// NoManifest is the remark on a module that has no manifest, and imports nothing that it is not granted.
const NoManifest = plugin.NoManifest

// CheckStep is one step of the report.
type CheckStep struct {
	Name    string  `json:"name"` // a [Step], or "self-test" and the hook
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail,omitempty"` // why it failed and what to do, or a remark
}

// Check runs every step of loading a module, and then sends a made-up event to each of its hooks, both in a child
// process first; see [Try]. It reports all problems of the module's outline at once, and runs none of its code if there
// are any. The error is that of ctx, if it ended before the check; what is wrong with the module is in the report.
func Check(ctx context.Context, wasm []byte, opts Options) (CheckReport, error) {
	return check(ctx, opts.source("", wasm), opts)
}

// CheckFile is [Check] for a .wasm file.
func CheckFile(ctx context.Context, path string, opts Options) (CheckReport, error) {
	return check(ctx, opts.source(path, nil), opts)
}

func check(ctx context.Context, source plugin.Source, opts Options) (CheckReport, error) {
	if opts.Granted != nil {
		source.Capabilities = opts.Granted
	}
	var c checker
	c.run(ctx, source, opts)
	c.report.OK = true
	for _, s := range c.report.Steps {
		c.report.OK = c.report.OK && s.Outcome == OutcomeOK
	}
	return c.report, ctx.Err()
}

// checker collects the steps in order.
type checker struct{ report CheckReport }

func (c *checker) add(name string, outcome Outcome, detail string) {
	c.report.Steps = append(c.report.Steps, CheckStep{Name: name, Outcome: outcome, Detail: detail})
}

func (c *checker) run(ctx context.Context, source plugin.Source, opts Options) {
	prepared, err := plugin.Prepare(ctx, source, opts.host())
	if err != nil {
		c.until(err, 0)
		return
	}
	c.report.SHA256 = prepared.SHA256()
	first := c.passed(plugin.StaticSteps()[0])
	failed := false
	for _, step := range plugin.StaticSteps() {
		detail, err := prepared.Check(step)
		if err != nil {
			failed = true
			c.add(string(step), OutcomeFailed, loadDetail(err))
			continue
		}
		c.add(string(step), OutcomeOK, detail)
	}
	next := first + len(plugin.StaticSteps())
	if failed {
		prepared.Close()
		c.skip(next)
		return
	}
	if err := try(ctx, source, opts); err != nil {
		prepared.Close()
		c.add(string(plugin.StepTrial), OutcomeFailed, loadDetail(err))
		c.skip(next)
		return
	}
	m, err := prepared.Start(ctx)
	if err != nil {
		c.until(err, next)
		return
	}
	defer func() { _ = m.Close() }() // the check is over anyway
	for _, step := range plugin.Steps()[next:] {
		c.add(string(step), OutcomeOK, "")
	}
	for _, hook := range m.Info().Hooks {
		c.selfTest(ctx, m, hook)
	}
}

// passed adds the steps before a step as ok, and returns its index.
func (c *checker) passed(before plugin.Step) int {
	for n, step := range plugin.Steps() {
		if step == before {
			return n
		}
		c.add(string(step), OutcomeOK, "")
	}
	return len(plugin.Steps())
}

// until adds the steps from index first on: as ok until the one that failed, and as skipped after it.
func (c *checker) until(err error, first int) {
	var load *plugin.LoadError
	if !errors.As(err, &load) {
		load = &plugin.LoadError{Step: plugin.Steps()[first], Detail: err.Error()}
	}
	c.report.SHA256 = load.SHA256
	for n, step := range plugin.Steps()[first:] {
		if step == load.Step {
			c.add(string(step), OutcomeFailed, load.Detail)
			c.skip(first + n + 1)
			return
		}
		c.add(string(step), OutcomeOK, "")
	}
}

func (c *checker) skip(first int) {
	for _, step := range plugin.Steps()[first:] {
		c.add(string(step), OutcomeSkipped, "")
	}
}

func loadDetail(err error) string {
	var load *plugin.LoadError
	if errors.As(err, &load) {
		return load.Detail
	}
	return err.Error()
}

func (c *checker) selfTest(ctx context.Context, m *plugin.Module, hook abi.Hook) {
	name := "self-test " + string(hook)
	remark, err := selftest.Run(ctx, m, hook)
	if err != nil {
		c.add(name, OutcomeFailed, err.Error())
		return
	}
	c.add(name, OutcomeOK, remark)
}

// MadeUpEvent returns the encoded event with which [Check] tests a hook; ok is false for a hook that this host does not
// know. It is the same each time.
func MadeUpEvent(hook abi.Hook) (event []byte, ok bool) { return selftest.Event(hook) }
