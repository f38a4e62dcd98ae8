//go:build unix

package daemon

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

var update = flag.Bool("update", false, "write the table of docs/security.md")

const (
	docsFile  = "../../../../docs/security.md"
	docsBegin = "-update -->\n"
	docsEnd   = "<!-- end of routes -->"
)

// The table of roles in docs/security.md is made from the table of routes, which is what the daemon serves.
func TestTheDocumentationHasTheRoleOfEveryRoute(t *testing.T) {
	text, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), docsBegin)
	_, tail, ends := strings.Cut(rest, docsEnd)
	if !found || !ends {
		t.Fatal("the marks around the table of routes are missing")
	}
	got := head + docsBegin + roleTable() + docsEnd + tail
	if *update {
		if err := os.WriteFile(docsFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(text) {
		t.Errorf("%s is out of date; run the test with -update", docsFile)
	}
}

// What docs/security.md says is what tests say: those that it names are there.
func TestTheDocumentationNamesTestsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, name := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(text), -1) {
		missing[name[1]] = true
	}
	if len(missing) == 0 {
		t.Fatal("it names none")
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir("../../../..", func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && (entry.Name() == ".cache" || entry.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, name := range declared.FindAllSubmatch(source, -1) {
			delete(missing, string(name[1]))
		}
		return err
	})
	if err != nil || len(missing) > 0 {
		t.Errorf("these tests are not there: %v; %v", slices.Sorted(maps.Keys(missing)), err)
	}
}

// refusals are what an agent is answered about a task that is not its own.
var refusals = map[access.Binding]string{
	access.ByTask: "403", access.ByRecording: "404", access.BySession: "403; of a session 404", "": "403",
}

func roleTable() string {
	var out strings.Builder
	out.WriteString("\n| request | what it does | operator | agent, its tasks | agent, other tasks | nobody |\n|---|---|---|---|---|---|\n")
	for _, r := range table() {
		own := "403"
		if r.Role == access.Agent {
			own = "yes"
		}
		fmt.Fprintf(&out, "| `%s` | %s | yes | %s | %s | 401 |\n", r.Pattern, r.Does, own, refusals[r.Binding])
	}
	return out.String() + "\n"
}
