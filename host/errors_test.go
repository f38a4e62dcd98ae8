package host

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// detailCodes has an error of each error type of this package, and its code.
var detailCodes = map[string]struct {
	err  error
	code Code
}{
	"BadRuleError":          {&BadRuleError{}, ErrBadArguments},
	"BlockedError":          {&BlockedError{}, ErrBlockedByDialog},
	"DeliveredError":        {&DeliveredError{}, ErrDelivered},
	"DialogError":           {&DialogError{Code: ErrUnknownDialog}, ErrUnknownDialog},
	"EvaluateError":         {&EvaluateError{}, ErrEvaluate},
	"NavigationDeniedError": {&NavigationDeniedError{}, ErrNavigationDenied},
	"NetworkRefusedError":   {&NetworkRefusedError{}, ErrNetworkRefused},
	"NotActionableError":    {&NotActionableError{}, ErrNotActionable},
	"NotDeliveredError":     {&NotDeliveredError{}, ErrNotDelivered},
	"NotSerialisableError":  {&NotSerialisableError{}, ErrNotSerialisable},
	"OptionError":           {&OptionError{}, ErrNotActionable},
	"FileDeniedError":       {&FileDeniedError{}, ErrFileDenied},
	"ToolDeniedError":       {&ToolDeniedError{}, ErrToolDenied},
	"PluginToolError":       {&PluginToolError{Code: ErrToolFailed, Cause: ErrEvaluate}, ErrToolFailed},
	"ProfileBusyError":      {&ProfileBusyError{}, ErrProfileBusy},
	"ProtocolError":         {&ProtocolError{}, ErrProtocol},
	"RefusedError":          {&RefusedError{Code: ErrEvaluateDisabled}, ErrEvaluateDisabled},
	"LoadingError":          {&LoadingError{URL: "http://localhost/x", For: 5 * time.Second}, ErrLoading},
	"RendererBusyError":     {&RendererBusyError{Cause: context.DeadlineExceeded}, ErrRendererBusy},
	"StaleRefError":         {&StaleRefError{}, ErrStaleRef},
	"StoppedError":          {fault.Stopped(errors.New("a cause"), context.Canceled), ErrAborted},
	"WaitError":             {&WaitError{}, ErrTimeout},
	"module.LoadError":      {&module.LoadError{Err: context.DeadlineExceeded}, ErrPluginRefused},
}

func TestEveryErrorTypeHasACode(t *testing.T) {
	for name, c := range detailCodes {
		if got := CodeOf(c.err); got != c.code {
			t.Errorf("%s is %q, want %q", name, got, c.code)
		}
	}
	// The first has the code of any, and the second is given to the host, which returns it to nobody.
	without := []string{"Error", "PluginFunctionError"}
	eachDeclaration(t, func(n ast.Node) {
		if s, is := n.(*ast.TypeSpec); is && s.Name.IsExported() && strings.HasSuffix(s.Name.Name, "Error") && !slices.Contains(without, s.Name.Name) {
			if _, known := detailCodes[s.Name.Name]; !known {
				t.Errorf("%s is in no list; give it a code", s.Name.Name)
			}
		}
	})
}

func TestEveryErrorOfThePackageIsACode(t *testing.T) {
	found := 0
	eachDeclaration(t, func(n ast.Node) {
		s, is := n.(*ast.ValueSpec)
		if !is || !strings.HasPrefix(s.Names[0].Name, "Err") {
			return
		}
		found++
		of, is := s.Values[0].(*ast.SelectorExpr)
		if name := s.Names[0].Name; !is || of.X.(*ast.Ident).Name != "fault" || of.Sel.Name != name {
			t.Errorf("%s is not the code of that name in package fault", name)
		}
	})
	if found < 40 {
		t.Errorf("found only %d", found)
	}
}

// Each exported method of Host, Task and Tab that can fail names its operation after itself.
func TestEveryErrorSaysItsOperation(t *testing.T) {
	found := 0
	eachDeclaration(t, func(n ast.Node) {
		f, is := n.(*ast.FuncDecl)
		if !is || f.Recv == nil || !f.Name.IsExported() || f.Type.Results == nil {
			return
		}
		receiver := f.Recv.List[0].Type
		if pointer, is := receiver.(*ast.StarExpr); is {
			receiver = pointer.X
		}
		last, _ := f.Type.Results.List[len(f.Type.Results.List)-1].Type.(*ast.Ident)
		if last == nil || last.Name != "error" {
			return
		}
		if of, _ := receiver.(*ast.Ident); of == nil || !slices.Contains([]string{"Host", "Task", "Tab"}, of.Name) {
			return
		}
		found++
		want := strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(f.Name.Name, "${1}_$2"))
		named := false
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if c, is := n.(*ast.CallExpr); is && len(c.Args) == 2 {
				operation, is := c.Args[0].(*ast.BasicLit)
				named = named || is && operation.Value == `"`+want+`"`
			}
			return true
		})
		if !named {
			t.Errorf("%s does not pass its error through fault.During(%q, &err)", f.Name.Name, want)
		}
	})
	if found < 20 {
		t.Errorf("found only %d", found)
	}
}

func TestAnErrorOfTheHostHasItsOperation(t *testing.T) {
	h, err := New(t.Context(), &Options{PluginCacheDir: compiled, ConnectTimeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	_, err = h.SwapPlugin(t.Context(), "no-such", PluginChange{})
	var of *Error
	if !errors.As(err, &of) || of.Op != "swap_plugin" || of.Code != ErrUnknownPlugin || !errors.Is(err, ErrUnknownPlugin) {
		t.Errorf("got %#v", err)
	}
	_, err = h.Attach(t.Context(), "t", "127.0.0.1:1", nil)
	if !errors.As(err, &of) || of.Op != "attach" || of.Code != ErrTask {
		t.Errorf("got %#v", err)
	}
}

// eachDeclaration calls see for the declarations of this package and of act, and their parts, without what is in
// functions.
func eachDeclaration(t *testing.T, see func(ast.Node)) {
	t.Helper()
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	tabs, err := filepath.Glob("act/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(own, tabs...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				see(n)
			}
			_, isFunc := n.(*ast.FuncDecl)
			return !isFunc
		})
	}
}
