package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// moduleFlags are those of the commands that call a module with an event.
type moduleFlags struct {
	name, event, config string
}

// register adds the flags; event says what --event is for.
func (m *moduleFlags) register(flags *pflag.FlagSet, event string) {
	flags.StringVar(&m.event, "event", "", event)
	flags.StringVar(&m.config, "config-json", "", "the module's configuration as a JSON `OBJECT`")
	flags.StringVar(&m.name, "name", "", "`NAME` of the plugin in the configuration")
}

// read reads the module in a file or a folder, with what it is configured with, and the event, nil for none.
func (m *moduleFlags) read(a *app, cmd *cobra.Command, at string) (wasm []byte, options module.Options, event []byte, err error) {
	settings, err := candidate.ParseSettings(m.config)
	if err != nil {
		return nil, options, nil, usageError{fmt.Errorf("--config-json: %w", err)}
	}
	if event, err = readEvent(cmd.InOrStdin(), m.event); err != nil {
		return nil, options, nil, err
	}
	path, err := candidate.Locate(at)
	if err != nil {
		return nil, options, nil, err
	}
	cfg, _, err := a.load()
	if err != nil {
		return nil, options, nil, err
	}
	wasm, options, err = candidate.Read(path, m.name, settings, cfg)
	return wasm, options, event, err
}

// largestEvent bounds the file only against reading something that is no event at all.
const largestEvent = 64 << 20

// readEvent reads a file, or standard input; nil without either.
func readEvent(stdin io.Reader, file string) ([]byte, error) {
	var source io.Reader
	switch file {
	case "":
		return nil, nil
	case "-":
		source = stdin
	default:
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		source = f
	}
	text, err := io.ReadAll(io.LimitReader(source, largestEvent+1))
	if err == nil && len(text) > largestEvent {
		err = fmt.Errorf("--event: more than %d bytes", largestEvent)
	}
	if err == nil && len(text) == 0 {
		err = usageError{errors.New("--event: it is empty; want a JSON object, {} for an event with nothing in it")}
	}
	return text, err
}
