package engine

import (
	"container/heap"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// timers holds the armed timers of one connection, in a heap behind one runtime timer. Only the owner of the connection
// uses it.
type timers struct {
	heap  timerHeap
	dead  map[supervise.Token]bool // disarmed but still in the heap
	timer *time.Timer
}

type armed struct {
	token supervise.Token
	at    time.Time
}

func newTimers() *timers {
	t := &timers{dead: map[supervise.Token]bool{}, timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	return t
}

func (t *timers) arm(token supervise.Token, at time.Time) {
	heap.Push(&t.heap, armed{token, at})
	t.reset()
}

func (t *timers) disarm(token supervise.Token) {
	t.dead[token] = true
	t.reset()
}

// due removes the next timer that has expired.
func (t *timers) due(now time.Time) (supervise.Token, bool) {
	t.reset()
	if len(t.heap) == 0 || t.heap[0].at.After(now) {
		return 0, false
	}
	token := heap.Pop(&t.heap).(armed).token
	t.reset()
	return token, true
}

// reset removes disarmed timers from the top and sets the runtime timer to the next one.
func (t *timers) reset() {
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

func (t *timers) stop() { t.timer.Stop() }

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
