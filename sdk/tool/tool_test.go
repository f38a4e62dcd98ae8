//go:build !(tinygo.wasm || wasip1)

package tool_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
	"github.com/hermes-cdp/hermes-cdp/sdk/tool"
)

func call(t *testing.T, event []byte) sdktest.Result {
	t.Helper()
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookToolCall, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func calling(name string) []byte { return (&abi.ToolCallEvent{Tool: name}).Append(nil) }

func TestWithoutAHandlerACallIsAnError(t *testing.T) {
	tool.Reset()
	got := call(t, calling("weigh"))
	if got.Status != abi.StatusError || got.Reason != `unknown tool "weigh"; no tool is handled` {
		t.Errorf("got %+v", got)
	}
}

func TestEachResultReachesTheHost(t *testing.T) {
	structured := abi.Struct{{Key: "n", Value: abi.NumberValue(2)}}
	cases := []struct {
		name   string
		result tool.Result
		want   abi.ToolResult
	}{
		{"a text", tool.Text("two"), abi.ToolResult{Text: "two"}},
		{"a text with an object", tool.Text("two").With(structured), abi.ToolResult{Text: "two", Structured: structured}},
		{"an error", tool.Error("none"), abi.ToolResult{Text: "none", IsError: true}},
		{"the zero value", tool.Result{}, abi.ToolResult{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tool.Reset()
			tool.Handle("weigh", func(tool.Call) tool.Result { return c.result })
			got := call(t, calling("weigh"))
			var result abi.ToolResult
			if err := result.Unmarshal(got.Verdict); err != nil || got.Status != abi.StatusDecided || !reflect.DeepEqual(result, c.want) {
				t.Errorf("got %+v %s (%v)", result, got.Status, err)
			}
		})
	}
}

func TestEachToolHasItsOwnHandler(t *testing.T) {
	tool.Reset()
	for _, name := range []string{"weigh", "measure"} {
		tool.Handle(name, func(c tool.Call) tool.Result {
			unit, _ := c.Arguments.GetString("unit")
			return tool.Text(name + " in " + unit + " of " + c.Page)
		})
	}
	event := abi.ToolCallEvent{Tool: "measure", Page: "[1]", Arguments: abi.Struct{{Key: "unit", Value: abi.StringValue("m")}}}
	got := call(t, event.Append(nil))
	var result abi.ToolResult
	if err := result.Unmarshal(got.Verdict); err != nil || result.Text != "measure in m of [1]" {
		t.Errorf("got %+v (%v)", result, err)
	}
}

func TestTheErrorForAnUnknownToolNamesTheKnownOnes(t *testing.T) {
	tool.Reset()
	tool.Handle("weigh", func(tool.Call) tool.Result { return tool.Text("") })
	tool.Handle("measure", func(tool.Call) tool.Result { return tool.Text("") })
	got := call(t, calling("count"))
	if got.Status != abi.StatusError || got.Reason != `unknown tool "count"; handled are weigh, measure` {
		t.Errorf("got %+v", got)
	}
}

func TestAHandlerMayFail(t *testing.T) {
	tool.Reset()
	tool.Handle("weigh", func(c tool.Call) tool.Result { return tool.Fail("cannot read " + c.Page) })
	got := call(t, (&abi.ToolCallEvent{Tool: "weigh", Page: "this"}).Append(nil))
	if got.Status != abi.StatusError || got.Reason != "cannot read this" {
		t.Errorf("got %+v", got)
	}
}

func TestAnInvalidEventIsAnError(t *testing.T) {
	got := call(t, []byte{0x08})
	if got.Status != abi.StatusError || !strings.HasPrefix(got.Reason, "abi: cannot decode field 1") {
		t.Errorf("got %+v", got)
	}
}

func TestACallDoesNotSeeThePreviousOne(t *testing.T) {
	var seen []string
	tool.Reset()
	tool.Handle("weigh", func(c tool.Call) tool.Result {
		unit, _ := c.Arguments.GetString("unit")
		seen = append(seen, unit+"/"+c.Page)
		return tool.Result{}
	})
	call(t, (&abi.ToolCallEvent{Tool: "weigh", Page: "p", Arguments: abi.Struct{{Key: "unit", Value: abi.StringValue("kg")}}}).Append(nil))
	call(t, calling("weigh"))
	if strings.Join(seen, " ") != "kg/p /" {
		t.Errorf("the handler saw %q", seen)
	}
}

func TestDecimalWritesWholeNumbers(t *testing.T) {
	for _, n := range []int64{0, 7, 10, -1, 1<<63 - 1, -1 << 63} {
		if got, want := tool.Decimal(n), strconv.FormatInt(n, 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestASecondHandlerOfAToolIsAnErrorOfThePlugin(t *testing.T) {
	tool.Reset()
	t.Cleanup(guest.Forget)
	tool.Handle("weigh", func(tool.Call) tool.Result { return tool.Text("") })
	tool.Handle("measure", func(tool.Call) tool.Result { return tool.Text("") })
	tool.Handle("weigh", func(tool.Call) tool.Result { return tool.Text("") })
	var refused *sdktest.InitError
	if _, err := sdktest.Native(t.Context(), nil); !errors.As(err, &refused) || refused.Reason != `tool.Handle was called twice for "weigh"; a tool has one handler` {
		t.Errorf("error is %v", err)
	}
}

func TestAGoldenCaseComparesStructuredResultsByValue(t *testing.T) {
	tool.Reset()
	tool.Handle("weigh", func(tool.Call) tool.Result {
		return tool.Text("2 kg").With(abi.Struct{{Key: "unit", Value: abi.StringValue("kg")}, {Key: "n", Value: abi.NumberValue(2)}})
	})
	table := sdktest.Table{Hook: abi.HookToolCall, Cases: []sdktest.Case{{
		Name: "weigh", Event: json.RawMessage(`{"tool": "weigh"}`),
		Verdict: json.RawMessage(`{"structured": {"n": 2, "unit": "kg"}, "text": "2 kg"}`),
	}}}
	if err := table.Check(t.Context(), sdktest.Native); err != nil {
		t.Error(err)
	}
	table.Cases[0].Verdict = json.RawMessage(`{"structured": {"n": 3, "unit": "kg"}, "text": "2 kg"}`)
	if err := table.Check(t.Context(), sdktest.Native); err == nil {
		t.Error("another value passes")
	}
}
