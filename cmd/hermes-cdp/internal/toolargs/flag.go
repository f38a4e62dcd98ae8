package toolargs

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"
)

// addFlag gives a parameter its flag.
func addFlag(flags *pflag.FlagSet, p Parameter) *parameterFlag {
	f := &parameterFlag{Parameter: p}
	usage := cmp.Or(p.Doc, help[p.Name])
	if strings.HasPrefix(p.Doc, "CSS") { // which is enough for models
		usage = help[p.Name]
	}
	if len(p.Allowed) > 0 {
		usage += ": " + strings.Join(p.Allowed, ", ")
	} else if bounds := p.bounds(); bounds != "" {
		usage += ", " + bounds
	}
	flag := flags.VarPF(f, FlagName(p.Name), "", usage)
	if p.Kind == "boolean" {
		flag.NoOptDefVal = "true"
	}
	return f
}

// parameterFlag is the flag of a parameter; it is checked when it is set.
type parameterFlag struct {
	Parameter
	texts []string
}

// Set implements [pflag.Value].
func (f *parameterFlag) Set(text string) error {
	texts := []string{text}
	if f.Kind == "array" {
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
	case f.Kind == "boolean":
		return "bool"
	case f.Kind == "integer" || f.Kind == "number":
		return "number"
	case f.Kind == "string" || f.Kind == "array" && f.items == "string":
		return "text"
	}
	return "json"
}
