package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestEvaluateTellsTheKindOfEveryResult(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<p id=only class=here>text</p>`}, host.TaskOptions{})
	w.open("/page")
	for _, tc := range []struct {
		expression string
		want       host.Evaluation
	}{
		{"Infinity", host.Evaluation{Type: "number", Unserializable: "Infinity", Description: "Infinity"}},
		{"-Infinity", host.Evaluation{Type: "number", Unserializable: "-Infinity", Description: "-Infinity"}},
		{"NaN", host.Evaluation{Type: "number", Unserializable: "NaN", Description: "NaN"}},
		{"-0", host.Evaluation{Type: "number", Unserializable: "-0", Description: "-0"}},
		{"2n ** 70n", host.Evaluation{Type: "bigint", Unserializable: "1180591620717411303424n", Description: "1180591620717411303424n"}},
		{"undefined", host.Evaluation{Type: "undefined"}},
		{"null", host.Evaluation{Type: "object", Subtype: "null", Value: []byte("null")}},
		{"Symbol('s')", host.Evaluation{Type: "symbol", Description: "Symbol(s)"}},
		{"function f() {}; f", host.Evaluation{Type: "function", Description: "function f() {}"}},
		{"[1, undefined, NaN]", host.Evaluation{Type: "object", Subtype: "array", Description: "Array(3)", Value: []byte("[1,null,null]")}},
		{"new Date(0).toISOString()", host.Evaluation{Type: "string", Value: []byte(`"1970-01-01T00:00:00.000Z"`)}},
		{"new Map([[1, 2]])", host.Evaluation{Type: "object", Subtype: "map", Description: "Map(1)", Value: []byte("{}")}},
		{"/re/g", host.Evaluation{Type: "object", Subtype: "regexp", Description: "/re/g", Value: []byte("{}")}},
		{"({toJSON() { return 'not asked' }, a: 1})", host.Evaluation{Type: "object", Description: "Object", Value: []byte(`{"toJSON":{},"a":1}`)}},
	} {
		for _, await := range []bool{false, true} {
			got, err := w.Tab("").Evaluate(w.ctx, tc.expression, &host.EvaluateOptions{AwaitPromise: await})
			if err != nil || shared.Dump(got) != shared.Dump(tc.want) {
				t.Errorf("%s, awaited %t: %s, %v; want %s", tc.expression, await, shared.Dump(got), err, shared.Dump(tc.want))
			}
		}
	}
	node, err := w.Tab("").Evaluate(w.ctx, "only", nil)
	if err != nil || node.Subtype != "node" || node.Description != "p#only.here" || node.Value != nil || node.BackendNodeID == 0 {
		t.Errorf("a DOM node: %s, %v", shared.Dump(node), err)
	}
}

func TestAResultWithoutJSONIsATypedErrorAndRanOnce(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("globalThis.runs = 0")
	for i, tc := range []struct{ expression, kind string }{
		{"runs++; const circular = {}; circular.self = circular; circular", "object"},
		{"runs++; window", "object"},
		{"runs++; ({big: 10n})", "object"},
		{"runs++; ({get broken() { throw new Error('no') }})", "object"},
		{"runs++; new Proxy({}, {ownKeys() { throw new Error('trap') }})", "object (proxy)"},
	} {
		_, err := w.Tab("").Evaluate(w.ctx, tc.expression, nil)
		var refused *host.NotSerialisableError
		if !errors.As(err, &refused) || !errors.Is(err, host.ErrNotSerialisable) || refused.Evaluation.Description == "" || !strings.Contains(err.Error(), tc.kind) {
			t.Errorf("%s: %v", tc.expression, err)
		}
		want(t, "kind of error", host.CodeOf(err), host.ErrNotSerialisable)
		want(t, "runs", w.evaluate("runs"), string(rune('1'+i)))
	}
}

func TestAnExceptionIsTyped(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.Tab("").Evaluate(w.ctx, "(function deep() { throw new RangeError('oh') })()", nil)
	var thrown *host.EvaluateError
	if !errors.As(err, &thrown) || !strings.Contains(thrown.Exception, "RangeError: oh") || !strings.Contains(thrown.Exception, "at deep") {
		t.Errorf("the error is %v", err)
	}
	want(t, "kind", host.CodeOf(err), host.ErrEvaluate)
}

func TestAThenableIsAwaitedOnce(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("globalThis.thens = 0")
	want(t, "value", w.evaluate("({then(resolve) { thens++; resolve({deep: [1]}) }})"), `{"deep":[1]}`)
	want(t, "calls", w.evaluate("thens"), "1")
}

func TestALargeResultArrivesOrIsRefusedByItsSize(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t) // the shared one should not hold as much
	w := newWorldOn(t, address, host.Options{}, nil, host.TaskOptions{})
	w.open("/empty")
	want(t, "bytes of 64 MiB", len(w.evaluate("'x'.repeat(64 << 20)")), 64<<20+2)
	small := newWorldOn(t, address, host.Options{ReadLimit: 8 << 20}, nil, host.TaskOptions{Scope: host.ScopeContext})
	small.open("/empty")
	_, err := small.Tab("").Evaluate(small.ctx, "'x'.repeat(16 << 20)", nil)
	wantError(t, err, host.ErrTooLarge)
	want(t, "kind", host.CodeOf(err), host.ErrTooLarge)
	want(t, "the page still answers", small.evaluate("1 + 1"), "2")
}
