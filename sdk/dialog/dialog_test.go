//go:build !(tinygo.wasm || wasip1)

package dialog_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func call(t *testing.T, handler func(dialog.Event) dialog.Verdict, event []byte) sdktest.Result {
	t.Helper()
	dialog.Handle(nil)
	dialog.Handle(handler)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookDialog, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEachVerdictReachesTheHost(t *testing.T) {
	cases := []struct {
		name    string
		verdict dialog.Verdict
		want    abi.DialogVerdict
	}{
		{"hold", dialog.Hold(1500 * time.Millisecond), abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: 1500}},
		{"hold for the host's own time", dialog.Hold(0), abi.DialogVerdict{Action: abi.DialogActionHold}},
		{"accept", dialog.Accept(), abi.DialogVerdict{Action: abi.DialogActionAccept}},
		{"accept with an empty text", dialog.AcceptText(""), abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true}},
		{"accept, whatever an agent armed", dialog.Accept().Final().Because("r"), abi.DialogVerdict{Action: abi.DialogActionAccept, Final: true, Rule: "r"}},
		{"dismiss", dialog.Dismiss().Because("r"), abi.DialogVerdict{Action: abi.DialogActionDismiss, Rule: "r"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, func(dialog.Event) dialog.Verdict { return c.verdict }, nil)
			var verdict abi.DialogVerdict
			if err := verdict.Unmarshal(got.Verdict); err != nil || got.Status != abi.StatusDecided || verdict != c.want {
				t.Errorf("got %+v %s (%v)", verdict, got.Status, err)
			}
		})
	}
}

func TestAHandlerMayAbstainOrFail(t *testing.T) {
	if got := call(t, func(dialog.Event) dialog.Verdict { return dialog.Abstain() }, nil); got.Status != abi.StatusAbstain {
		t.Errorf("got %+v", got)
	}
	got := call(t, func(e dialog.Event) dialog.Verdict { return dialog.Fail("cannot judge " + e.Message) },
		(&abi.DialogEvent{Message: "this"}).Append(nil))
	if got.Status != abi.StatusError || got.Reason != "cannot judge this" {
		t.Errorf("got %+v", got)
	}
}

func TestWithoutAHandlerTheModuleAbstains(t *testing.T) {
	if got := call(t, nil, nil); got.Status != abi.StatusAbstain {
		t.Errorf("got %+v", got)
	}
}

func TestAnInvalidEventIsAnError(t *testing.T) {
	called := false
	got := call(t, func(dialog.Event) dialog.Verdict { called = true; return dialog.Accept() }, []byte{0x08})
	if got.Status != abi.StatusError || !strings.HasPrefix(got.Reason, "abi: cannot decode field 1") || called {
		t.Errorf("got %+v, handler called: %v", got, called)
	}
}

func TestAnEventDoesNotSeeThePreviousOne(t *testing.T) {
	var seen []string
	handler := func(e dialog.Event) dialog.Verdict {
		seen = append(seen, e.Message+"/"+e.Policy)
		return dialog.Accept()
	}
	call(t, handler, (&abi.DialogEvent{Message: "a long first message", Policy: "p"}).Append(nil))
	call(t, handler, (&abi.DialogEvent{Message: "short"}).Append(nil))
	if strings.Join(seen, " ") != "a long first message/p short/" {
		t.Errorf("the handler saw %q", seen)
	}
}

func TestAStringThatAHandlerKeepsStaysAsItIs(t *testing.T) {
	kept := map[string]bool{}
	handler := func(e dialog.Event) dialog.Verdict {
		kept[e.Message] = true
		return dialog.Accept()
	}
	for _, message := range []string{"first", "other", strings.Repeat("long", 10<<10), strings.Repeat("much", 10<<10)} {
		call(t, handler, (&abi.DialogEvent{Message: message}).Append(nil))
		if !kept[message] {
			t.Fatalf("%.10q was not kept", message)
		}
	}
	for message := range kept {
		if message != "first" && message != "other" && message[:4] != "long" && message[:4] != "much" {
			t.Errorf("there is %.10q now", message)
		}
	}
	if len(kept) != 4 || !kept["first"] || !kept["other"] {
		t.Errorf("%d messages are kept", len(kept))
	}
}

func TestASecondHandlerIsAnErrorOfThePlugin(t *testing.T) {
	t.Cleanup(guest.Forget)
	dialog.Handle(nil)
	for range 2 {
		dialog.Handle(func(dialog.Event) dialog.Verdict { return dialog.Accept() })
	}
	var refused *sdktest.InitError
	if _, err := sdktest.Native(t.Context(), nil); !errors.As(err, &refused) || !strings.HasPrefix(refused.Reason, "dialog.Handle was called twice") {
		t.Errorf("error is %v", err)
	}
}
