package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/clients"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/complete"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

func (a *app) setupCommand() *cobra.Command {
	return cli.Group("setup", "Make other programs use hermes-cdp", a.setupMCPCommand())
}

// setupOptions are the flags of setup mcp.
type setupOptions struct {
	name, file                string
	toolsets                  []string
	project, remove, yes, dry bool
}

func (a *app) setupMCPCommand() *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use:   "mcp [CLIENT]",
		Short: "Add hermes-cdp to the configuration of an MCP client, or list the clients that are known",
		Long: "Add hermes-cdp to the configuration of an MCP client: Claude Desktop, Claude Code, Cursor, VS Code and others. Without\n" +
			"a name it lists those that are known, their files, and which of them have it.\n\n" +
			"It shows what will change, and asks. Everything else in the file stays as it is, comments and format included; where\n" +
			"that cannot be done for certain, it says what to add by hand. Run again, it changes nothing, or corrects the command.\n" +
			"With the global flag --config, the client's hermes-cdp uses that configuration, too.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listClients(o)
			}
			c, hint, ok := clients.Find(args[0])
			if !ok {
				return cli.UsageError{Err: fmt.Errorf("the MCP client %q is not known%s; known are %s", args[0], hint, strings.Join(clients.Names(), ", "))}
			}
			return a.setUpClient(c, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.name, "name", "browser", "`NAME` of the server in the client's configuration")
	flags.StringVar(&o.file, "file", "", "edit this `FILE` instead of the client's own")
	flags.BoolVar(&o.project, "project", false, "edit the file of the project in the working directory, for all who work on it")
	flags.StringSliceVar(&o.toolsets, "toolsets", nil, "`NAMES` of toolsets, with commas, in place of the configured ones")
	flags.BoolVar(&o.remove, "remove", false, "remove hermes-cdp instead")
	flags.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	flags.BoolVar(&o.dry, "dry-run", false, "show what would change, and change nothing")
	cmd.MarkFlagsMutuallyExclusive("yes", "dry-run")
	cmd.MarkFlagsMutuallyExclusive("file", "project")
	cmd.ValidArgsFunction = complete.Bound(func(_ *cobra.Command, args []string, _ string) []string {
		if len(args) > 0 {
			return nil
		}
		return clients.Names()
	})
	return cmd
}

// machine is this one, for the places of files.
func (a *app) machine() (clients.Machine, error) {
	m := clients.Machine{OS: runtime.GOOS, Getenv: a.Getenv}
	m.Home = cmp.Or(m.Getenv("HOME"), m.Getenv("USERPROFILE"))
	if m.Home == "" {
		return m, errors.New("there is no home directory: neither HOME nor USERPROFILE is set; name the client's file with --file")
	}
	var err error
	m.Dir, err = os.Getwd()
	return m, err
}

type clientJSON struct {
	Client    string `json:"client"`
	Title     string `json:"title"`
	File      string `json:"file"`
	Installed bool   `json:"installed"`
	// SetUp tells whether it has hermes-cdp under the name; Error why that is not known.
	SetUp bool   `json:"set_up"`
	Error string `json:"error,omitempty"`
}

type clientsJSON struct {
	Clients []clientJSON `json:"clients"`
}

func (a *app) listClients(o setupOptions) error {
	m, err := a.machine()
	if err != nil {
		return err
	}
	server, err := a.ownServer(o)
	if err != nil {
		return err
	}
	var list clientsJSON
	rows := [][]string{{"CLIENT", "NAME", "FILE", "STATE"}}
	for _, c := range clients.All() {
		one := clientJSON{Client: c.Name, Title: c.Title, File: c.File(m), Installed: c.Installed(m)}
		state := "not found"
		if one.Installed {
			state = "found"
			plan, err := c.Remove(one.File, o.name, server)
			switch {
			case err != nil:
				one.Error, state = err.Error(), err.Error()
			case plan.Action == clients.Removed:
				one.SetUp, state = true, "set up"
			}
		}
		list.Clients = append(list.Clients, one)
		rows = append(rows, []string{one.Client, one.Title, one.File, state})
	}
	return a.WriteRows(list, rows)
}

