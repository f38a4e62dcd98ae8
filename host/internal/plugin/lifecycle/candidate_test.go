package lifecycle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// compared waits until the shadow calls that were begun are finished.
func (w *world) compared(name string) Shadow {
	w.t.Helper()
	m, err := w.member(name)
	if err != nil {
		w.t.Fatal(err)
	}
	c := m.seat.Load().candidate
	if c == nil {
		w.t.Fatal("there is no candidate")
	}
	for range cap(c.room) {
		c.room <- struct{}{}
	}
	for range cap(c.room) {
		<-c.room
	}
	return c.describe()
}

func TestAShadowIsComparedAndNeverUsed(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	s := w.shadowed("policy", stamped(t, "answer", "stamp--B"))
	if s.Generation.State != StateCandidate || s.Generation.Number != 2 {
		t.Errorf("the candidate is %+v", s)
	}
	const calls = maxDifferences + 10
	for range calls {
		w.wantSays("stamp--A")
		w.compared("policy")
	}
	s = w.compared("policy")
	if s.Compared != calls || s.Differing != calls || s.Skipped != 0 || len(s.Differences) != maxDifferences {
		t.Errorf("compared %d, differing %d, skipped %d, listed %d", s.Compared, s.Differing, s.Skipped, len(s.Differences))
	}
	d := s.Differences[0]
	if d.Sequence != 11 || d.Task != "task" || d.Hook != string(abi.HookDialog) || d.Subject != "d-1" ||
		d.Serving != `{"action":"accept","text":"stamp--A","rule":"stamp--A"}` || d.Candidate != `{"action":"accept","text":"stamp--B","rule":"stamp--B"}` {
		t.Errorf("the oldest difference is %+v", d)
	}
	shadows := 0
	for _, call := range w.ring.Select(journal.Filter{Plugin: "policy", Candidates: true}) {
		if call.Candidate != (call.Generation == 2) {
			t.Errorf("the journal has %+v", call)
		}
		if call.Candidate {
			shadows++
		}
	}
	if p := w.plugin("policy"); shadows != calls || p.Stats.Calls != calls || p.Candidate.Compared != calls || p.Tally.Differing != calls {
		t.Errorf("%d shadow calls in the journal; the plugin is %+v", shadows, p)
	}
}

func TestWhatTheSameDecisionIs(t *testing.T) {
	accept := (&abi.DialogVerdict{Action: abi.DialogActionAccept, Rule: "r"}).Append(nil)
	otherOrder := append((&abi.DialogVerdict{Rule: "r"}).Append(nil), 0x08, 0x02)
	for name, c := range map[string]struct {
		a, b answer
		same bool
	}{
		"one encoding and another": {answer{outcome: journal.OutcomeDecided, verdict: accept}, answer{outcome: journal.OutcomeDecided, verdict: otherOrder}, true},
		"a verdict and none":       {answer{outcome: journal.OutcomeDecided, verdict: accept}, answer{outcome: journal.OutcomeAbstained}, false},
		"two reasons":              {answer{outcome: journal.OutcomeError, reason: "a"}, answer{outcome: journal.OutcomeError, reason: "b"}, true},
		"two kinds of faults":      {answer{outcome: journal.OutcomeFault, fault: "trap"}, answer{outcome: journal.OutcomeFault, fault: "fuel"}, false},
	} {
		if got := c.a.equal(c.b, abi.HookDialog); got != c.same {
			t.Errorf("%s: the same is %v", name, got)
		}
	}
}

func TestACandidateSeesHooksThatOnlyItServes(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "frames"))
	w.shadowed("policy", stamped(t, "answer", "stamp--B"))
	w.wantSays("abstained")
	if s := w.compared("policy"); s.Compared != 1 || s.Differing != 1 || s.Differences[0].Serving != "abstained" {
		t.Errorf("the shadow is %+v", s)
	}
	if w.Serves(abi.HookDialog) {
		t.Error("a shadow serves")
	}
}

