package engine

import (
	"context"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// maxConsoleAsks is how many messages wait for the console hook. A page can log faster than modules decide.
const maxConsoleAsks = 1000

// consoleQueue has the messages that wait for the console hook, and are asked about one after the other, so that they
// stay in order.
type consoleQueue struct {
	mu      sync.Mutex
	waiting []supervise.AskConsole
	asking  bool
	dropped int // because too many waited
}

// askConsole queues a message for the console hook.
func (l *Link) askConsole(e supervise.AskConsole) {
	q := &l.consoleAsks
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= maxConsoleAsks {
		q.dropped++
		return
	}
	q.waiting = append(q.waiting, e)
	if !q.asking {
		q.asking = true
		l.work.Go(l.askWaiting)
	}
}

// askWaiting asks about what waits until nothing does.
func (l *Link) askWaiting() {
	for {
		batch, dropped := l.consoleAsks.take()
		if dropped > 0 {
			l.Log.Warn("console messages were dropped: pages log faster than the plugins of the console hook decide", "messages", dropped)
		}
		if len(batch) == 0 {
			return
		}
		for _, e := range batch {
			if l.ctx.Err() != nil {
				return
			}
			l.inbox.put(supervise.Event(l.judgeConsole(e)))
		}
	}
}

// take returns what waits. Without anything the next message starts another goroutine.
func (q *consoleQueue) take() (batch []supervise.AskConsole, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	batch, dropped = q.waiting, q.dropped
	q.waiting, q.dropped, q.asking = nil, 0, len(batch) > 0
	return batch, dropped
}

// judgeConsole asks the modules about a message.
func (l *Link) judgeConsole(e supervise.AskConsole) supervise.ConsoleVerdict {
	wait, cancel := context.WithTimeout(l.ctx, askLimit)
	defer cancel()
	q, verdict := hooks.Console(e, l.group.options.ConsoleFailOpen)
	q.Wait = wait
	return verdict(l.group.plugins.Ask(l.ctx, q))
}
