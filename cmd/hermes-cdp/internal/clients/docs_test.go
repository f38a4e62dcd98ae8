package clients

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of clients into the documentation")

const (
	docsFile  = "../../../../docs/install.md"
	docsBegin = "-update -->\n"
	docsEnd   = "<!-- end of clients -->"
)

func TestTheDocumentationHasEveryClient(t *testing.T) {
	data, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(data), docsBegin)
	_, tail, ends := strings.Cut(rest, docsEnd)
	if !found || !ends {
		t.Fatal("the marks around the table of clients are missing")
	}
	got := head + docsBegin + clientTable() + docsEnd + tail
	if *update {
		if err := os.WriteFile(docsFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(data) {
		t.Errorf("%s is out of date; run the test with -update", docsFile)
	}
}

func clientTable() string {
	var out strings.Builder
	out.WriteString("\n| name | client | Linux | macOS | Windows | of a project |\n|---|---|---|---|---|---|\n")
	for _, c := range All() {
		var cells []string
		for _, system := range []string{"linux", "darwin", "windows"} {
			path := filepath.ToSlash(c.user(Machine{OS: system, Home: "/~", Getenv: func(string) string { return "" }})[0])
			path = strings.Replace(path, "/~/AppData/Roaming", "%APPDATA%", 1)
			if path = "`" + strings.TrimPrefix(path, "/") + "`"; len(cells) > 0 && path == cells[0] {
				path = "the same"
			}
			cells = append(cells, path)
		}
		project := ""
		if c.project != "" {
			project = "`" + c.project + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", c.Name, c.Title, strings.Join(cells, " | "), project)
	}
	return out.String() + "\n"
}