func TestTasksOfACandidate(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.shadowed("policy", stamped(t, "answer", "stamp--B"), "mine")
	v, out := w.dialog("mine")
	if v.Rule != "stamp--B" || out.Calls[0].Generation != 2 || len(out.Calls) != 1 {
		t.Errorf("the task of the candidate got %+v, %+v", v, out)
	}
	w.wantSays("stamp--A")
	if s := w.compared("policy"); s.Compared != 1 || len(s.Tasks) != 1 {
		t.Errorf("the shadow is %+v", s)
	}
	if p := w.plugin("policy"); p.Stats.Calls != 3 {
		t.Errorf("%d calls are counted, want 3: both modules decided", p.Stats.Calls)
	}
}

func TestPromotingMovesTheSameModule(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.shadowed("policy", stamped(t, "answer", "stamp--B"))
	m, _ := w.member("policy")
	module := m.seat.Load().candidate.generation.module
	g, err := w.Promote(ctx0, "policy", "no differences that matter")
	if err != nil || g.Number != 2 || g.State != StateServing || g.Trigger != "promote" || g.Reason != "no differences that matter" {
		t.Fatalf("%+v, %v", g, err)
	}
	if m.seat.Load().serving.module != module {
		t.Error("the module was loaded again")
	}
	w.wantSays("stamp--B")
	if _, err := w.Promote(ctx0, "policy", ""); !errors.Is(err, fault.ErrNoCandidate) {
		t.Errorf("a second promotion: %v", err)
	}
	w.drained()
	if _, err := w.Rollback(ctx0, "policy", ""); err != nil {
		t.Error(err)
	}
	w.wantSays("stamp--A")
}

func TestDroppingAndReplacingACandidate(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	for name, do := range map[string]func() error{
		"describe": func() error { _, err := w.Candidate("policy"); return err },
		"promote":  func() error { _, err := w.Promote(ctx0, "policy", ""); return err },
		"drop":     func() error { _, err := w.Drop(ctx0, "policy"); return err },
	} {
		if err := do(); !errors.Is(err, fault.ErrNoCandidate) {
			t.Errorf("%s without one: %v", name, err)
		}
	}
	w.shadowed("policy", stamped(t, "answer", "stamp--B"))
	if _, err := w.Shadow(ctx0, "policy", Change{Source: Source{Wasm: fixture(t, "trap")}}); refusedAt(t, err).Step != plugin.StepSelfTest {
		t.Error(err)
	}
	if s, err := w.Candidate("policy"); err != nil || s.Generation.Number != 2 {
		t.Errorf("a refused candidate took the place of another: %+v, %v", s, err)
	}
	w.shadowed("policy", stamped(t, "answer", "stamp--C"))
	g, err := w.Drop(ctx0, "policy")
	if err != nil || g.Number != 4 {
		t.Errorf("dropped %+v, %v", g, err)
	}
	w.drained()
	if got := w.states("policy"); got != "[4 retired api 3 refused api 2 retired api 1 serving start]" {
		t.Errorf("the history is %s", got)
	}
	w.wantSays("stamp--A")
}

// A candidate that has as many calls as it may have is not asked, and holds up no one.
func TestABusyShadowIsSkipped(t *testing.T) {
	w := newWorld(t)
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.shadowed("policy", stamped(t, "answer", "stamp--B"))
	m, _ := w.member("policy")
	c := m.seat.Load().candidate
	for range cap(c.room) {
		c.room <- struct{}{}
	}
	for range 5 {
		w.wantSays("stamp--A")
	}
	for range cap(c.room) {
		<-c.room
	}
	w.wantSays("stamp--A")
	if s := w.compared("policy"); s.Skipped != 5 || s.Compared != 1 {
		t.Errorf("skipped %d, compared %d", s.Skipped, s.Compared)
	}
}

// The fixture counts its calls in the store: a candidate of the same kind must count what the plugin counts, and must
// not count for it.
func TestAShadowWritesToACopyOfTheStore(t *testing.T) {
	w := newWorld(t)
	w.add("policy", fixture(t, "counter"))
	w.wantSays("A")
	w.shadowed("policy", append(fixture(t, "counter"), 0, 2, 1, 'x'))
	for _, letter := range "BCDEF" {
		w.wantSays(string(letter))
		w.compared("policy")
	}
	if s := w.compared("policy"); s.Compared != 5 || s.Differing != 0 {
		t.Errorf("the shadow is %+v", s)
	}
	for _, call := range w.ring.Select(journal.Filter{Plugin: "policy", Candidates: true}) {
		if len(call.Exchanges) != 2 {
			t.Errorf("call %d has the exchanges %+v", call.Sequence, call.Exchanges)
		}
	}
	// The replay of a swap is answered from the journal, and leaves the store alone too.
	if g := w.swap("policy", append(fixture(t, "counter"), 0, 2, 1, 'y')); g.Replayed != 6 || g.Differences != 0 {
		t.Errorf("the generation is %+v", g)
	}
	w.wantSays("G")
}

