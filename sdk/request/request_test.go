//go:build !(tinygo.wasm || wasip1)

package request_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func call(t *testing.T, handler func(request.Event) request.Verdict, event []byte) sdktest.Result {
	t.Helper()
	request.Handle(nil)
	request.Handle(handler)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookRequest, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEachVerdictReachesTheHost(t *testing.T) {
	cases := []struct {
		name    string
		verdict request.Verdict
		want    abi.RequestVerdict
	}{
		{"allow", request.Allow(), abi.RequestVerdict{Action: abi.RequestActionAllow}},
		{"block", request.Block("not here").Because("rule 2"),
			abi.RequestVerdict{Action: abi.RequestActionBlock, Reason: "not here", Rule: "rule 2"}},
		{"block without a reason", request.Block(""), abi.RequestVerdict{Action: abi.RequestActionBlock}},
		{"abort", request.Abort("not now").Because("rule 3"),
			abi.RequestVerdict{Action: abi.RequestActionAbort, Reason: "not now", Rule: "rule 3"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, func(request.Event) request.Verdict { return c.verdict }, nil)
			var verdict abi.RequestVerdict
			if err := verdict.Unmarshal(got.Verdict); err != nil || got.Status != abi.StatusDecided || verdict != c.want {
				t.Errorf("got %+v %s (%v)", verdict, got.Status, err)
			}
		})
	}
}

func TestAHandlerMayAbstainOrFail(t *testing.T) {
	if got := call(t, func(request.Event) request.Verdict { return request.Abstain() }, nil); got.Status != abi.StatusAbstain {
		t.Errorf("got %+v", got)
	}
	got := call(t, func(e request.Event) request.Verdict { return request.Fail("cannot judge " + e.URL) },
		(&abi.RequestEvent{URL: "https://example.com/"}).Append(nil))
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
	got := call(t, func(request.Event) request.Verdict { called = true; return request.Allow() }, []byte{0x08})
	if got.Status != abi.StatusError || !strings.HasPrefix(got.Reason, "abi: cannot decode field 1") || called {
		t.Errorf("got %+v, handler called: %v", got, called)
	}
}

func TestAnEventDoesNotSeeThePreviousOne(t *testing.T) {
	var seen []string
	handler := func(e request.Event) request.Verdict {
		seen = append(seen, strings.Clone(e.URL)+" "+strings.Clone(e.FromURL))
		return request.Allow()
	}
	call(t, handler, (&abi.RequestEvent{URL: "https://example.com/long", FromURL: "https://example.org/"}).Append(nil))
	call(t, handler, (&abi.RequestEvent{URL: "http://b/"}).Append(nil))
	if strings.Join(seen, ", ") != "https://example.com/long https://example.org/, http://b/ " {
		t.Errorf("the handler saw %q", seen)
	}
}
