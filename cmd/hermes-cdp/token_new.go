package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

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
	for _, flag := range []string{"name", "task", "toolset"} {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // the flag is not there: every test would meet it
		}
	}
	complete(cmd, "toolset", listed(a.toolsetNames))
	return cmd
}

// showToken shows a token for the only time. What is said beside it is on standard error, so that output is the token alone.
func (a *app) showToken(made access.Made, file *secretFile) error {
	if err := file.write(made.Secret); err != nil {
		return fmt.Errorf("the token %s was made, but could not be written: revoke it, and make another: %w", made.Name, err)
	}
	switch {
	case a.json && file != nil:
		return a.writeJSON(made.Token)
	case a.json:
		return a.writeJSON(made)
	case file != nil:
		_, err := fmt.Fprintf(a.stdout, "the token %s is in %s\n", oneLine(made.Name), oneLine(file.Name()))
		return err
	}
	a.note("this is the only time that the token is shown; hermes-cdp token revoke " + made.Name + " ends it")
	_, err := fmt.Fprintln(a.stdout, made.Secret)
	return err
}

// note says something beside the output.
func (a *app) note(text string) {
	if !a.json {
		_, _ = fmt.Fprintf(a.stderr, "hermes-cdp: %s\n", oneLine(text))
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
		return nil, usageError{fmt.Errorf("--output: %w", err)}
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
