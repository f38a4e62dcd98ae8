package audit

import (
	"context"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// refusedPause is how long refused browsers are only counted after an entry of one: anybody can send wrong codes, and
// entries of them must neither fill the disk nor push others out.
const refusedPause = time.Minute

// Logins records the browsers that come to the live page with a code. It is safe for concurrent use.
type Logins struct {
	log *Log

	mu      sync.Mutex
	refused int         // since the last entry of them
	pause   *time.Timer // nil: the next one is recorded at once
	entry   Entry       // of the last one
}

// NewLogins returns what records logins.
func NewLogins(log *Log) *Logins { return &Logins{log: log} }

// Entered records that a browser was let in, or refused.
func (l *Logins) Entered(ctx context.Context, ok bool) {
	e := Entry{Action: LiveLogin}.By(ctx)
	if ok {
		l.log.Record(e.Came(nil))
		return
	}
	l.mu.Lock()
	l.refused++
	l.entry = e.Came(fault.ErrUnauthorized)
	waits := l.pause != nil
	l.mu.Unlock()
	if !waits {
		l.flush(true)
	}
}

// flush records those who were refused since the last entry; again has the next ones wait.
func (l *Logins) flush(again bool) {
	l.mu.Lock()
	n, e := l.refused, l.entry
	l.refused = 0
	if l.pause != nil {
		l.pause.Stop()
		l.pause = nil
	}
	if again && n > 0 {
		l.pause = time.AfterFunc(refusedPause, func() { l.flush(true) })
	}
	l.mu.Unlock()
	if n > 0 {
		l.log.Record(details(e, "attempts", n))
	}
}

// Close records what was only counted.
func (l *Logins) Close() { l.flush(false) }
