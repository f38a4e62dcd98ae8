package plugincmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

type generatedJSON struct {
	File     string           `json:"file"`
	Language builder.Language `json:"lang"`
	Bytes    int              `json:"bytes"`
}

func (a app) generateCommand() *cobra.Command {
	var language, out string
	cmd := &cobra.Command{
		Use:   "generate --lang LANGUAGE",
		Short: "Write what a plugin in a language other than Go needs of the ABI: the host's functions and the messages of all hooks",
		Long: "Write what a plugin in a language other than Go needs of the ABI, generated out of hermes.proto: the host's functions, a reader\n" +
			"of configurations, and the messages of all hooks. plugin new writes the same file. Go has the SDK instead.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := bindings.Generate(cmd.Context(), builder.Language(language))
			if err != nil {
				return cli.UsageError{Err: err}
			}
			if out == "" {
				out = bindings.File(builder.Language(language))
			}
			if out == "-" {
				_, err := a.Stdout.Write(text)
				return err
			}
			if err := wholefile.Write(out, text, 0o644); err != nil {
				return err
			}
			return a.Write(generatedJSON{out, builder.Language(language), len(text)}, fmt.Sprintf("%s: %d bytes for %s", out, len(text), language))
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "`LANGUAGE`: "+builder.Words(bindings.Languages()))
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `OUT`, with - to standard output (default: hermes.EXTENSION, here)")
	cli.Require(cmd, "lang")
	return cmd
}
