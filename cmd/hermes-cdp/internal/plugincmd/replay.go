package plugincmd

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
)

// replayFlags are what replay and diff have in common.
type replayFlags struct {
	journal, name, configJSON, allow, writeAllow string
	strict                                       bool // only of replay
}

func (f *replayFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.journal, "journal", "", "the journal: a `FILE`, or a directory of them")
	cmd.Flags().StringVar(&f.name, "name", "", "`NAME` of the plugin whose calls are run (default: the name in the manifest)")
	cmd.Flags().StringVar(&f.configJSON, "config-json", "", "a configuration in place of the recorded ones, as a JSON `OBJECT`")
	cmd.Flags().StringVar(&f.allow, "allow", "", "a `FILE` with the differences that are meant")
	cmd.Flags().StringVar(&f.writeAllow, "write-allow", "", "write all differences to `FILE`, for --allow; the command then succeeds")
}

const allowHelp = "The list for --allow is what --write-allow writes, or a text with the number of a call on each line (# begins a comment),\n" +
	`or JSON: {"format":1,"allow":[{"sequence":7},{"hook":"hermes_on_dialog","subject":"d-1","after":{"outcome":"decided","verdict":{...}}}]}` + ".\n" +
	"An entry allows the differences that have all that it gives.\n\n" +
	"The exit code is 3 where calls are decided otherwise that the list does not allow."

const maskedHelp = "A journal in files has secrets masked. Calls that differ from a record whose event, exchanges or verdict are masked are shown\n" +
	"and told on stderr, but count for the exit code only with --strict. A masked configuration alone is no excuse: such calls count,\n" +
	"and --config-json gives the real one."

func (a app) replayCommand() *cobra.Command {
	var flags replayFlags
	var file, against string
	cmd := &cobra.Command{
		Use:   "replay --journal JOURNAL --plugin FILE",
		Short: "Run the calls of a journal again on a module, and tell on which it decides otherwise",
		Long: "Run the calls of a journal again on a module, and tell on which it decides otherwise than was recorded; with --against,\n" +
			"on which another module decides otherwise than it. Each call has a fresh instance, the recorded time, random seed and\n" +
			"configuration, and what the plugin asks its store and the host is answered as it was. Only fuel ends a call. Limits are\n" +
			"those of plugins.NAME.limits.\n\n" + maskedHelp + "\n\n" + allowHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.replay(cmd.Context(), &flags, file, against)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&file, "plugin", "", "the module: a .wasm `FILE`, or a plugin's directory that was built")
	cmd.Flags().StringVar(&against, "against", "", "a second module: a `FILE` that is compared with --plugin instead of the record")
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "count differences from a record whose secrets are masked, too")
	cli.Require(cmd, "journal", "plugin")
	return cmd
}

func (a app) replay(ctx context.Context, flags *replayFlags, file, against string) error {
	o, err := flags.options()
	if err != nil {
		return err
	}
	cfg, _, err := a.Load()
	if err != nil {
		return err
	}
	tried, err := a.replayed(cfg, file, flags.name)
	if err != nil {
		return err
	}
	progress := a.Progress("replaying")
	o.Progress = progress.At
	var report replay.Report
	if against == "" {
		report, err = replay.Record(ctx, flags.journal, tried, o)
	} else {
		var second replay.Module
		if second, err = a.replayed(cfg, against, flags.name); err != nil {
			return err
		}
		report, err = replay.Between(ctx, flags.journal, tried, second, o)
	}
	progress.End()
	if err != nil {
		return err
	}
	if a.JSON {
		err = a.WriteJSON(report)
	} else {
		err = a.writeReplay(report)
	}
	if err != nil {
		return err
	}
	a.warnOfMasks(report)
	return flags.conclude(report)
}

// options reads what the flags name.
func (f *replayFlags) options() (replay.Options, error) {
	o := replay.Options{Plugin: f.name, Strict: f.strict}
	var err error
	if o.Config, err = candidate.ParseSettings(f.configJSON); err != nil {
		return o, cli.UsageError{Err: err}
	}
	if f.allow == "" {
		return o, nil
	}
	text, err := os.ReadFile(f.allow)
	if err != nil {
		return o, err
	}
	if o.Allow, err = replay.ParseAllow(text); err != nil {
		return o, cli.UsageError{Err: fmt.Errorf("--allow: %s: %w", f.allow, err)}
	}
	return o, nil
}

