package lifecycle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// callers ask without a pause until they are stopped, and check every answer: it is one whole answer, and that of the
// module which the call names.
type callers struct {
	w      *world
	stamps map[string]string // by the hash of the module
	stop   chan struct{}
	done   sync.WaitGroup
	asked  atomic.Uint64
}

func (w *world) callers(n int, modules map[string][]byte) *callers {
	c := &callers{w: w, stamps: map[string]string{}, stop: make(chan struct{})}
	for stamp, wasm := range modules {
		c.stamps[hashOf(wasm)] = stamp
	}
	for i := range n {
		c.done.Go(func() {
			for {
				select {
				case <-c.stop:
					return
				default:
					c.call(fmt.Sprintf("task %d", i))
				}
			}
		})
	}
	return c
}

func (c *callers) call(task string) {
	v, out := c.w.dialog(task)
	c.asked.Add(1)
	if !out.Decided || out.Fault != "" || len(out.Calls) != 1 {
		c.w.t.Errorf("a call came to %+v", out)
		return
	}
	want := c.stamps[out.Calls[0].SHA256]
	if want == "" || v.Action != abi.DialogActionAccept || v.Text != want || v.Rule != want {
		c.w.t.Errorf("module %.12s (%q) answered %+v", out.Calls[0].SHA256, want, v)
	}
}

func (c *callers) end() uint64 {
	close(c.stop)
	c.done.Wait()
	return c.asked.Load()
}

// answers makes modules that answer by their stamp.
func answers(t testing.TB, n int) map[string][]byte {
	modules := map[string][]byte{}
	for i := range n {
		stamp := fmt.Sprintf("stamp%03d", i+1)
		modules[stamp] = stamped(t, "answer", stamp)
	}
	return modules
}

// Whatever happens to a plugin, every call gets one whole answer, and in the end no one uses anything.
func TestHammerEveryKindOfChangeUnderLoad(t *testing.T) {
	modules := answers(t, 5)
	w := newWorld(t)
	w.add("policy", modules["stamp001"])
	load := w.callers(6, modules)
	var changers sync.WaitGroup
	for seed := range uint64(3) {
		changers.Go(func() {
			random := rand.New(rand.NewPCG(seed, 0))
			for range 60 {
				w.changeSomehow(random, modules)
			}
		})
	}
	changers.Wait()
	asked := load.end()
	w.drained()
	p := w.plugin("policy")
	if p.Tally.Returns != 0 || p.Stats.FaultsCounted() != 0 {
		t.Errorf("the plugin is %+v", p)
	}
	if p.Candidate != nil {
		w.compared("policy")
	}
	t.Logf("%d calls, %d changes, %d compared, %d skipped", asked, p.Tally.Swaps, p.Tally.Compared, p.Tally.Skipped)
	w.Close()
	w.settled()
}

// changeSomehow makes one random change. Changes that have nothing to work on are refused with an error of their own.
func (w *world) changeSomehow(random *rand.Rand, modules map[string][]byte) {
	c := Change{Source: Source{Wasm: modules[fmt.Sprintf("stamp%03d", 1+random.IntN(len(modules)))]}}
	var err error
	switch random.IntN(7) {
	case 0:
		_, err = w.Rollback(ctx0, "policy", "")
	case 1:
		c.Tasks = []string{"task 1", "task 2"}
		_, err = w.Shadow(ctx0, "policy", c)
	case 2:
		_, err = w.Shadow(ctx0, "policy", c)
	case 3:
		_, err = w.Promote(ctx0, "policy", "")
	case 4:
		_, err = w.Drop(ctx0, "policy")
	case 5:
		_, err = w.Swap(ctx0, "policy", Change{Source: Source{Path: "no.wasm"}})
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	default:
		_, err = w.Swap(ctx0, "policy", c)
	}
	if err != nil && !errors.Is(err, fault.ErrNoGeneration) && !errors.Is(err, fault.ErrNoCandidate) {
		w.t.Error(err)
	}
}

// Faults, returns and outages at the same time as changes: no call is left without an outcome, and nothing leaks.
func TestHammerFaultsUnderChanges(t *testing.T) {
	modules := answers(t, 2)
	w := newWorld(t, shippedAs(modules["stamp001"]), func(o *Options) { o.Journal = nil })
	w.add("policy", modules["stamp001"])
	var callers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if v, out := w.dialog("task"); out.Decided == (out.Fault != "") || out.Decided && v.Text != v.Rule {
					t.Errorf("a call came to %+v, %+v", out, v)
				}
			}
		})
	}
	const rounds = 40
	for range rounds {
		w.swap("policy", fixture(t, "trap_later"))
		for w.plugin("policy").Serving.Trigger != triggerFaults {
			<-w.changed
		}
		w.swap("policy", modules["stamp002"])
	}
	close(stop)
	callers.Wait()
	if p := w.plugin("policy"); p.Tally.Returns != rounds || p.Serving.SHA256 != hashOf(modules["stamp002"]) {
		t.Errorf("the plugin is %+v", p)
	}
}