type setupJSON struct {
	Client  string         `json:"client"`
	File    string         `json:"file"`
	Name    string         `json:"name"`
	Action  clients.Action `json:"action"`
	Diff    string         `json:"diff,omitempty"`
	Written bool           `json:"written"`
}

var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

func (a *app) setUpClient(c clients.Client, o setupOptions) error {
	if !serverName.MatchString(o.name) {
		return cli.UsageError{Err: fmt.Errorf("%q is no name of a server: only letters, digits, _ and - are allowed, at most 32 of them", o.name)}
	}
	file, err := a.clientFile(c, o)
	if err != nil {
		return err
	}
	server, err := a.ownServer(o)
	if err != nil {
		return err
	}
	var plan *clients.Plan
	if o.remove {
		plan, err = c.Remove(file, o.name, server)
	} else {
		plan, err = c.Add(file, o.name, server)
	}
	if err != nil {
		if errors.Is(err, clients.ErrByHand) && !o.remove {
			err = fmt.Errorf("%w; %s is to have: %s", err, c.Title, c.Entry(o.name, server))
		}
		return err
	}
	return a.carryOut(c, plan, o)
}

// carryOut shows a change, asks, and makes it.
func (a *app) carryOut(c clients.Client, plan *clients.Plan, o setupOptions) error {
	result := setupJSON{Client: c.Name, File: plan.File, Name: plan.Name, Action: plan.Action, Diff: plan.Diff()}
	if plan.Action == clients.Unchanged {
		is := "has"
		if o.remove {
			is = "does not have"
		}
		return a.Write(result, fmt.Sprintf("nothing to do: %s %s hermes-cdp as %s", cli.OneLine(plan.File), is, plan.Name))
	}
	if !a.JSON {
		if _, err := fmt.Fprint(a.Stdout, pagetext.Lines(strings.ReplaceAll(result.Diff, "\r\n", "\n"))); err != nil {
			return err
		}
	}
	if o.dry {
		return a.Write(result, "nothing was written")
	}
	if !o.yes {
		if _, _, ok := a.terminal(); !ok || a.JSON {
			return cli.UsageError{Err: errors.New("nothing was written, as there is no terminal to ask at: add --yes, or --dry-run to see the change only")}
		}
		if !a.agrees("Write this?") {
			return errors.New("nothing was written")
		}
	}
	if err := plan.Write(); err != nil {
		return err
	}
	result.Written = true
	return a.Write(result, fmt.Sprintf("%s: %s %s; to do in %s: %s", cli.OneLine(plan.File), plan.Name, plan.Action, c.Title, c.Then))
}

func (a *app) clientFile(c clients.Client, o setupOptions) (string, error) {
	if o.file != "" {
		return filepath.Abs(o.file)
	}
	m, err := a.machine()
	if err != nil {
		return "", err
	}
	if !o.project {
		return c.File(m), nil
	}
	file, ok := c.ProjectFile(m)
	if !ok {
		return "", cli.UsageError{Err: fmt.Errorf("%s has no configuration of projects; leave --project out", c.Title)}
	}
	return file, nil
}

// ownServer is how a client starts this program: by its path, as programs with windows do not have the PATH of shells,
// and by its name in the file of a project, which is for other machines, too.
func (a *app) ownServer(o setupOptions) (clients.Server, error) {
	s := clients.Server{Command: "hermes-cdp"}
	if !o.project {
		path, err := ownPath()
		if err != nil {
			return s, err
		}
		s.Command = path
	}
	if a.ConfigFile != "" {
		file, err := filepath.Abs(a.ConfigFile)
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, "--config", file)
	}
	s.Args = append(s.Args, "mcp")
	if len(o.toolsets) > 0 {
		s.Args = append(s.Args, "--toolsets", strings.Join(o.toolsets, ","))
	}
	return s, nil
}

// ownPath is where this program is: in PATH, where the next version will be, too, or else where it was started from.
func ownPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath("hermes-cdp")
	if err != nil {
		return self, nil //nolint:nilerr // it is not in PATH, and need not be
	}
	of, err := os.Stat(found)
	own, ownErr := os.Stat(self)
	if err != nil || ownErr != nil || !os.SameFile(of, own) {
		return self, nil //nolint:nilerr // another one is in PATH
	}
	return filepath.Abs(found)
}
