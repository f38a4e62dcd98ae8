package conformance_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the bytes of cases/events.json from their JSON")

type encoder interface {
	abijson.Message
	Append(dst []byte) []byte
}

func encodeAs[M encoder](text jsontext.Value, m M) ([]byte, error) {
	err := abijson.Unmarshal(text, m)
	return m.Append(nil), err
}

func encode(hook abi.Hook, text jsontext.Value) ([]byte, error) {
	switch hook {
	case abi.HookDialog:
		return encodeAs(text, new(abi.DialogEvent))
	case abi.HookDialogClosed:
		return encodeAs(text, new(abi.DialogClosedEvent))
	case abi.HookFrames:
		return encodeAs(text, new(abi.FramesEvent))
	case abi.HookBridgeScript:
		return encodeAs(text, new(abi.BridgeScriptEvent))
	case abi.HookBridgeRequest:
		return encodeAs(text, new(abi.BridgeRequestEvent))
	case abi.HookBridgeReply:
		return encodeAs(text, new(abi.BridgeReplyEvent))
	case abi.HookNavigate:
		return encodeAs(text, new(abi.NavigateEvent))
	case abi.HookRequest:
		return encodeAs(text, new(abi.RequestEvent))
	case abi.HookToolCall:
		return encodeAs(text, new(abi.ToolCallEvent))
	default:
		return nil, fmt.Errorf("no message for %s", hook)
	}
}

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
		want, err := encode(e.Hook, e.JSON)
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
