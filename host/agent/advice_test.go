package agent

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// saidOfTools is all that the host says of tools to a client.
func saidOfTools(t *testing.T, tools result.Offered) map[string]string {
	t.Helper()
	dialogs := []host.Dialog{{ID: "d-1", Type: host.DialogConfirm}}
	said := map[string]string{
		"a tab that is closed": browsertool.TabInUse{Closed: "t1"}.Text(tools),
		"a restart":            strings.Join(browsertool.RestartInfo{LastURL: "https://example.org/"}.Lines(tools), "\n"),
	}
	for name, err := range map[string]error{
		"a blocked call":         &host.BlockedError{Dialogs: dialogs, CallID: "c-1"},
		"a call that was not":    &host.BlockedError{Dialogs: dialogs},
		"a delivered call":       &host.DeliveredError{CallID: "c-1"},
		"a page that is busy":    &host.RendererBusyError{CallID: "c-1"},
		"a crashed tab":          host.ErrTargetCrashed,
		"a wrapped crash":        fmt.Errorf("click: %w", host.ErrTargetCrashed),
		"a browser that is gone": host.ErrBrowserGone,
	} {
		said[name] = result.Failed(err, "", tools).Text
	}
	for name, value := range map[string]any{
		"a file chooser": browsertool.ClickResult{Clicked: "button", Outcome: browsertool.Outcome{FileChooser: true}},
		"one in a list":  browsertool.InteractResult{Results: []browsertool.ActionResult{{Success: true, Result: browsertool.ClickResult{Outcome: browsertool.Outcome{FileChooser: true}}}}},
		"a stopped call": browsertool.ConsoleResult{Stopped: "c-1"},
	} {
		r, err := result.Succeeded(value, tools)
		if err != nil {
			t.Fatal(err)
		}
		said[name] = r.Text
	}
	return said
}

// A client is told of no tool that it does not have.
func TestAHintNamesOnlyToolsThatTheClientHas(t *testing.T) {
	all := map[string]entry{}
	for name, s := range builtins() {
		all[name] = s.entry
	}
	sets := map[string]result.Offered{"none": {}}
	for set, list := range bundles() {
		sets[set] = result.Offered{}
		for _, name := range list {
			sets[set][name] = struct{}{}
		}
	}
	for name := range all { // each of them disabled
		without := maps.Clone(all)
		delete(without, name)
		sets["all but "+name] = offeredOf(without)
	}
	named := map[string]bool{}
	for set, tools := range sets {
		for what, text := range saidOfTools(t, tools) {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: nothing is said of %s", set, what)
			}
			for _, name := range result.NamedTool.FindAllString(text, -1) {
				named[name] = true
				if _, there := tools[name]; !there {
					t.Errorf("%s: %s: it names %s: %s", set, what, name, text)
				}
			}
		}
	}
	for _, name := range []string{"browser_resume", "browser_dialog", "browser_navigate", "browser_reload", "browser_console", "browser_upload"} {
		if !named[name] {
			t.Errorf("nothing names %s", name)
		}
	}
}

// Every text that names a tool is an argument of advice, so that the test above cannot miss one.
func TestNoTextNamesAToolByItself(t *testing.T) {
	var files []string
	for _, dir := range []string{".", "browsertool", "browsertool/*", "internal/result"} {
		found, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(found) == 0 {
			t.Fatalf("%s has %d files: %v", dir, len(found), err)
		}
		files = append(files, found...)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				switch called := n.Fun.(type) {
				case *ast.SelectorExpr:
					return called.Sel.Name != "Advice"
				case *ast.Ident:
					return called.Name != "define"
				}
			case *ast.BasicLit:
				text := strings.Trim(n.Value, "\"`")
				names := result.NamedTool.FindAllString(text, -1)
				names = slices.DeleteFunc(names, func(name string) bool { _, tool := builtins()[name]; return !tool || name == text })
				if len(names) > 0 {
					t.Errorf("%s names %v outside of advice: %s", set.Position(n.Pos()), names, text)
				}
			}
			return true
		})
	}
}

func TestAdviceIsTheFirstThatCanBeFollowed(t *testing.T) {
	tools := result.Offered{"browser_click": {}}
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"use browser_type", "use browser_click", "wait"}, "use browser_click"},
		{[]string{"browser_click, then browser_type", "wait"}, "wait"},
		{[]string{"browser_type"}, ""},
	} {
		if got := tools.Advice(c.texts...); got != c.want {
			t.Errorf("%q: %q", c.texts, got)
		}
	}
	if got := result.OfferedIn(context.Background()).Advice("browser_type"); got != "browser_type" {
		t.Errorf("without a client: %q", got)
	}
}
