package conformance_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the bytes of cases/events.json from their JSON")

// The bytes are for other languages, the JSON is for people: they must say the same.
func TestTheBytesOfEventsAreTheirJSON(t *testing.T) {
	path := filepath.Join("cases", "events.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var events []conformance.BaseEvent
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatal(err)
	}
	seen := make(map[abi.Hook]int)
	lines := make([]string, len(events))
	for n, e := range events {
		want, err := abijson.ParseEvent(e.Hook, e.JSON)
		if err != nil {
			t.Fatalf("%s: %v", e.Hook, err)
		}
		seen[e.Hook]++
		if !*update && !bytes.Equal(e.Bytes, want) {
			t.Errorf("%s, %s: bytes are %x, the JSON is %x; run with -update", e.Hook, e.Name, e.Bytes, want)
		}
		e.Bytes = want
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		lines[n] = "  " + string(line)
	}
	for _, hook := range abi.Hooks() {
		if seen[hook] != 2 {
			t.Errorf("%s has %d events, want 2", hook, seen[hook])
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
