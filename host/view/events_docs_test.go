package view

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const eventsIntro = `# Events

<!-- Made from the constants and comments in host/view/events.go; go test ./host/view -run TestTheDocument -update -->

What happens to a task, as it happens: ` + "`hermes-cdp events --follow`, `GET /v1/events`, `Task.Events`" + ` in Go.
Agents get the events of their own tasks at ` + "`GET /v1/agent/events`" + `, where a stream begins with the state and tells what it
has dropped ([agents.md](agents.md#http)). Text from pages in them is untrusted.

| kind | in Go | what happened | has |
|---|---|---|---|
`

// docs/events.md is made from the constants, their comments, and what an event of each kind has.
func TestTheDocumentHasEveryKindOfEvent(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "events.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	has := fieldsByKind()
	var kinds, fields strings.Builder
	documented := map[EventKind]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if of, ok := n.Type.(*ast.Ident); !ok || of.Name != "EventKind" {
				return false
			}
			name := n.Names[0].Name
			word, err := strconv.Unquote(n.Values[0].(*ast.BasicLit).Value)
			says, ok := strings.CutPrefix(comment(n.Doc), name+" says ")
			if err != nil || !ok {
				t.Errorf("the comment of %s is %q: it should begin with what the event says", name, comment(n.Doc))
				return false
			}
			documented[EventKind(word)] = true
			fmt.Fprintf(&kinds, "| `%s` | `%s` | %s | %s |\n", word, name, capital(strings.TrimPrefix(says, "that ")), has[EventKind(word)])
		case *ast.TypeSpec:
			if n.Name.Name != "Event" {
				return false
			}
			for _, f := range n.Type.(*ast.StructType).Fields.List {
				name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
				_, says, found := strings.Cut(comment(f.Doc), " ")
				if !found {
					t.Errorf("%s has no comment", name)
					continue
				}
				fmt.Fprintf(&fields, "| `%s` | %s |\n", name, capital(strings.TrimPrefix(says, "is ")))
			}
			return false
		}
		return true
	})
	for kind := range has {
		if !documented[kind] {
			t.Errorf("%s has no constant", kind)
		}
	}
	const path = "../../docs/events.md"
	got := eventsIntro + kinds.String() + "\n## Fields\n\n| field | what it is |\n|---|---|\n" + fields.String()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != got {
		t.Errorf("%s is out of date (%v); run the test with -update", path, err)
	}
}

// fieldsByKind is what events of the state machine have beside kind, task and time.
func fieldsByKind() map[EventKind]string {
	out := map[EventKind]string{}
	for of, kind := range eventKinds {
		n := supervise.Notify{Kind: of, Fault: "a reason"}
		e := reflect.ValueOf(EventOf(n, UnixTime{}.Time))
		for i := range e.NumField() {
			if e.Field(i).Kind() == reflect.Pointer && !e.Field(i).IsNil() {
				name, _, _ := strings.Cut(e.Type().Field(i).Tag.Get("json"), ",")
				out[kind] = "`" + name + "`"
			}
		}
		if out[kind] == "" {
			out[kind] = "`reason`"
		}
	}
	out[EventPluginChanged] = "`reason`" // of the host itself
	return out
}

func comment(c *ast.CommentGroup) string {
	return strings.ReplaceAll(strings.TrimSpace(c.Text()), "\n", " ")
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
