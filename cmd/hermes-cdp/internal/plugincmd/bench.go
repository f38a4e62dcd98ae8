package plugincmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
)

func (a app) benchCommand() *cobra.Command {
	var o trial.BenchOptions
	var m moduleFlags
	cmd := &cobra.Command{
		Use:   "bench FILE|DIR",
		Short: "Measure a module: time, fuel and host allocations of a call, memory, and how long loading takes",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Time <= 0 {
				return cli.UsageError{Err: fmt.Errorf("--time %v is not possible; want a duration such as 500ms", o.Time)}
			}
			read, event, err := m.read(a, cmd, args[0])
			if err != nil {
				return err
			}
			o.Event = event
			progress := a.Progress("measuring")
			o.Progress = progress.At
			measured, err := trial.Bench(cmd.Context(), read.Wasm, read.Options, o)
			progress.End()
			if err != nil {
				return trialError(err)
			}
			return a.writeMeasurement(measured)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Hook, "hook", "", "measure only this `HOOK`; see plugin run")
	m.register(flags, "measure with this event: JSON in a `FILE` or, with -, on standard input")
	flags.DurationVar(&o.Time, "time", 500*time.Millisecond, "about how long each event is sent again and again (a `DURATION`)")
	return cmd
}

func (a app) writeMeasurement(m trial.Measurement) error {
	var err error
	if a.JSON {
		err = a.WriteJSON(m)
	} else {
		err = a.writeMeasurementTables(m)
	}
	for _, cost := range m.Hooks {
		if err == nil && cost.Calls == 0 {
			err = fmt.Errorf("%s with the %s event: the module faulted: %s", cost.Hook, cost.Payload, cost.Outcome)
		}
	}
	return err
}

func (a app) writeMeasurementTables(m trial.Measurement) error {
	err := a.WriteTable([][]string{
		{"sha256", m.SHA256},
		{"size", fmt.Sprintf("%d bytes", m.Bytes)},
		{"load", fmt.Sprintf("%v, and %v with its code in the cache", m.ColdLoad.Round(time.Microsecond), m.WarmLoad.Round(time.Microsecond))},
		{"memory", fmt.Sprintf("%d bytes an instance", m.InstanceMemory)},
	})
	if err != nil {
		return err
	}
	rows := [][]string{{"HOOK", "EVENT", "BYTES", "OUTCOME", "CALLS", "NS/CALL", "FUEL/CALL", "ALLOCS/CALL", "ALLOCATED/CALL"}}
	for _, cost := range m.Hooks {
		rows = append(rows, []string{
			cost.Hook.Word(), cost.Payload, fmt.Sprint(cost.EventBytes), cost.Outcome, fmt.Sprint(cost.Calls),
			fmt.Sprintf("%.0f", cost.PerCall), fmt.Sprint(cost.Fuel), fmt.Sprintf("%.1f", cost.Allocs), fmt.Sprintf("%.0f B", cost.AllocBytes),
		})
	}
	return a.WriteTable(rows)
}
