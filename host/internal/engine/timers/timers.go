// Package timers keeps the timers that a state machine has armed.
package timers

import (
	"container/heap"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Set holds armed timers, in a heap behind one runtime timer. It is for one goroutine.
type Set struct {
	heap  timerHeap
	dead  map[supervise.Token]bool // disarmed but still in the heap
	timer *time.Timer
}

type armed struct {
	token supervise.Token
	at    time.Time
}

// New returns a set without timers.
func New() *Set {
	t := &Set{dead: map[supervise.Token]bool{}, timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	return t
}

// Arm adds a timer.
func (t *Set) Arm(token supervise.Token, at time.Time) {
	heap.Push(&t.heap, armed{token, at})
	t.reset()
}

// Disarm removes a timer, which never expires then.
func (t *Set) Disarm(token supervise.Token) {
	t.dead[token] = true
	t.reset()
}

// C gets a value when [Set.Due] may have a timer.
func (t *Set) C() <-chan time.Time { return t.timer.C }

// Due removes the next timer that has expired.
func (t *Set) Due(now time.Time) (supervise.Token, bool) {
	t.reset()
	if len(t.heap) == 0 || t.heap[0].at.After(now) {
		return 0, false
	}
	token := heap.Pop(&t.heap).(armed).token
	t.reset()
	return token, true
}

// reset removes disarmed timers from the top and sets the runtime timer to the next one.
func (t *Set) reset() {
	for len(t.heap) > 0 && t.dead[t.heap[0].token] {
		delete(t.dead, heap.Pop(&t.heap).(armed).token)
	}
	if len(t.heap) == 0 {
		t.timer.Stop()
		clear(t.dead)
		return
	}
	t.timer.Reset(time.Until(t.heap[0].at))
}

// Stop ends the runtime timer.
func (t *Set) Stop() { t.timer.Stop() }

type timerHeap []armed

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timerHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)        { *h = append(*h, x.(armed)) }
func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
