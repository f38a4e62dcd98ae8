package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func (a *app) browserCommand() *cobra.Command {
	tools := agent.Builtins()
	commands := make([]*cobra.Command, len(tools))
	for i, tool := range tools {
		commands[i] = a.browserToolCommand(tool)
	}
	cmd := group("browser", "Read and work pages with the tools that agents have", commands...)
	cmd.Long = "Read and work pages with the tools that agents have: each tool is a command, and each of its parameters a flag.\n\n" +
		"An ELEMENT is a ref of hermes-cdp browser snapshot (e5), or a CSS selector. The first call starts the task, on the browser\n" +
		"that the daemon began with or the configured one. When a dialog opens meanwhile the exit code is 3: answer it, then\n" +
		"hermes-cdp browser resume CALL_ID gives the result. Ctrl-C ends the call in the page.\n\n" +
		"hermes-cdp tools call calls tools of plugins and of others by their names."
	return cmd
}

// browserToolCommand makes a command of a tool's own schema.
func (a *app) browserToolCommand(tool agent.Tool) *cobra.Command {
	_, cmd := a.newToolLine(tool)
	return cmd
}

func (a *app) newToolLine(tool agent.Tool) (*toolLine, *cobra.Command) {
	parameters, err := parametersOf(tool.Input)
	if err != nil {
		panic(err) // it is of this program, and every test would meet it
	}
	line := &toolLine{tool: tool, slots: slotsOf(tool, parameters)}
	cmd := &cobra.Command{
		Use:   line.use(),
		Short: strings.TrimSuffix(tool.Description, "."),
		Long:  longOf(tool),
		Args:  line.check,
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := line.arguments(a.stdin, args)
			if err != nil {
				return usageError{err}
			}
			return a.callTool(cmd.Context(), line.options, tool.Name, arguments)
		},
	}
	line.flags = cmd.Flags()
	for _, p := range parameters {
		line.given = append(line.given, addParameterFlag(cmd, p))
	}
	line.options.addFlags(cmd, picturing[tool.Name])
	cmd.Flags().StringVarP(&line.file, "file", "f", "", "take the arguments from the JSON object in this `FILE` (- is standard input); flags are stronger")
	a.completeTool(cmd, line)
	return line, cmd
}

func longOf(tool agent.Tool) string {
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
		text += " Paths are taken from the folder in which the command runs."
	}
	return text
}

// addParameterFlag gives a parameter its flag.
func addParameterFlag(cmd *cobra.Command, p parameter) *parameterFlag {
	f := &parameterFlag{parameter: p}
	usage := cmp.Or(p.doc, help[p.name])
	if strings.HasPrefix(p.doc, "CSS") { // which is enough for models
		usage = help[p.name]
	}
	if len(p.allowed) > 0 {
		usage += ": " + strings.Join(p.allowed, ", ")
	} else if bounds := p.bounds(); bounds != "" {
		usage += ", " + bounds
	}
	flag := cmd.Flags().VarPF(f, flagName(p.name), "", usage)
	if p.kind == "boolean" {
		flag.NoOptDefVal = "true"
	}
	if len(p.allowed) > 0 {
		complete(cmd, flag.Name, fixed(p.allowed))
	}
	return f
}

// parameterFlag is the flag of a parameter; it is checked when it is set.
type parameterFlag struct {
	parameter
	texts []string
}

// Set implements [pflag.Value].
func (f *parameterFlag) Set(text string) error {
	texts := []string{text}
	if f.kind == "array" {
		texts = append(f.texts, text)
	}
	if _, err := f.value(texts); err != nil {
		return err
	}
	f.texts = texts
	return nil
}

// String implements [pflag.Value].
func (f *parameterFlag) String() string { return strings.Join(f.texts, " ") }

// Type implements [pflag.Value]: what the usage calls the value.
func (f *parameterFlag) Type() string {
	switch {
	case f.kind == "boolean":
		return "bool"
	case f.kind == "integer" || f.kind == "number":
		return "number"
	case f.kind == "string" || f.kind == "array" && f.items == "string":
		return "text"
	}
	return "json"
}

// missing words what a command line lacks.
func missing(cmd *cobra.Command, s slot) error {
	flags := "--" + flagName(s.name)
	if s.element {
		flags += ", --" + flagName(alternatives[s.name][0])
	}
	return fmt.Errorf("%s needs %s (or %s)", cmd.CommandPath(), s.word(), flags)
}
