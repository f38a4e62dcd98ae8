package plugincmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/input"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
)

func (a app) runCommand() *cobra.Command {
	var r trial.Request
	var m moduleFlags
	var kvJSON, stateJSON string
	cmd := &cobra.Command{
		Use:   "run FILE|DIR",
		Short: "Call a module once, and show the verdict, what it logged, its fuel and time",
		Long: "Call a module once, and show the verdict, what it logged, its fuel and time.\n\n" +
			"It runs with the limits and the configuration of plugins.NAME, as with plugin check. The exit code is 0 where it\n" +
			"decided or abstained.",
		Example: "  hermes-cdp plugin run . --event testdata/event.json\n" +
			"  echo '{\"type\":\"prompt\"}' | hermes-cdp plugin run my.wasm --hook dialog --event - --config-json '{\"policy\":\"auto_accept\"}'",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.KV, err = trial.ParseKV(kvJSON); err != nil {
				return cli.UsageError{Err: fmt.Errorf("--kv: %w", err)}
			}
			if r.State, err = trial.ParseState(stateJSON); err != nil {
				return cli.UsageError{Err: fmt.Errorf("--state: %w", err)}
			}
			read, event, err := m.read(a, cmd, args[0])
			if err != nil {
				return err
			}
			r.Event = event
			outcome, err := trial.Run(cmd.Context(), read.Wasm, read.Options, r)
			if err != nil {
				return trialError(err)
			}
			return a.writeOutcome(outcome)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Hook, "hook", "", "the hook: dialog, dialog-closed, frames, bridge-script, bridge-request, bridge-reply, navigate, request, tool, before-tool, after-tool, console, snapshot, download, upload, or the export (a `HOOK`; default: the only one)")
	m.register(flags, "the event as JSON, in a `FILE` or, with -, on standard input (default: the one of the self-test)")
	flags.StringVar(&kvJSON, "kv", "", "grant the capability kv, with this store: a JSON `OBJECT` of texts")
	flags.StringVar(&stateJSON, "state", "", "grant the capability state, with these answers: a JSON `OBJECT` of any values")
	return cmd
}

// trialError makes what is wrong with the command line a usage error.
func trialError(err error) error {
	var event *trial.EventError
	var hook *trial.HookError
	if errors.As(err, &event) || errors.As(err, &hook) {
		return cli.UsageError{Err: err}
	}
	return err
}

func (a app) writeOutcome(o trial.Outcome) error {
	err := a.WriteRows(o, outcomeRows(o))
	if err == nil && (o.Status == "error" || o.Status == "fault") {
		err = errors.New(o.Summary())
	}
	return err
}

func outcomeRows(o trial.Outcome) [][]string {
	rows := [][]string{{"hook", string(o.Hook)}, {"status", o.Status}}
	if o.Verdict != nil {
		rows = append(rows, []string{"verdict", string(o.Verdict)})
	}
	for _, line := range o.Log {
		rows = append(rows, []string{"log", line.Level + ": " + line.Text})
	}
	if o.Fault != nil {
		for _, line := range o.Fault.Trace {
			rows = append(rows, []string{"trace", line})
		}
	}
	if o.KV != nil {
		for _, key := range o.KV.Keys() {
			rows = append(rows, []string{"kv", key + " = " + o.KV[key]})
		}
	}
	return append(rows, []string{"fuel", fmt.Sprint(o.Fuel)}, []string{"duration", o.Duration.String()})
}

// moduleFlags are those of the commands that call a module with an event.
type moduleFlags struct {
	name, event, config string
}

// register adds the flags; event says what --event is for.
func (m *moduleFlags) register(flags *pflag.FlagSet, event string) {
	flags.StringVar(&m.event, "event", "", event)
	flags.StringVar(&m.config, "config-json", "", "the module's configuration as a JSON `OBJECT`")
	flags.StringVar(&m.name, "name", "", "`NAME` of the plugin in the configuration")
}

// largestEvent bounds the file only against reading something that is no event at all.
const largestEvent = 64 << 20

// read reads the module in a file or a directory, with what it is configured with, and the event, nil for none.
func (m *moduleFlags) read(a app, cmd *cobra.Command, at string) (read candidate.Module, event []byte, err error) {
	settings, err := candidate.ParseSettings(m.config)
	if err != nil {
		return read, nil, cli.UsageError{Err: err}
	}
	if m.event != "" {
		switch event, err = input.Read(cmd.InOrStdin(), m.event, largestEvent); {
		case err != nil:
			return read, nil, err
		case len(event) == 0:
			return read, nil, cli.UsageError{Err: errors.New("--event: it is empty; want a JSON object, {} for an event with nothing in it")}
		}
	}
	cfg, _, err := a.Load()
	if err != nil {
		return read, nil, err
	}
	read, err = a.read(at, m.name, settings, cfg)
	return read, event, err
}
