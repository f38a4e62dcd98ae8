package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/profilename"
)

func (a *app) profileCommand() *cobra.Command {
	return cli.Group("profile", "List, show and wipe the profiles that browser.profile names", a.profileListCommand(), a.profileShowCommand(), a.profileWipeCommand())
}

// profiles reads the configured directory: no daemon is needed.
func (a *app) profiles() (dir string, list []host.Profile, err error) {
	cfg, _, err := a.Load()
	if err != nil {
		return "", nil, err
	}
	list, err = host.Profiles(cfg.Browser.ProfileDir)
	return cfg.Browser.ProfileDir, list, err
}

type profilesJSON struct {
	Profiles []host.Profile `json:"profiles"`
}

func (a *app) profileListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the profiles in browser.profile_dir",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, list, err := a.profiles()
			if err != nil {
				return err
			}
			rows := [][]string{{"NAME", "SIZE", "CHANGED", "USED BY"}}
			for _, p := range list {
				rows = append(rows, []string{p.Name, mebibytes(p.Bytes), cli.Moment(p.Changed.Time), p.User})
			}
			return a.WriteRows(profilesJSON{list}, rows)
		},
	}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

func (a *app) profileShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show where a profile is, how large it is and who uses it",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.profile(args[0])
			if err != nil {
				return err
			}
			lines := []string{p.Path, mebibytes(p.Bytes) + ", changed " + cli.Moment(p.Changed.Time)}
			if p.User != "" {
				lines = append(lines, "used by "+p.User)
			}
			return a.Write(p, lines...)
		},
	}
}

func (a *app) profileWipeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "wipe NAME",
		Short: "Remove a profile with its cookies and all that pages have stored in it",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.profile(args[0])
			if err == nil {
				err = host.WipeProfile(p.Path)
			}
			if err != nil {
				return err
			}
			return a.Write(p, "the profile "+p.Name+" is gone")
		},
	}
}

// profile finds a profile by its name.
func (a *app) profile(name string) (host.Profile, error) {
	dir, list, err := a.profiles()
	if err != nil {
		return host.Profile{}, err
	}
	if !profilename.Valid(name) {
		return host.Profile{}, cli.UsageError{Err: fmt.Errorf("%q is no name of a profile", name)}
	}
	i := slices.IndexFunc(list, func(p host.Profile) bool { return p.Name == name })
	if i < 0 {
		return host.Profile{}, fmt.Errorf("there is no profile %s; hermes-cdp profile list shows those that there are", filepath.Join(dir, name))
	}
	return list[i], nil
}
