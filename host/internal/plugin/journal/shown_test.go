package journal

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// What the host shows of a call is what a reader of its file sees.
func TestACallIsShownAsItsFileHasIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawEntry(rt, 1)
		if rapid.Bool().Draw(rt, "secret") {
			e.Hook = abi.HookDialog
			e.Event = (&abi.DialogEvent{Header: abi.Header{TaskConfig: abi.Struct{{Key: "password", Value: abi.StringValue("hunter22")}}}}).Append(nil)
			e.Outcome, e.Verdict = OutcomeDecided, (&abi.DialogVerdict{HasText: true, Text: "hunter22"}).Append(nil)
		}
		shown := NewMasker().Show(e)
		got, _ := readAll(t, journalOf(t, WriterOptions{}, e))
		if len(got) != 1 {
			rt.Fatal("it was not written")
		}
		read := ShowMasked(got[0])
		a, errA := json.Marshal(shown)
		b, errB := json.Marshal(read)
		if errA != nil || errB != nil || string(a) != string(b) {
			rt.Fatalf("shown as\n%s (%v)\nand in the file as\n%s (%v)", a, errA, b, errB)
		}
		if strings.Contains(string(a), "hunter22") {
			rt.Fatalf("it shows the secret: %s", a)
		}
		var back Shown
		if err := json.Unmarshal(a, &back); err != nil {
			rt.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || !reflect.DeepEqual(again, a) {
			rt.Fatalf("%v: %s", err, again)
		}
	})
}

func TestAMaskerLearnsTheTokensOfTheBridge(t *testing.T) {
	m := NewMasker()
	m.Learn(Entry{Task: "t", Hook: abi.HookBridgeScript, Event: (&abi.BridgeScriptEvent{PauseToken: pauseToken}).Append(nil)})
	shown := m.Show(Entry{Task: "t", Hook: abi.HookDialog, Event: (&abi.DialogEvent{Message: pauseToken}).Append(nil)})
	if strings.Contains(string(shown.Event), pauseToken) || !shown.Masked {
		t.Errorf("it shows %+v", shown)
	}
}
