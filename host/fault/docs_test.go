package fault

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/errors.md")

const docsIntro = `# Errors

<!-- Made from the constants and the table in host/fault; go test ./host/fault -update -->

Every error has a code: one word that is the same everywhere.

| where | what it looks like |
|---|---|
| Go | ` + "`errors.Is(err, host.ErrBlockedByDialog)`, `host.CodeOf(err)`; methods return a `*host.Error` with `Code`, `Op` and `Err`, and `errors.As` finds details such as `*host.BlockedError`" + ` |
| results of tools, over MCP and HTTP | ` + "`code`, and `kind`: `cdp_transport` or `session_lost` for the cases of these, otherwise the code" + ` |
| other errors over HTTP, and ` + "`--json` on standard error" + ` | ` + "`{\"error\": {\"code\", \"message\"}}`, with `op` if an operation of the host failed" + ` |
| counters of ` + "`hermes-cdp status`" + ` | the code |
| the shell | the exit code |

A code that is a case of another one also matches that with ` + "`errors.Is`" + `. Plugins and embedders may return codes of their own.
`

// docs/errors.md is made from the constants, their comments and the table; each constant is in the table once.
func TestTheDocumentHasEveryCode(t *testing.T) {
	var out strings.Builder
	out.WriteString(docsIntro)
	seen := map[Code]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		block := d.(*ast.GenDecl)
		title, says, _ := strings.Cut(strings.TrimSuffix(line(block.Doc), "."), ": ")
		fmt.Fprintf(&out, "\n## %s\n\n", title)
		if says != "" {
			fmt.Fprintf(&out, "%s.\n\n", sentence(says))
		}
		out.WriteString("| code | cause | what to do | HTTP | exit |\n|---|---|---|---|---|\n")
		for _, s := range block.Specs {
			constant := s.(*ast.ValueSpec)
			word, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			name, code := constant.Names[0].Name, Code(word)
			r, known := table[code]
			cause, says := strings.CutPrefix(line(constant.Doc), name+" says that ")
			if !known || seen[code] || !says || r.text == "" || r.cure == "" || r.status < 400 || r.exit < 1 {
				t.Errorf("%s: its row is %+v, and its comment %q", name, r, cause)
			}
			seen[code] = true
			cause = sentence(cause)
			if r.is != "" {
				cause += fmt.Sprintf(" A case of `%s`.", string(r.is))
			}
			fmt.Fprintf(&out, "| `%s`<br>`%s` | %s | %s | %d | %d |\n", word, name, cause, r.cure, r.status, r.exit)
		}
	}
	for code := range table {
		if !seen[code] {
			t.Errorf("%q has no constant", string(code))
		}
	}
	const path = "../../docs/errors.md"
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != out.String() {
		t.Errorf("%s is out of date (%v); run the test with -update", path, err)
	}
}

var link = regexp.MustCompile(`\[(\w+)\]`)

// line is a comment on one line, with links as code.
func line(comment *ast.CommentGroup) string {
	return link.ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(comment.Text()), "\n", " "), "`$1`")
}

// sentence begins with a capital letter.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:]
}
