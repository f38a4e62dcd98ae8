//go:build unix

package daemon

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
)

const observabilityFile = "../../../../docs/observability.md"

// The tables of docs/observability.md are made from what the code has.
func TestTheDocumentationHasWhatIsObserved(t *testing.T) {
	content, err := os.ReadFile(observabilityFile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for name, table := range map[string]string{"actions": actionTable(), "metrics": metricTable()} {
		begin, end := "<!-- "+name+": go test ./cmd/hermes-cdp/internal/daemon -run TestTheDocumentation -update -->\n", "<!-- end of "+name+" -->"
		head, rest, found := strings.Cut(text, begin)
		_, tail, ends := strings.Cut(rest, end)
		if !found || !ends {
			t.Fatalf("the marks around the table of %s are missing", name)
		}
		text = head + begin + "\n" + table + "\n" + end + tail
	}
	if *update {
		if err := os.WriteFile(observabilityFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(content) {
		t.Errorf("%s is out of date; run the test with -update", observabilityFile)
	}
}

func actionTable() string {
	out := strings.Builder{}
	out.WriteString("| action | what was done |\n|---|---|\n")
	for _, a := range audit.Actions {
		fmt.Fprintf(&out, "| `%s` | %s |\n", a.Name, a.Is)
	}
	return out.String()
}

func metricTable() string {
	out := strings.Builder{}
	out.WriteString("| metric | labels | what it says |\n|---|---|---|\n")
	for _, m := range metrics.All() {
		labels := ""
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", m.Name, labels, m.Help)
	}
	return out.String()
}
