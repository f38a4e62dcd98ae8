package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
)

func (a *app) recordCommand() *cobra.Command {
	return cli.Group("record", "Start and stop a video of what a task shows, its dialogs included",
		a.recordActionCommand("start", "Record the tab in use from now on, with its dialogs drawn in"),
		a.recordActionCommand("stop", "Complete the video, and print where it is"))
}

// recordActionCommand is a shorter name of an action of hermes-cdp browser record.
func (a *app) recordActionCommand(action, short string) *cobra.Command {
	var o callOptions
	cmd := &cobra.Command{
		Use:   action,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.callTool(cmd.Context(), o, "browser_record", []byte(`{"action":"`+action+`"}`))
		},
	}
	o.addFlags(cmd, false)
	return cmd
}

func (a *app) recordingsCommand() *cobra.Command {
	return cli.Group("recordings", "List the videos of what tasks showed, and find their files", a.recordingsListCommand(), a.recordingsPathCommand())
}

// recordings reads the configured directory: no daemon is needed, and recordings outlive the one that made them.
func (a *app) recordings() ([]host.Recording, error) {
	cfg, _, err := a.Load()
	if err != nil {
		return nil, err
	}
	return host.Recordings(options.Recording(cfg.Browser))
}

type recordingsJSON struct {
	Recordings []host.Recording `json:"recordings"`
}

func (a *app) recordingsListCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the recordings in browser.recording_dir, the oldest first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all, err := a.recordings()
			if err != nil {
				return err
			}
			list := []host.Recording{}
			for _, r := range all {
				if task == "" || r.TaskID == task {
					list = append(list, r)
				}
			}
			rows := [][]string{{"ID", "TASK", "BEGAN", "DURATION", "FRAMES", "SIZE", "STATE"}}
			for _, r := range list {
				rows = append(rows, recordingRow(r))
			}
			return a.WriteRows(recordingsJSON{list}, rows)
		},
	}
	cmd.Flags().StringVar(&task, "task", "", "only those of the task of this `NAME`")
	return cmd
}

func recordingRow(r host.Recording) []string {
	const second = float64(time.Second)
	return []string{
		r.ID, r.TaskID, cli.Moment(r.Began.Time), time.Duration(r.Duration * second).Round(time.Second / 10).String(),
		fmt.Sprint(r.Frames), mebibytes(r.Bytes), string(r.State),
	}
}

func (a *app) recordingsPathCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "path ID",
		Short: "Print the path of a recording, for a player",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.recordings()
			if err != nil {
				return err
			}
			for _, r := range list {
				if r.ID != args[0] {
					continue
				}
				return a.Write(r, cli.OneLine(r.Path))
			}
			return fmt.Errorf("%w: %q; hermes-cdp recordings list shows the existing ones", host.ErrNoRecording, args[0])
		},
	}
}
