package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

type psJSON struct {
	Browsers []host.BrowserInfo `json:"browsers"`
}

func (a *app) psCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ps",
		Short: "List browsers, who uses them and what they take",
		Long: "List browsers, who uses them and what they take: those of the daemon, if one is running, and the local ones with\n" +
			"temporary profiles that other hosts of this user have started. A browser whose host is gone is left: hermes-cdp reap\n" +
			"ends it. MEMORY is that of the whole tree of its processes; pages that several of them share count in each.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, _, err := a.Load()
			if err != nil {
				return err
			}
			known, pid, err := a.browsersOfDaemon(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			list, err := host.LocalBrowsers(known)
			if err != nil {
				return err
			}
			for i := range known {
				list[i].HostPID = pid
			}
			rows := [][]string{{"BROWSER", "TASKS", "AGE", "IDLE", "MEMORY", "PROCESSES", "PROFILE", "STATE"}}
			for _, b := range list {
				rows = append(rows, browserRow(b))
			}
			return a.WriteRows(psJSON{append([]host.BrowserInfo{}, list...)}, rows)
		},
	}
}

// browsersOfDaemon lists the browsers of the daemon, and its process. There need not be one.
func (a *app) browsersOfDaemon(ctx context.Context, cfg *config.Config) ([]host.BrowserInfo, int, error) {
	client, err := a.Client(cfg)
	if err == nil {
		defer client.Close()
		s, failed := client.Status(ctx)
		if failed == nil {
			return s.Browsers, s.Daemon.PID, nil
		}
		err = failed
	}
	if errors.Is(err, fault.ErrNoDaemon) || errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return nil, 0, err
}

func browserRow(b host.BrowserInfo) []string {
	return []string{
		browserName(b), orDash(tasksOf(b)), orDash(rounded(b.Age())), idleOf(b), orDash(memoryOf(b)), orDash(count(b.Processes)), orDash(b.Profile), stateOf(b),
	}
}

func browserName(b host.BrowserInfo) string {
	switch {
	case b.Provider != "":
		return b.Provider + " " + cli.OneLine(b.SessionID)
	case b.Address != "":
		return b.Address
	case b.PID == 0:
		return "-"
	}
	return fmt.Sprintf("pid %d", b.PID)
}

func tasksOf(b host.BrowserInfo) string {
	names := make([]string, len(b.Tasks))
	for i, t := range b.Tasks {
		names[i] = cli.OneLine(t.ID)
	}
	if len(names) == 0 {
		return strings.TrimPrefix(cli.OneLine(b.For), "the task ")
	}
	return strings.Join(names, ", ")
}

func stateOf(b host.BrowserInfo) string {
	switch {
	case b.Left && b.PID == 0:
		return "left: only its profile; hermes-cdp reap removes it"
	case b.Left:
		return "left by host " + orDash(count(b.HostPID)) + "; hermes-cdp reap ends it"
	case b.HostPID == 0:
		return "running"
	}
	return fmt.Sprintf("running, of host %d", b.HostPID)
}

func idleOf(b host.BrowserInfo) string {
	if len(b.Tasks) == 0 {
		return "-"
	}
	return time.Duration(b.Idle * float64(time.Second)).Round(time.Second).String()
}

func memoryOf(b host.BrowserInfo) string {
	if b.Memory == 0 {
		return ""
	}
	return mebibytes(b.Memory)
}

func rounded(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.Round(time.Second).String()
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
