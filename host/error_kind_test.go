package host

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// errorKinds has all errors of this package and their kinds.
var errorKinds = map[string]struct {
	err  error
	kind string
}{
	"ErrAborted": {ErrAborted, KindAborted}, "ErrAmbiguousDialog": {ErrAmbiguousDialog, KindDialog},
	"ErrAnswerRefused": {ErrAnswerRefused, KindDialog}, "ErrAnswerUnconfirmed": {ErrAnswerUnconfirmed, KindDialog},
	"ErrBadArguments": {ErrBadArguments, KindBadCall}, "ErrBadCall": {ErrBadCall, KindBadCall},
	"ErrBlockedByDialog": {ErrBlockedByDialog, KindBlocked}, "ErrBrowserGone": {ErrBrowserGone, KindTransport},
	"ErrCapabilityDenied": {ErrCapabilityDenied, KindPlugin}, "ErrClosed": {ErrClosed, KindAborted},
	"ErrDialogBusy": {ErrDialogBusy, KindDialog}, "ErrDialogGone": {ErrDialogGone, KindDialog},
	"ErrDialogType": {ErrDialogType, KindBadCall}, "ErrDisconnected": {ErrDisconnected, KindTransport},
	"ErrDownload": {ErrDownload, KindDownload}, "ErrEvaluate": {ErrEvaluate, KindException},
	"ErrEvaluateDisabled": {ErrEvaluateDisabled, KindRefused}, "ErrFrameGone": {ErrFrameGone, KindSessionLost},
	"ErrHidden": {ErrHidden, KindNotActionable}, "ErrNavigate": {ErrNavigate, KindNavigation},
	"ErrNavigationDenied": {ErrNavigationDenied, KindDenied}, "ErrNoBrowser": {ErrNoBrowser, KindNoBrowser},
	"ErrNoCandidate": {ErrNoCandidate, KindPlugin}, "ErrNoDialog": {ErrNoDialog, KindDialog},
	"ErrNoRecording": {ErrNoRecording, KindNoRecording}, "ErrAmbiguousElement": {ErrAmbiguousElement, KindNoElement}, "ErrNoElement": {ErrNoElement, KindNoElement}, "ErrNoGeneration": {ErrNoGeneration, KindPlugin},
	"ErrNotActionable": {ErrNotActionable, KindNotActionable}, "ErrNotSerialisable": {ErrNotSerialisable, KindNotSerialisable},
	"ErrDelivered": {ErrDelivered, KindDelivered}, "ErrDialogPolicy": {ErrDialogPolicy, KindBadCall}, "ErrUnknownHook": {ErrUnknownHook, KindPlugin},
	"ErrNotDelivered": {ErrNotDelivered, KindNotDelivered},
	"ErrKnownPlugin":  {ErrKnownPlugin, KindPlugin}, "ErrPageScript": {ErrPageScript, KindPlugin}, "ErrPluginFault": {ErrPluginFault, KindPlugin},
	"ErrProtocol": {ErrProtocol, KindProtocol}, "ErrRefused": {ErrRefused, KindRefused},
	"ErrRendererBusy": {ErrRendererBusy, KindRendererBusy}, "ErrStaleRef": {ErrStaleRef, KindStaleRef},
	"ErrTargetCrashed": {ErrTargetCrashed, KindSessionLost}, "ErrTargetGone": {ErrTargetGone, KindSessionLost},
	"ErrTask": {ErrTask, KindTask}, "ErrTimeout": {ErrTimeout, KindTimeout}, "ErrTooLarge": {ErrTooLarge, KindTransport},
	"ErrRestartLoop": {ErrRestartLoop, KindRestartLoop}, "ErrToolFailed": {ErrToolFailed, KindPlugin}, "ErrUnknownCall": {ErrUnknownCall, KindUnknownCall},
	"ErrUnknownDialog": {ErrUnknownDialog, KindDialog}, "ErrUnknownFrame": {ErrUnknownFrame, KindUnknownFrame},
	"ErrUnknownPlugin": {ErrUnknownPlugin, KindPlugin}, "ErrUnknownRef": {ErrUnknownRef, KindUnknownRef},
	"ErrUnknownTarget": {ErrUnknownTarget, KindUnknownTab}, "ErrUnknownTool": {ErrUnknownTool, KindPlugin},
}

// errorTypes has one error of each error type of this package and its kind.
var errorTypes = map[string]struct {
	err  error
	kind string
}{
	"BlockedError":          {&BlockedError{}, KindBlocked},
	"DialogError":           {&DialogError{Code: ErrUnknownDialog}, KindDialog},
	"EvaluateError":         {&EvaluateError{}, KindException},
	"NavigationDeniedError": {&NavigationDeniedError{}, KindDenied},
	"NotSerialisableError":  {&NotSerialisableError{}, KindNotSerialisable},
	"PluginToolError":       {&PluginToolError{Code: ErrToolFailed}, KindPlugin},
	"ProtocolError":         {&ProtocolError{}, KindProtocol},
	"RefusedError":          {&RefusedError{Code: ErrEvaluateDisabled}, KindRefused},
	"RendererBusyError":     {&RendererBusyError{Cause: context.DeadlineExceeded}, KindRendererBusy},
	"StaleRefError":         {&StaleRefError{}, KindStaleRef},
	"StoppedError":          {fault.Stopped(errors.New("a cause"), context.Canceled), KindAborted},
	"WaitError":             {&WaitError{}, KindTimeout},
	"NotActionableError":    {&NotActionableError{}, KindNotActionable},
	"DeliveredError":        {&DeliveredError{}, KindDelivered},
	"NotDeliveredError":     {&NotDeliveredError{}, KindNotDelivered},
	"OptionError":           {&OptionError{}, KindNotActionable},
}

func TestEveryErrorOfThePackageHasAKind(t *testing.T) {
	vars, types := declared(t)
	for _, name := range vars {
		if _, ok := errorKinds[name]; !ok {
			t.Errorf("%s stands in no list; give it a kind", name)
		}
	}
	for _, name := range types {
		if _, ok := errorTypes[name]; !ok {
			t.Errorf("%s stands in no list; give it a kind", name)
		}
	}
	for name, c := range errorKinds {
		for _, err := range []error{c.err, fmt.Errorf("Domain.command: %w", c.err)} {
			if got := ErrorKind(err); got != c.kind {
				t.Errorf("%s is a %s, want %s", name, got, c.kind)
			}
		}
		if c.kind == KindProtocol && name != "ErrProtocol" {
			t.Errorf("%s has the kind of what has none", name)
		}
	}
	for name, c := range errorTypes {
		if got := ErrorKind(c.err); got != c.kind {
			t.Errorf("%s is a %s, want %s", name, got, c.kind)
		}
	}
}

// declared lists the errors and error types that this package exports.
func declared(t *testing.T) (vars, types []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return false
			case *ast.ValueSpec:
				for _, name := range n.Names {
					if strings.HasPrefix(name.Name, "Err") && name.IsExported() && len(n.Values) > 0 {
						vars = append(vars, name.Name)
					}
				}
			case *ast.TypeSpec:
				if strings.HasSuffix(n.Name.Name, "Error") && n.Name.IsExported() {
					types = append(types, n.Name.Name)
				}
			}
			return true
		})
	}
	slices.Sort(vars)
	if len(vars) < 40 || len(types) < 10 {
		t.Fatalf("found only %v and %v", vars, types)
	}
	return vars, types
}