// replayed reads a module, with the limits of its plugin's configuration.
func (a app) replayed(cfg *config.Config, file, name string) (replay.Module, error) {
	m, err := a.read(file, name, nil, cfg)
	if err != nil {
		return replay.Module{}, err
	}
	return replay.Module{Name: m.Options.Name, Wasm: m.Wasm, Limits: m.Options.Limits, Trial: m.Options.Trial, CacheDir: cfg.PluginCacheDir}, nil
}

// conclude writes the list that was asked for, and is an error where decisions differ.
func (f *replayFlags) conclude(report replay.Report) error {
	if f.writeAllow != "" {
		text, err := replay.FormatAllow(report)
		if err != nil {
			return err
		}
		return os.WriteFile(f.writeAllow, text, 0o600)
	}
	if report.Different == 0 {
		return nil
	}
	return &fault.Error{Code: fault.ErrDifferences, Err: fmt.Errorf("%d of %d calls are decided otherwise; where that is meant, --write-allow makes a list for --allow",
		report.Different, report.Calls)}
}

// maxShownDecision bounds a decision in a table, in characters.
const maxShownDecision = 160

func (a app) writeReplay(r replay.Report) error {
	a.tellProblems(r.Problems)
	before, after := "RECORDED", "NOW"
	if r.Before != nil {
		before, after = "BEFORE "+cli.Short(r.Before.SHA256), "AFTER "+cli.Short(r.After.SHA256)
	}
	if len(r.Differences) > 0 {
		rows := [][]string{{"CALL", "HOOK", "SUBJECT", before, after, "REMARK"}}
		for _, d := range r.Differences {
			rows = append(rows, differenceRow(d, r.Inexact > 0))
		}
		if err := a.WriteTable(rows); err != nil {
			return err
		}
	}
	return a.WriteLines(replayLines(r)...)
}

// differenceRow shows a difference; lenient says that those from masked records do not count.
func differenceRow(d replay.Difference, lenient bool) []string {
	subject := d.Subject
	if subject == "" {
		subject = "-"
	}
	return []string{
		fmt.Sprint(d.Sequence), string(d.Hook), subject,
		shortened(d.Before.String(), maxShownDecision), shortened(d.After.String(), maxShownDecision), remarkOn(d, lenient),
	}
}

func remarkOn(d replay.Difference, lenient bool) string {
	switch {
	case d.Allowed:
		return "allowed"
	case d.Inexact && lenient:
		return "its secrets are masked, so this does not count"
	case d.Inexact:
		return "its secrets are masked"
	case d.MaskedConfig:
		return "the secrets of its configuration are masked"
	}
	return shortened(d.Deviation, maxShownDecision)
}

// warnOfMasks tells what masked secrets keep a replay from proving.
func (a app) warnOfMasks(r replay.Report) {
	if r.Inexact > 0 {
		a.warn(fmt.Sprintf("%d calls are decided otherwise than recorded and do NOT count, as secrets are masked in their records: "+
			"look at them, put those that are meant on the --allow list, and let the others count with --strict", r.Inexact))
	}
	if r.MaskedConfig > 0 {
		a.warn(fmt.Sprintf("%d calls ran with a recorded configuration whose secrets are masked: "+
			"where decisions depend on them, give the real one with --config-json", r.MaskedConfig))
	}
}

// warn writes a warning that is about no key of the configuration.
func (a app) warn(text string) {
	if a.JSON {
		_ = cli.WriteJSONLine(a.Stderr, map[string]any{"warning": map[string]string{"text": text}})
		return
	}
	_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: warning: %s\n", cli.OneLine(text))
}

// replayLines sum a report up.
func replayLines(r replay.Report) []string {
	lines := []string{fmt.Sprintf("%d calls, %d decided otherwise, %d of them allowed", r.Calls, r.Different+r.Allowed, r.Allowed)}
	for _, part := range []struct {
		n    int
		text string
	}{
		{r.Inexact, "not counted, different from a record whose secrets are masked: %d"},
		{r.Deviating, "asked the store or the host something else than is recorded: %d"},
		{r.Skipped.OtherPlugins, "left out, of other plugins: %d"},
		{r.Skipped.Candidates, "left out, shadow calls of candidates: %d"},
		{r.Skipped.Unrepeatable, "left out, ended by the clock or the host: %d"},
		{r.Skipped.Incomplete, "left out, not kept whole because of a secret: %d"},
		{int(min(r.Lost, 1<<31-1)), "missing in the journal, as more calls came than could be written: %d"},
	} {
		if part.n > 0 {
			lines = append(lines, fmt.Sprintf(part.text, part.n))
		}
	}
	return lines
}
