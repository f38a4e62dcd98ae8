package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/complete"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) tokenCommand() *cobra.Command {
	cmd := cli.Group("token", "Make, list and revoke the tokens of agents", a.tokenNewCommand(), a.tokenListCommand(), a.tokenRevokeCommand())
	cmd.Long = "Make, list and revoke the tokens of agents. With its token an agent reaches MCP and /v1/agent/ for the tasks that it is\n" +
		"bound to, with the tools of its toolsets, and nothing else. A daemon follows at once; without one the file is changed\n" +
		"(control.agent_tokens), which has only hashes: a token is shown once, when it is made."
	return cmd
}

// withTokens uses the daemon, or the file of tokens where none is running. Checked tells which of them it was.
func (a *app) withTokens(use func(api control.TokenAPI, checked bool) error) error {
	cfg, _, err := a.Load()
	if err != nil {
		return err
	}
	if a.IsAgent() {
		return fmt.Errorf("%w: only the operator can manage tokens: leave out --token-file and %s", fault.ErrForbidden, config.EnvToken)
	}
	err = a.OnDaemon(cfg, func(api control.API) error { return use(api, true) })
	if !errors.Is(err, fault.ErrNoDaemon) {
		return err
	}
	store, err := access.Open(cfg.Control.AgentTokens, a.Logger(cfg.Log))
	if err != nil {
		return err
	}
	defer store.Close()
	record, err := a.auditLog(cfg)
	if err != nil {
		return err
	}
	return use(audit.API(&control.Local{AgentTokens: store}, record), false)
}

func (a *app) tokenListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the tokens of agents: what they are bound to, when they were last used, when they expire",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTokens(func(api control.TokenAPI, _ bool) error {
				list, err := api.Tokens(cmd.Context())
				if err != nil {
					return err
				}
				rows := [][]string{{"NAME", "TASKS", "TOOLSETS", "CREATED", "LAST USED", "EXPIRES"}}
				for _, t := range list {
					rows = append(rows, tokenRow(t, time.Now()))
				}
				return a.WriteRows(list, rows)
			})
		},
	}
}

func tokenRow(t access.Token, now time.Time) []string {
	used, expires := "never", "never"
	if !t.LastUsed.IsZero() {
		used = "in the hour from " + t.LastUsed.Local().Format("2006-01-02 15:04")
	}
	switch {
	case t.Expired(now):
		expires = "expired " + cli.Moment(t.Expires)
	case !t.Expires.IsZero():
		expires = cli.Moment(t.Expires)
	}
	return []string{t.Name, strings.Join(t.Tasks, ","), strings.Join(t.Toolsets, ","), cli.Moment(t.Created), used, expires}
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NAME",
		Short: "End a token at once, with its sessions, streams and calls",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withTokens(func(api control.TokenAPI, _ bool) error {
				return cli.ShownLine(&a.App, func(gone access.Token) string { return cli.OneLine(gone.Name) + " is revoked" })(api.RevokeToken(cmd.Context(), args[0]))
			})
		},
	}
}

func (a *app) tokenNewCommand() *cobra.Command {
	var r access.Request
	var output string
	cmd := &cobra.Command{
		Use:   "new --name NAME --task PATTERN... --toolset NAME...",
		Short: "Make a token for an agent, bound to tasks and toolsets, and show it once",
		Long: "Make a token for an agent, bound to tasks and toolsets, and show it once: on standard output, or with --output in a new\n" +
			"file that its owner alone can read.\n\n" +
			"A task is a name (shop), or all names with a prefix (shop-*); * is every task, including the operator's. The agent gets\n" +
			"the tools that the configuration gives it and that are in one of the toolsets: a token never gives more.",
		Example: "  hermes-cdp token new --name shopper --task 'shop-*' --toolset browser-safe --expires 24h --output shopper.token\n" +
			"  hermes-cdp browser navigate https://example.org --token-file shopper.token",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTokens(func(api control.TokenAPI, checked bool) error {
				file, err := newSecretFile(output)
				if err != nil {
					return err
				}
				made, err := api.NewToken(cmd.Context(), r)
				if err != nil {
					return errors.Join(err, file.drop())
				}
				if !checked {
					a.note("no daemon is running, so it was not checked whether the toolsets exist")
				}
				return a.showToken(made, file)
			})
		},
	}
	cmd.Flags().StringVar(&r.Name, "name", "", "`NAME` of the token, by which it is listed and revoked")
	cmd.Flags().StringArrayVar(&r.Tasks, "task", nil, "a task, or a `PATTERN` such as shop-*; may be repeated")
	cmd.Flags().StringSliceVar(&r.Toolsets, "toolset", nil, "`NAME` of a toolset or tool; may be repeated")
	cmd.Flags().DurationVar(&r.Lifetime, "expires", 0, "let it expire after this `TIME`, such as 24h (default: it is valid until it is revoked)")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the token to this new `FILE`, with mode 0600")
	cli.Require(cmd, "name", "task", "toolset")
	completeFlag(cmd, "toolset", complete.Listed(a.names().Toolsets))
	return cmd
}

// showToken shows a token for the only time. What is said beside it is on standard error, so that output is the token
// alone.
func (a *app) showToken(made access.Made, file *secretFile) error {
	if err := file.write(made.Secret); err != nil {
		return fmt.Errorf("the token %s was made, but could not be written: revoke it, and make another: %w", made.Name, err)
	}
	if file != nil {
		return a.Write(made.Token, "the token "+cli.OneLine(made.Name)+" is in "+cli.OneLine(file.Name()))
	}
	a.note("this is the only time that the token is shown; hermes-cdp token revoke " + made.Name + " ends it")
	return a.Write(made, made.Secret)
}

// note says something beside the output.
func (a *app) note(text string) {
	if !a.JSON {
		_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: %s\n", cli.OneLine(text))
	}
}

// secretFile is a new file that its owner alone can read; nil is none.
type secretFile struct{ *os.File }

// newSecretFile makes the file before there is anything to put into it: a file that is there stays as it is.
func newSecretFile(path string) (*secretFile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, cli.UsageError{Err: fmt.Errorf("--output: %w", err)}
	}
	return &secretFile{file}, nil
}

func (f *secretFile) write(secret string) error {
	if f == nil {
		return nil
	}
	_, err := f.WriteString(secret + "\n")
	return errors.Join(err, f.Close())
}

// drop takes the file away again.
func (f *secretFile) drop() error {
	if f == nil {
		return nil
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
