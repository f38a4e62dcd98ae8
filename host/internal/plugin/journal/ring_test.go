package journal

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

func sequences(list []Entry) []uint64 {
	out := make([]uint64, len(list))
	for i := range list {
		out[i] = list[i].Sequence
	}
	return out
}

func TestTheRingKeepsTheLatestCalls(t *testing.T) {
	r := NewRing(3, 1<<20)
	for n := range uint64(5) {
		r.Add(Entry{Sequence: n + 1, Plugin: []string{"a", "b"}[n%2]})
	}
	if got := sequences(r.Recent("", 0)); !slices.Equal(got, []uint64{3, 4, 5}) {
		t.Errorf("it keeps %v", got)
	}
	if got := sequences(r.Recent("", 2)); !slices.Equal(got, []uint64{4, 5}) {
		t.Errorf("the latest two are %v", got)
	}
	if got := sequences(r.Recent("a", 0)); !slices.Equal(got, []uint64{3, 5}) {
		t.Errorf("those of a are %v", got)
	}
	if got := r.Find(4); len(got) != 1 || got[0].Plugin != "b" {
		t.Errorf("call 4 is %+v", got)
	}
	if got := r.Find(1); len(got) != 0 {
		t.Errorf("call 1 is still there: %+v", got)
	}
}

func TestLastFindsTheLatestCallThatFits(t *testing.T) {
	r := NewRing(10, 1<<20)
	r.Add(Entry{Sequence: 1, Plugin: "p", Hook: abi.HookDialog, Subject: "d-7", Task: "t"})
	r.Add(Entry{Sequence: 2, Plugin: "p", Hook: abi.HookDialog, Subject: "d-8", Task: "t"})
	r.Add(Entry{Sequence: 2, Plugin: "p", Hook: abi.HookDialog, Subject: "d-8", Task: "t", Candidate: true, SHA256: "new"})
	r.Add(Entry{Sequence: 3, Plugin: "q", Hook: abi.HookFrames, Subject: "T1", Task: "u"})
	cases := []struct {
		name   string
		filter Filter
		want   uint64
	}{
		{"any", Filter{}, 3},
		{"a dialog", Filter{Subject: "d-7"}, 1},
		{"a plugin", Filter{Plugin: "p"}, 2},
		{"a hook", Filter{Hook: abi.HookDialog}, 2},
		{"a task", Filter{Task: "u"}, 3},
		{"none", Filter{Task: "u", Plugin: "p"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := r.Last(c.filter)
			if got.Sequence != c.want || ok != (c.want != 0) || got.Candidate {
				t.Errorf("it is %+v, %t; want %d", got, ok, c.want)
			}
		})
	}
	if got := r.Select(Filter{Sequence: 2, Candidates: true}); len(got) != 2 || !got[1].Candidate {
		t.Errorf("with candidates there is %+v", got)
	}
}

func TestTheRingBoundsItsMemory(t *testing.T) {
	small := Entry{Event: make([]byte, 100)}
	r := NewRing(1000, 10*small.size())
	for range 50 {
		r.Add(small)
	}
	if n, bytes := r.Len(); n != 10 || bytes != 10*small.size() {
		t.Errorf("it keeps %d entries of %d bytes", n, bytes)
	}
	r.Add(Entry{Event: make([]byte, 20*small.size())})
	if n, _ := r.Len(); n != 10 || r.Lost() != 1 {
		t.Errorf("an entry over the limit left %d entries, %d lost", n, r.Lost())
	}
	r.Add(Entry{Event: make([]byte, 9*small.size())})
	if n, _ := r.Len(); n != 1 {
		t.Errorf("a large entry left %d entries", n)
	}
}

func TestARingWithoutRoomKeepsNothing(t *testing.T) {
	for _, r := range []*Ring{NewRing(-1, 1<<20), NewRing(10, -1), nil} {
		r.Add(Entry{})
		if n, bytes := r.Len(); n != 0 || bytes != 0 || r.Lost() != 0 || r.Recent("", 0) != nil {
			t.Errorf("%+v keeps something", r)
		}
		if _, ok := r.Last(Filter{}); ok {
			t.Errorf("%+v finds something", r)
		}
	}
}

// The ring against the plain list that it stands for.
func TestTheRingIsTheEndOfTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 40).Draw(t, "entries")
		bytes := rapid.Int64Range(1, 20_000).Draw(t, "bytes")
		r := NewRing(limit, bytes)
		var list []Entry
		for n := range rapid.IntRange(0, 200).Draw(t, "calls") {
			e := Entry{
				Sequence: uint64(n + 1),
				Plugin:   rapid.SampledFrom([]string{"a", "b"}).Draw(t, "plugin"),
				Event:    make([]byte, rapid.IntRange(0, 2000).Draw(t, "event")),
			}
			if rapid.Bool().Draw(t, "exchange") {
				e.Exchanges = []guestio.Exchange{{Key: "key", Value: make([]byte, 10), Keys: []string{"x"}}}
			}
			r.Add(e)
			if e.size() <= bytes {
				list = append(list, e)
			}
			for len(list) > limit || total(list) > bytes {
				list = list[1:]
			}
		}
		if got := sequences(r.Recent("", 0)); !slices.Equal(got, sequences(list)) {
			t.Fatalf("it keeps %v, want %v", got, sequences(list))
		}
		if n, size := r.Len(); n != len(list) || size != total(list) {
			t.Fatalf("it counts %d entries of %d bytes, there are %d of %d", n, size, len(list), total(list))
		}
	})
}

func total(list []Entry) (bytes int64) {
	for i := range list {
		bytes += list[i].size()
	}
	return bytes
}

func TestTheRingUnderManyHands(t *testing.T) {
	r := NewRing(100, 1<<20)
	var wait sync.WaitGroup
	for hand := range 8 {
		wait.Go(func() {
			for n := range 500 {
				r.Add(Entry{Sequence: uint64(n), Plugin: fmt.Sprint(hand), Event: []byte("event")})
				if got := r.Recent(fmt.Sprint(hand), 5); !slices.IsSortedFunc(got, func(a, b Entry) int { return int(a.Sequence) - int(b.Sequence) }) {
					t.Errorf("out of order: %v", sequences(got))
				}
			}
		})
	}
	wait.Wait()
	if n, _ := r.Len(); n != 100 {
		t.Errorf("it keeps %d", n)
	}
}

func BenchmarkRingAdd(b *testing.B) {
	r := NewRing(1000, 16<<20)
	e := Entry{Plugin: "dialog-policy", Hook: abi.HookDialog, Event: make([]byte, 300), Verdict: make([]byte, 40)}
	b.ReportAllocs()
	for b.Loop() {
		r.Add(e)
	}
}

func BenchmarkRingAddFromAllSides(b *testing.B) {
	r := NewRing(1000, 16<<20)
	e := Entry{Plugin: "dialog-policy", Hook: abi.HookDialog, Event: make([]byte, 300), Verdict: make([]byte, 40)}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Add(e)
		}
	})
}
