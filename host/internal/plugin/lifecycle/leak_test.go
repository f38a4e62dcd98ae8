package lifecycle

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// footprint is what the process has of what swaps could leak.
type footprint struct {
	goroutines, files int
	heap              uint64
}

func measure(t *testing.T) footprint {
	t.Helper()
	var stats runtime.MemStats
	for range 3 { // finalizers and pools let go in the second collection
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	f := footprint{goroutines: runtime.NumGoroutine(), heap: stats.HeapAlloc}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil { // elsewhere than on Linux it is not counted
		f.files = len(entries)
	}
	return f
}

// swaps is how many the test makes; fewer with the race detector.
var swaps = 5000

// timed is a journal that tells when a module is about to come into service: it reads the recent calls just before.
type timed struct {
	*journal.Ring
	about chan struct{}
}

func (j timed) Recent(plugin string, most int) []journal.Entry {
	for range cap(j.about) {
		select {
		case j.about <- struct{}{}:
		default:
		}
	}
	return j.Ring.Recent(plugin, most)
}

// burst is how many calls a caller makes while a swap takes place.
const burst = 20

// Calls that begin before a swap and end after it, calls that race with it, and calls of all tasks in between: each
// gets one whole answer of one module, none is lost, and five thousand generations leave nothing behind.
// watchfulHandler looks at the engine when it is told that a plugin is closed.
type watchfulHandler struct {
	slog.Handler
	look func()
}

func (h watchfulHandler) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "plugin closed" {
		h.look()
	}
	return nil
}

func (h watchfulHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h watchfulHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// Who closed an engine may take away what it logs to: it is known until its last line.
func TestAGenerationIsForgottenAfterItsLastLine(t *testing.T) {
	var w *world
	known := make(chan int, 1)
	w = newWorld(t, func(o *Options) {
		o.Logger = slog.New(watchfulHandler{slog.DiscardHandler, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			known <- len(w.alive)
		}})
	})
	w.add("policy", stamped(t, "answer", "stamp--A"))
	w.Close()
	if n := <-known; n != 1 {
		t.Errorf("%d generations were known when its end was logged", n)
	}
}

func TestFiveThousandSwapsUnderLoad(t *testing.T) {
	modules := answers(t, 2)
	about := make(chan struct{}, 2)
	w := newWorld(t, func(o *Options) { o.Journal = timed{journal.NewRing(50, 1<<20), about} })
	w.add("policy", modules["stamp001"])
	load := &callers{w: w, stamps: map[string]string{}, stop: make(chan struct{})}
	for stamp, wasm := range modules {
		load.stamps[hashOf(wasm)] = stamp
	}
	for i := range cap(about) {
		load.done.Go(func() {
			for {
				select {
				case <-about:
					for range burst {
						load.call(fmt.Sprintf("task %d", i))
					}
				case <-load.stop:
					return
				}
			}
		})
	}
	swap := func(from, to int) {
		for i := from; i < to; i++ {
			end := load.across(fmt.Sprintf("stamp%03d", 1+i%2))
			w.swap("policy", modules[fmt.Sprintf("stamp%03d", 1+(i+1)%2)])
			end()
		}
	}
	begin := time.Now()
	swap(0, swaps/10) // until the history and the journal are full
	w.drained()
	warm := measure(t)
	swap(swaps/10, swaps)
	took := time.Since(begin)
	asked := load.end()
	w.drained()
	after := measure(t)

	p := w.plugin("policy")
	if p.Stats.Calls != asked || p.Stats.Decided != asked || p.Stats.FaultsCounted() != 0 || p.Stats.Busy != 0 {
		t.Errorf("%d calls were asked, and counted are %+v", asked, p.Stats)
	}
	if p.Tally.Swaps != uint64(swaps) || p.Tally.Refused != 0 || p.Serving.Number != swaps+1 {
		t.Errorf("the plugin is %+v", p)
	}
	if s := p.Stats; s.InstancesLive > patient.Instances || s.MemoryBytes > int64(patient.Instances)*64<<10 {
		t.Errorf("%d instances with %d bytes are alive", s.InstancesLive, s.MemoryBytes)
	}
	if len(w.alive) != 1 {
		t.Errorf("%d modules are loaded, want 1", len(w.alive))
	}
	// The callers were there before, and are gone by now.
	if after.goroutines > warm.goroutines-cap(about) || after.files > warm.files {
		t.Errorf("before %+v, after %+v", warm, after)
	}
	if grown := int64(after.heap) - int64(warm.heap); grown > 2<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	t.Logf("%d swaps under %d calls, %v each", swaps, asked, took/time.Duration(swaps))
}

// across begins a call that is in its module until the returned function is called. The module is the one of the stamp.
func (c *callers) across(stamp string) (end func()) {
	inside, leave := make(chan struct{}), make(chan struct{})
	var call sync.WaitGroup
	call.Go(func() {
		e := abi.DialogEvent{}
		var v abi.DialogVerdict
		out := c.w.Ask(ctx0, Question{Hook: abi.HookDialog, Task: "across", Header: &e.Header, Encode: e.Append, Decode: func(b []byte) error {
			close(inside)
			<-leave
			return v.Unmarshal(b)
		}})
		c.asked.Add(1)
		if !out.Decided || v.Text != stamp || v.Rule != stamp || c.stamps[out.Calls[0].SHA256] != stamp {
			c.w.t.Errorf("a call that began on %s came to %+v, %+v", stamp, out, v)
		}
	})
	<-inside
	return func() {
		close(leave)
		call.Wait()
	}
}
