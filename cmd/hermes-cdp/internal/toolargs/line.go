package toolargs

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/input"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// maxArguments bounds a file of arguments in bytes; the daemon takes no more.
const maxArguments = 4 << 20

// Line is the command line of a tool of package agent: each parameter is a flag, and those that are needed most are
// arguments.
type Line struct {
	// Parameters are those of the tool.
	Parameters []Parameter

	tool  agent.Tool
	slots []Slot
	flags *pflag.FlagSet
	given []*parameterFlag
	file  string
}

// NewLine is for a tool whose schema is of this program. The error says that it is not understood.
func NewLine(tool agent.Tool) (*Line, error) {
	parameters, err := Parameters(tool.Input)
	return &Line{Parameters: parameters, tool: tool, slots: slotsOf(tool, parameters)}, err
}

// AddFlags adds a flag for each parameter, and that of a file with all of them.
func (l *Line) AddFlags(flags *pflag.FlagSet) {
	l.flags = flags
	for _, p := range l.Parameters {
		l.given = append(l.given, addFlag(flags, p))
	}
	flags.StringVarP(&l.file, "file", "f", "", "take the arguments from the JSON object in this `FILE` (- is standard input); flags are stronger")
}

// Pictures tells whether the tool can give some.
func (l *Line) Pictures() bool { return picturing[l.tool.Name] }

// Use is the line as a usage shows it.
func (l *Line) Use() string {
	words := []string{FlagName(strings.TrimPrefix(l.tool.Name, "browser_"))}
	for _, s := range l.slots {
		words = append(words, s.word())
	}
	return strings.Join(words, " ")
}

// open are the slots that no flag has filled.
func (l *Line) open() []Slot {
	var list []Slot
	for _, s := range l.slots {
		if !l.filled(s) {
			list = append(list, s)
		}
	}
	return list
}

func (l *Line) filled(s Slot) bool {
	if s.file {
		return l.flags.Changed("file")
	}
	for _, name := range append([]string{s.Name}, alternatives[s.Name]...) {
		own := func(other Slot) bool { return other.Name == name && other.Name != s.Name } // as the text of type
		if l.flags.Changed(FlagName(name)) && !slices.ContainsFunc(l.slots, own) {
			return true
		}
	}
	return false
}

// Next is the slot that an argument after those that are given would fill.
func (l *Line) Next(given int) (s Slot, ok bool) {
	open := l.open()
	if given >= len(open) && len(open) > 0 && open[len(open)-1].rest {
		given = len(open) - 1
	}
	if given >= len(open) {
		return Slot{}, false
	}
	return open[given], true
}

// Check is cobra's check of the arguments: flags are read by then.
func (l *Line) Check(cmd *cobra.Command, args []string) error {
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

// Arguments are those of the call: what is in the file, over it the flags, and the arguments in their order.
func (l *Line) Arguments(stdin io.Reader, args []string) (json.RawMessage, error) {
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
		if !l.flags.Changed(FlagName(f.Name)) {
			continue
		}
		if object[f.Name], err = f.value(f.texts); err != nil {
			return nil, fmt.Errorf("--%s: %w", FlagName(f.Name), err)
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
func (l *Line) place(object map[string]any, open []Slot, args []string) error {
	for i, s := range open {
		if i >= len(args) {
			return nil
		}
		name, texts := s.Name, args[i:i+1]
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
func (l *Line) fromFile(stdin io.Reader, file string) (map[string]any, error) {
	if file == "" {
		return map[string]any{}, nil
	}
	text, err := input.Read(stdin, file, maxArguments)
	if err != nil {
		return nil, err
	}
	var value any
	if err := decode(string(text), &value); err != nil {
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

// absolute makes the paths of an upload those of this process: the daemon runs in another directory.
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

// About says what the tool does, and what is worth knowing at a command line.
func (l *Line) About() string {
	tool := l.tool
	text := tool.Description + "\n\nIt is the tool " + tool.Name + "."
	switch tool.Name {
	case "browser_interact":
		text += " FILE has its actions, a JSON array such as\n" +
			`[{"action": "fill", "selector": "#q", "text": "tea"}, {"action": "press", "key": "Enter"}], or an object with all arguments.`
	case "browser_snapshot":
		text += " It reads the page; hermes-cdp snapshot shows what the daemon knows of tabs, frames\nand dialogs without asking a page."
	case "browser_dialog":
		text += " hermes-cdp dialog answers them too, and can list and explain them."
	case "browser_evaluate", "browser_console":
		text += " hermes-cdp eval shows the value alone."
	case "browser_resume":
		text += " It takes the calls of hermes-cdp eval and cdp, too."
	case "browser_type":
		text += " A password is kept out of the list of processes by\n" + `--file -, with {"text": ...} on standard input.`
	case "browser_upload":
		text += " Paths are taken from the directory in which the command runs."
	}
	return text
}

// missing words what a command line lacks.
func missing(cmd *cobra.Command, s Slot) error {
	flags := "--" + FlagName(s.Name)
	if s.element {
		flags += ", --" + FlagName(alternatives[s.Name][0])
	}
	return fmt.Errorf("%s needs %s (or %s)", cmd.CommandPath(), s.word(), flags)
}
