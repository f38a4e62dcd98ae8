package scaffold

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
)

// Hook is what a new plugin decides on, by the word of the command line.
type Hook string

// The hooks that there are templates for.
const (
	HookDialog   Hook = "dialog"
	HookFrames   Hook = "frames"
	HookBridge   Hook = "bridge"
	HookNavigate Hook = "navigate"
	HookRequest  Hook = "request"
	HookTool     Hook = "tool"

	HookDialogClosed Hook = "dialog-closed"

	HookBeforeTool Hook = "before-tool"
	HookAfterTool  Hook = "after-tool"
	HookConsole    Hook = "console"
	HookSnapshot   Hook = "snapshot"
	HookDownload   Hook = "download"
	HookUpload     Hook = "upload"
)

// Hooks lists every hook with a template.
func Hooks() []Hook {
	return []Hook{
		HookDialog, HookDialogClosed, HookFrames, HookBridge, HookNavigate, HookRequest, HookTool, HookBeforeTool, HookAfterTool, HookConsole, HookSnapshot,
		HookDownload, HookUpload,
	}
}

// templatesOf is the directory of a language's templates. The sources for TinyGo and Go are the same.
func templatesOf(l builder.Language) string {
	if l == builder.TinyGo {
		return string(builder.Go)
	}
	return string(l)
}

// Options say what to write.
type Options struct {
	Name     string           // of the plugin; lower-case words joined by -
	Hook     Hook             // empty: dialog
	Language builder.Language // empty: tinygo
	Dir      string           // the directory to make; empty: one of the plugin's name, in the working directory
}

// withDefaults fills in what is empty.
func (o Options) withDefaults() Options {
	o.Hook, o.Language, o.Dir = cmp.Or(o.Hook, HookDialog), cmp.Or(o.Language, builder.TinyGo), cmp.Or(o.Dir, o.Name)
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
		return &OptionError{"--hook", string(o.Hook), "one of " + builder.Words(Hooks())}
	case !slices.Contains(builder.Languages(), o.Language):
		return &OptionError{"--lang", string(o.Language), "one of " + builder.Words(builder.Languages())}
	}
	return nil
}
