//go:build !(tinygo.wasm || wasip1)

package navigate_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/navigate"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func call(t *testing.T, handler func(navigate.Event) navigate.Verdict, event []byte) sdktest.Result {
	t.Helper()
	navigate.Handle(nil)
	navigate.Handle(handler)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookNavigate, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEachVerdictReachesTheHost(t *testing.T) {
	cases := []struct {
		name    string
		verdict navigate.Verdict
		want    abi.NavigateVerdict
	}{
		{"allow", navigate.Allow(), abi.NavigateVerdict{Action: abi.NavigateActionAllow}},
		{"deny", navigate.Deny("not here").Because("rule 2"),
			abi.NavigateVerdict{Action: abi.NavigateActionDeny, Reason: "not here", Rule: "rule 2"}},
		{"deny without a reason", navigate.Deny(""), abi.NavigateVerdict{Action: abi.NavigateActionDeny}},
		{"rewrite", navigate.Rewrite("https://example.com/").Because("to https"),
			abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: "https://example.com/", Rule: "to https"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, func(navigate.Event) navigate.Verdict { return c.verdict }, nil)
			var verdict abi.NavigateVerdict
			if err := verdict.Unmarshal(got.Verdict); err != nil || got.Status != abi.StatusDecided || verdict != c.want {
				t.Errorf("got %+v %s (%v)", verdict, got.Status, err)
			}
		})
	}
}

func TestAHandlerMayAbstainOrFail(t *testing.T) {
	if got := call(t, func(navigate.Event) navigate.Verdict { return navigate.Abstain() }, nil); got.Status != abi.StatusAbstain {
		t.Errorf("got %+v", got)
	}
	got := call(t, func(e navigate.Event) navigate.Verdict { return navigate.Fail("cannot judge " + e.URL) },
		(&abi.NavigateEvent{URL: "https://example.com/"}).Append(nil))
	if got.Status != abi.StatusError || got.Reason != "cannot judge https://example.com/" {
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
	got := call(t, func(navigate.Event) navigate.Verdict { called = true; return navigate.Allow() }, []byte{0x08})
	if got.Status != abi.StatusError || !strings.HasPrefix(got.Reason, "abi: cannot decode field 1") || called {
		t.Errorf("got %+v, handler called: %v", got, called)
	}
}

func TestAnEventDoesNotSeeThePreviousOne(t *testing.T) {
	var seen []string
	handler := func(e navigate.Event) navigate.Verdict {
		seen = append(seen, strings.Clone(e.URL)+" "+strings.Clone(e.FromURL))
		return navigate.Allow()
	}
	call(t, handler, (&abi.NavigateEvent{URL: "https://example.com/long", FromURL: "https://example.org/"}).Append(nil))
	call(t, handler, (&abi.NavigateEvent{URL: "http://b/"}).Append(nil))
	if strings.Join(seen, ", ") != "https://example.com/long https://example.org/, http://b/ " {
		t.Errorf("the handler saw %q", seen)
	}
}
