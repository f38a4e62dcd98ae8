package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

// Hook is what a new plugin decides on, by the word of the command line.
type Hook string

// The hooks that there are templates for.
const (
	HookDialog   Hook = "dialog"
	HookFrames   Hook = "frames"
	HookBridge   Hook = "bridge"
	HookNavigate Hook = "navigate"
	HookTool     Hook = "tool"
)

// Hooks lists every hook with a template.
func Hooks() []Hook { return []Hook{HookDialog, HookFrames, HookBridge, HookNavigate, HookTool} }

// Language is what a new plugin is written in.
type Language string

// The languages that there are templates in. The sources of the first two are the same; any of the two compilers builds
// them.
const (
	LanguageTinyGo         Language = "tinygo"
	LanguageGo             Language = "go"
	LanguageAssemblyScript Language = "assemblyscript"
	LanguageC              Language = "c"
)

// Languages lists every language.
func Languages() []Language {
	return []Language{LanguageTinyGo, LanguageGo, LanguageAssemblyScript, LanguageC}
}

// templates is the directory of a language's templates.
func (l Language) templates() string {
	if l == LanguageTinyGo {
		return string(LanguageGo)
	}
	return string(l)
}

// example is the directory of the example that a language begins with; empty for Go, which has templates.
func (l Language) example() string {
	switch l {
	case LanguageC:
		return "plugins/examples/c-policy"
	case LanguageAssemblyScript:
		return "plugins/examples/assemblyscript-policy"
	default:
		return ""
	}
}

// hooks lists what a language has a beginning for.
func (l Language) hooks() []Hook {
	if l.example() != "" {
		return []Hook{HookDialog}
	}
	return Hooks()
}

// Options say what to write.
type Options struct {
	Name     string   // of the plugin; lower-case words joined by -
	Hook     Hook     // empty: dialog
	Language Language // empty: tinygo
	Dir      string   // the directory to make; empty: one of the plugin's name, in the working directory
}

// withDefaults fills in what is empty.
func (o Options) withDefaults() Options {
	if o.Hook == "" {
		o.Hook = HookDialog
	}
	if o.Language == "" {
		o.Language = LanguageTinyGo
	}
	if o.Dir == "" {
		o.Dir = o.Name
	}
	return o
}

// OptionError says which option cannot be used.
type OptionError struct{ Option, Value, Want string }

// Error names the option, its value and what is allowed.
func (e *OptionError) Error() string {
	return fmt.Sprintf("%s %q is not possible; want %s", e.Option, e.Value, e.Want)
}

// check returns an [*OptionError], or nil.
func (o Options) check() error {
	m := abi.Manifest{Name: o.Name, Version: "0.1.0", Hooks: []string{string(abi.HookDialog)}}
	switch {
	case manifest.Validate(&m) != nil:
		return &OptionError{"NAME", o.Name, "lower-case words joined by -, like my-policy"}
	case o.Name == sdkDir:
		return &OptionError{"NAME", o.Name, "another one: the directory of the SDK in the new one has it"}
	case !slices.Contains(Hooks(), o.Hook):
		return &OptionError{"--hook", string(o.Hook), "one of " + join(Hooks())}
	case !slices.Contains(Languages(), o.Language):
		return &OptionError{"--lang", string(o.Language), "one of " + join(Languages())}
	case !slices.Contains(o.Language.hooks(), o.Hook):
		return &OptionError{"--hook", string(o.Hook), fmt.Sprintf("%s with --lang %s, or --lang %s or %s",
			join(o.Language.hooks()), o.Language, LanguageTinyGo, LanguageGo)}
	}
	return nil
}

func join[S ~string](words []S) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}
