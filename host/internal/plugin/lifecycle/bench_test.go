package lifecycle

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// What a question costs with one module that decides, recorded in the journal, and what of it is the module's own.
func BenchmarkAsk(b *testing.B) {
	w := newWorld(b)
	w.add("other", fixture(b, "frames"))
	w.add("policy", fixture(b, "answer"))
	e := abi.DialogEvent{Header: abi.Header{TaskID: "task"}, DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: "Leave this page?"}
	var v abi.DialogVerdict
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out := w.Ask(ctx0, Question{Hook: abi.HookDialog, Task: "task", Header: &e.Header, Encode: e.Append, Decode: v.Unmarshal}); !out.Decided {
				b.Fatalf("%+v", out)
			}
		}
	})
	b.Run("module", func(b *testing.B) {
		m, _ := w.member("policy")
		module := m.seat.Load().serving.module
		b.ReportAllocs()
		for b.Loop() {
			if _, err := module.Call(ctx0, abi.HookDialog, e.Append(nil), v.Unmarshal); err != nil {
				b.Fatal(err)
			}
		}
	})
}
