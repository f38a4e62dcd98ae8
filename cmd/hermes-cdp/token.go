package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) tokenCommand() *cobra.Command {
	cmd := group("token", "Make, list and revoke the tokens of agents", a.tokenNewCommand(), a.tokenListCommand(), a.tokenRevokeCommand())
	cmd.Long = "Make, list and revoke the tokens of agents. With its token an agent reaches MCP and /v1/agent/ for the tasks that it is\n" +
		"bound to, with the tools of its toolsets, and nothing else. A daemon follows at once; without one the file is changed\n" +
		"(control.agent_tokens), which has only hashes: a token is shown once, when it is made."
	return cmd
}

// withTokens uses the daemon, or the file of tokens where none is running. Checked tells which of them it was.
func (a *app) withTokens(use func(api control.TokenAPI, checked bool) error) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	if a.isAgent() {
		return fmt.Errorf("%w: only the operator can manage tokens: leave out --token-file and %s", access.ErrForbidden, config.EnvToken)
	}
	err = a.onDaemon(cfg, func(api control.API) error { return use(api, true) })
	if !errors.Is(err, control.ErrNoDaemon) {
		return err
	}
	store, err := access.Open(cfg.Control.AgentTokens, a.logger(cfg.Log))
	if err != nil {
		return err
	}
	defer store.Close()
	return use(&control.Local{AgentTokens: store}, false)
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
				if a.json {
					return a.writeJSON(list)
				}
				rows := [][]string{{"NAME", "TASKS", "TOOLSETS", "CREATED", "LAST USED", "EXPIRES"}}
				for _, t := range list {
					rows = append(rows, tokenRow(t, time.Now()))
				}
				return a.writeTable(rows)
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
		expires = "expired " + moment(t.Expires)
	case !t.Expires.IsZero():
		expires = moment(t.Expires)
	}
	return []string{t.Name, strings.Join(t.Tasks, ","), strings.Join(t.Toolsets, ","), moment(t.Created), used, expires}
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NAME",
		Short: "End a token at once, with its sessions, streams and calls",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withTokens(func(api control.TokenAPI, _ bool) error {
				gone, err := api.RevokeToken(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(gone)
				}
				_, err = fmt.Fprintf(a.stdout, "%s is revoked\n", oneLine(gone.Name))
				return err
			})
		},
	}
}

// tokenNames completes the names of tokens.
func (a *app) tokenNames(cmd *cobra.Command, _ []string, _ string) (list []string) {
	a.onDaemonQuietly(cmd.Context(), func(ctx context.Context, api *control.Client) {
		tokens, err := api.Tokens(ctx)
		if err != nil {
			return
		}
		for _, t := range tokens {
			list = append(list, described(t.Name, strings.Join(t.Tasks, ",")))
		}
	})
	return list
}
