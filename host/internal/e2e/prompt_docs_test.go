package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Each row of docs/prompts.md names tests that there are, or says that there is none; each kind of prompt has its row.
func TestTheListOfPromptsNamesItsTests(t *testing.T) {
	text, err := os.ReadFile("../../../docs/prompts.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := shared.DeclaredTests(t, "../..")
	for kind := range promptKinds {
		declared["TestPromptOf/"+kind] = true
	}
	rows, untested, named := 0, 0, regexp.MustCompile("`(Test[\\w/]+)`")
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if len(cells) != 4 || last == "test" || strings.Trim(last, "-") == "" {
			continue
		}
		rows++
		tests := named.FindAllStringSubmatch(last, -1)
		if last == "(none)" && strings.Contains(line, "not tried") {
			untested++
		} else if len(tests) == 0 {
			t.Errorf("this row names no test: %s", line)
		}
		for _, test := range tests {
			if !declared[test[1]] {
				t.Errorf("there is no test %s", test[1])
			}
			if strings.Contains(test[1], "/") {
				delete(declared, test[1])
			}
		}
	}
	if rows < 40 || untested > 1 {
		t.Errorf("%d rows, %d of which have no test", rows, untested)
	}
	for kind := range promptKinds {
		if declared["TestPromptOf/"+kind] {
			t.Errorf("%s has no row", kind)
		}
	}
}
