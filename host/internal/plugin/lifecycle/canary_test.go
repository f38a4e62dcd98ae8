package lifecycle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// canary puts a candidate beside that must be accepted.
func (w *world) canary(wasm []byte, c Canary) {
	w.t.Helper()
	if _, err := w.Shadow(ctx0, "policy", Change{Source: Source{Wasm: wasm}, DropHooks: abi.Hooks(), Canary: c}); err != nil {
		w.t.Fatal(err)
	}
	for len(w.changed) > 0 {
		<-w.changed
	}
}

func TestTheSameTasksAreInTheShareOfACanary(t *testing.T) {
	small, large, in := Canary{Share: 5}, Canary{Share: 50}, 0
	for i := range 2000 {
		task := fmt.Sprint("task-", i)
		if large.has("policy", task) {
			in++
		}
		if small.has("policy", task) && !large.has("policy", task) {
			t.Errorf("%s leaves the share when it grows", task)
		}
	}
	if in < 900 || in > 1100 {
		t.Errorf("half of 2000 tasks are %d", in)
	}
	if !(Canary{Share: 100}).has("policy", "a") || (Canary{}).has("policy", "a") || (Canary{Share: 100}).has("policy", "") {
		t.Error("all, none, or what belongs to no task")
	}
}

func TestACanaryServesItsShareAndIsPromotedByItself(t *testing.T) {
	var told []string
	w := newWorld(t, func(o *Options) {
		o.Concluded = func(c Conclusion) {
			told = append(told, fmt.Sprint(c.Plugin, " ", c.Did, " ", c.Generation.Number, ": ", c.Reason))
		}
	})
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.canary(stamped(t, "answer", "stamp--B"), Canary{Share: 100, PromoteAfter: 3, DropOn: []string{DropOnFault, DropOnFuel}})
	w.wantSays("stamp--B")
	w.wantSays("stamp--B")
	if s, err := w.Candidate("policy"); err != nil || s.Answered != 2 {
		t.Fatalf("after two calls: %+v, %v", s, err)
	}
	w.wantSays("stamp--B")
	<-w.changed
	if p := w.plugin("policy"); p.Serving.Number != 2 || p.Serving.Trigger != "canary" || p.Serving.Reason != "it has answered 3 calls without a reason to drop it" || p.Candidate != nil {
		t.Errorf("promoted: %+v", p)
	}
	w.Close()
	if len(told) != 1 || !strings.HasPrefix(told[0], "policy promoted 2: it has answered 3 calls") {
		t.Errorf("told %q", told)
	}
}

func TestACanaryIsDroppedByItsRulesWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		module, reason string
		canary         Canary
	}{
		"a difference": {"answer", "it decided a compared call otherwise", Canary{PromoteAfter: 1, DropOn: []string{DropOnDifference}}},
		"a fault":      {"trap_later", "it failed: ", Canary{Share: 100, DropOn: []string{DropOnFault}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.add("policy", stamped(t, "answer", "stamp--A"))
			wasm := fixture(t, c.module)
			if c.module == "answer" {
				wasm = stamped(t, "answer", "stamp--B")
			}
			w.canary(wasm, c.canary)
			w.says()
			<-w.changed
			w.wantSays("stamp--A")
			list, err := w.History("policy")
			if err != nil || !strings.HasPrefix(list[0].Error, c.reason) || list[0].Number != 2 || w.plugin("policy").Candidate != nil {
				t.Errorf("the history is %+v, %v", list, err)
			}
		})
	}
}

func TestACanaryIsJudgedByItsFuel(t *testing.T) {
	c := Canary{DropOn: []string{DropOnFuel}, PromoteAfter: 100}
	if reason, _ := c.judge(&evidence{answered: 19, compared: 19, ownFuel: 190_000, otherFuel: 19}, answer{}, false); reason != "" {
		t.Errorf("too few calls: %s", reason)
	}
	if reason, promote := c.judge(&evidence{answered: 20, compared: 20, ownFuel: 4020, otherFuel: 2000}, answer{}, false); promote || !strings.Contains(reason, "201 units of fuel per call on 20 compared calls, and the module in service 100") {
		t.Errorf("more than twice: %s", reason)
	}
	if reason, promote := c.judge(&evidence{answered: 100, compared: 20, ownFuel: 4000, otherFuel: 2000}, answer{}, false); !promote {
		t.Errorf("twice: %s", reason)
	}
}
