package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/selftest"
)

// Variable is the environment variable that turns a program into the child of a trial. Its value is one that no one
// sets by mistake. The child has no other variable.
const (
	Variable = "HERMES_CDP_TRIAL"
	value    = "answer-jobs-from-standard-input"
)

// init turns this process into a child if it was started as one. At this point the packages that a module needs are
// initialised, and main has not started.
func init() {
	if os.Getenv(Variable) != value {
		return
	}
	err := serve(os.Stdin, os.Stdout)
	if err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// serve runs jobs until its input ends, which is not an error. The parent is trusted, so nothing bounds a job.
func serve(in io.Reader, out io.Writer) error {
	c := child{context.Background(), nil, &lines{}}
	jobs, answers := newReader(in, math.MaxInt64), json.NewEncoder(out)
	for {
		var j job
		if err := jobs.next(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		a := c.do(&j)
		a.Lines = c.lines.take()
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

// child holds the module on trial.
type child struct {
	ctx    context.Context
	module *plugin.Module // nil before it is loaded
	lines  *lines
}

func (c *child) do(j *job) answer {
	switch {
	case j.Load != nil:
		return c.load(j.Load)
	case c.module == nil:
		return answer{Failed: failureOf(plugin.ErrClosed)}
	case j.Ask != nil:
		return c.ask(j.Ask)
	}
	_, err := selftest.Run(c.ctx, c.module, j.SelfTest)
	return answer{Failed: failureOf(err)}
}

func (c *child) load(l *loading) answer {
	debug.SetMemoryLimit(l.MemoryBytes) // garbage is collected as often as necessary to stay below
	watchOwnMemory(l.MemoryBytes)
	m, err := plugin.Load(c.ctx, l.Source, plugin.Options{CacheDir: l.CacheDir, Logger: slog.New(c.lines)})
	if err != nil {
		return answer{Refused: refusalOf(err)}
	}
	c.module = m
	return answer{Hooks: m.Info().Hooks}
}

func (c *child) ask(call *Call) answer {
	var out answer
	var err error
	out.Result, err = c.module.CallIn(c.ctx, guestio.NewPlayback(call.Exchanges), call.Hook, call.Event, func(verdict []byte) error {
		out.Verdict = bytes.Clone(verdict)
		return conformance.CheckVerdict(call.Hook, call.Event, verdict)
	})
	out.Failed = failureOf(err)
	return out
}
