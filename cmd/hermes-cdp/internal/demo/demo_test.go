package demo_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/demo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDemoShowsWhatThePageGotForEveryDialog(t *testing.T) {
	var out bytes.Buffer
	if err := demo.Run(context.Background(), demo.Options{Out: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, line := range []string{
		"page got   undefined", "page got   false", `page got   "Grace Hopper ✓"`, `page got   "Ada"`, "page got   true", `page got   "HERMES10"`,
		"[OOPIF, named", "from the out-of-process iframe at", "from the top frame of a popup at", "beforeunload", "by auto_policy", "dialog-policy", "frame-filter",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("the story does not tell %q:\n%s", line, out.String())
		}
	}
}

func TestDemoInJSONIsOneObjectALine(t *testing.T) {
	var out bytes.Buffer
	if err := demo.Run(context.Background(), demo.Options{Out: &out, JSON: true}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	seen := map[string]int{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var line struct {
			What  string
			Value json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		seen[line.What]++
	}
	if seen["step"] != 9 || seen["saw"] != 9 || seen["closed"] != 9 || seen["page got"] != 7 {
		t.Errorf("9 steps with a dialog each, 7 of which report, are told as %v", seen)
	}
}
