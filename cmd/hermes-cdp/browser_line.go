package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// maxArguments bounds a file of arguments in bytes; the daemon takes no more.
const maxArguments = 4 << 20

// toolLine is the command line of a tool of package agent.
type toolLine struct {
	tool    agent.Tool
	slots   []slot
	flags   *pflag.FlagSet
	given   []*parameterFlag
	file    string
	options callOptions
}

func (l *toolLine) use() string {
	words := []string{flagName(strings.TrimPrefix(l.tool.Name, "browser_"))}
	for _, s := range l.slots {
		words = append(words, s.word())
	}
	return strings.Join(words, " ")
}

// open are the slots that no flag has filled.
func (l *toolLine) open() []slot {
	var list []slot
	for _, s := range l.slots {
		if !l.filled(s) {
			list = append(list, s)
		}
	}
	return list
}

func (l *toolLine) filled(s slot) bool {
	if s.file {
		return l.flags.Changed("file")
	}
	for _, name := range append([]string{s.name}, alternatives[s.name]...) {
		if l.flags.Changed(flagName(name)) {
			return true
		}
	}
	return false
}

// check is cobra's check of the arguments: flags are read by then.
func (l *toolLine) check(cmd *cobra.Command, args []string) error {
	open := l.open()
	for i, s := range open {
		if i >= len(args) && !s.optional && !l.flags.Changed("file") {
			return missing(cmd, s)
		}
	}
	if len(args) > len(open) && (len(open) == 0 || !open[len(open)-1].rest) {
		return fmt.Errorf("%q is one argument too many: %s", args[len(open)], cmd.UseLine())
	}
	return nil
}

// arguments are those of the call: what is in the file, over it the flags, and the arguments in their order.
func (l *toolLine) arguments(stdin io.Reader, args []string) (json.RawMessage, error) {
	open := l.open()
	file := l.file
	if len(open) > 0 && open[0].file && len(args) > 0 {
		file, args, open = args[0], args[1:], open[1:]
	}
	object, err := l.fromFile(stdin, file)
	if err != nil {
		return nil, err
	}
	for _, f := range l.given {
		if !l.flags.Changed(flagName(f.name)) {
			continue
		}
		if object[f.name], err = f.value(f.texts); err != nil {
			return nil, fmt.Errorf("--%s: %w", flagName(f.name), err)
		}
	}
	if err := l.place(object, open, args); err != nil {
		return nil, err
	}
	if err := absolute(l.tool, object); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// place puts the arguments into the open slots.
func (l *toolLine) place(object map[string]any, open []slot, args []string) error {
	for i, s := range open {
		if i >= len(args) {
			return nil
		}
		name, texts := s.name, args[i:i+1]
		if s.rest {
			texts = args[i:]
		}
		switch {
		case s.element && !refPattern.MatchString(args[i]):
			name = alternatives[name][0]
		case l.tool.Name == "browser_tabs" && name == "tab" && object["action"] == "open":
			name = "url"
		}
		value, err := s.value(texts)
		if err != nil {
			return fmt.Errorf("the %s is %q: %w", strings.ReplaceAll(name, "_", " "), args[i], err)
		}
		object[name] = value
	}
	return nil
}

// fromFile reads the file of arguments. An array is that of the parameter actions.
func (l *toolLine) fromFile(stdin io.Reader, file string) (map[string]any, error) {
	if file == "" {
		return map[string]any{}, nil
	}
	text, err := readArguments(stdin, file)
	if err != nil {
		return nil, err
	}
	var value any
	if err := decode(text, &value); err != nil {
		return nil, fmt.Errorf("%s is no JSON: %w", file, err)
	}
	switch value := value.(type) {
	case map[string]any:
		return value, nil
	case []any:
		if l.tool.Name == "browser_interact" {
			return map[string]any{"actions": value}, nil
		}
	}
	return nil, fmt.Errorf("%s is no JSON object with the arguments of %s", file, l.tool.Name)
}

// readArguments reads a file, or standard input where its name is -.
func readArguments(stdin io.Reader, file string) (string, error) {
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer opened.Close()
		stdin = opened
	}
	if stdin == nil {
		return "", errors.New("there is no standard input")
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxArguments+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if len(text) > maxArguments {
		return "", fmt.Errorf("%s has more than %d bytes", file, maxArguments)
	}
	return string(text), nil
}

// absolute makes the paths of an upload those of this process: the daemon runs in another folder.
func absolute(tool agent.Tool, object map[string]any) error {
	paths, _ := object["paths"].([]any)
	if tool.Name != "browser_upload" {
		return nil
	}
	for i, path := range paths {
		text, ok := path.(string)
		if !ok {
			continue // the tool says what it wants
		}
		full, err := filepath.Abs(text)
		if err != nil {
			return err
		}
		paths[i] = full
	}
	return nil
}