// A candidate that compares as the module in service did succeeds as it did, though the copy has what that one stored.
func TestTheOverlayOfAShadowCallCompares(t *testing.T) {
	var store guestio.Store
	env := store.Environment("p", "t", guestio.Quota{}, nil)
	env.KVSet("free", []byte("me"))
	env.KVSet("held", []byte("them"))
	served := []guestio.Exchange{
		{Import: abi.ImportKVCompareAndSet, Key: "free", Absent: true, Value: []byte("me")},
		{Import: abi.ImportKVCompareAndSet, Key: "held", Absent: true, Value: []byte("me"), Code: abi.CodeConflict},
		{Import: abi.ImportKVSetTTL, Key: "mark", Value: []byte("x"), TTLMS: 1000},
	}
	o := newOverlay(store.Fork("p", "t", guestio.Quota{}, nil), served)
	for n, c := range []struct {
		key  string
		old  []byte
		want abi.Code
	}{{"free", nil, 0}, {"held", nil, abi.CodeConflict}, {"held", []byte("them"), 0}, {"free", nil, abi.CodeConflict}, {"free", []byte("you"), 0}} {
		if code := o.KVCompareAndSet(c.key, c.old, []byte("you"), time.Minute); code != c.want {
			t.Errorf("comparison %d: %d, want %d", n, code, c.want)
		}
	}
	if code := o.KVSetTTL("mark", nil, time.Second); code != 0 {
		t.Error(code)
	}
	if v, _ := env.KVGet("held"); string(v) != "them" {
		t.Errorf("the store has %q", v)
	}
}

func TestTheOverlayOfAShadowCall(t *testing.T) {
	var store guestio.Store
	store.Environment("p", "t", guestio.Quota{}, nil).KVSet("other", []byte("stored"))
	o := newOverlay(store.Fork("p", "t", guestio.Quota{}, func(key string) ([]byte, abi.Code) { return []byte("now"), 0 }), []guestio.Exchange{
		{Import: abi.ImportStateGet, Key: "url", Value: []byte("then")},
		{Import: abi.ImportKVList, Key: "", Keys: []string{"n"}},
		{Import: abi.ImportKVGet, Key: "n", Value: []byte("1")},
		{Import: abi.ImportKVSet, Key: "n", Value: []byte("2")},
		{Import: abi.ImportKVGet, Key: "n", Value: []byte("2")},
		{Import: abi.ImportKVDelete, Key: "gone"},
		{Import: abi.ImportKVGet, Key: "gone", Code: abi.CodeNotFound},
		{Import: abi.ImportKVList, Key: "n", Keys: []string{"n"}},
	})
	var got []string
	say := func(what string, value []byte, code abi.Code) {
		got = append(got, fmt.Sprintf("%s %s%d", what, value, code))
	}
	list := func(prefix string) {
		keys, code := o.KVList(prefix)
		say("list", []byte(strings.Join(keys, ",")+" "), code)
	}
	get := func(key string) {
		value, code := o.KVGet(key)
		say("get", append(value, ' '), code)
	}
	state := func(key string) {
		value, code := o.StateGet(key)
		say("state", append(value, ' '), code)
	}
	state("url")
	state("tab")
	list("")
	get("n")
	get("other")
	say("delete", nil, o.KVDelete("n"))
	get("n")
	say("delete", nil, o.KVDelete("n"))
	say("set", nil, o.KVSet("n", []byte("7")))
	get("n")
	list("")
	want := "state then 0|state now 0|list n 0|get 1 0|get stored 0|delete 0|get  -1|delete -1|set 0|get 7 0|list n,other 0"
	if all := strings.Join(got, "|"); all != want {
		t.Errorf("got  %s\nwant %s", all, want)
	}
	if keys, _ := store.Environment("p", "t", guestio.Quota{}, nil).KVList(""); len(keys) != 1 {
		t.Errorf("the store has %v", keys)
	}
}
