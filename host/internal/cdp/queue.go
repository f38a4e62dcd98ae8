package cdp

import "sync"

// queue holds the messages to be written. Adding never blocks; over the limit it fails.
type queue struct {
	mu       sync.Mutex
	ready    sync.Cond
	messages [][]byte
	bytes    int64 // of messages, and of those that the writer is writing
	count    int64
	limit    int64
	closed   bool
}

func newQueue(limit int64) *queue {
	q := &queue{limit: limit}
	q.ready.L = &q.mu
	return q
}

// add appends a message. A single message over the limit is accepted if nothing else waits, so that a large upload
// works. A closed queue drops it.
func (q *queue) add(message []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil
	}
	size := int64(len(message))
	if q.count > 0 && q.bytes+size > q.limit {
		return &QueueFullError{Queued: q.bytes, Limit: q.limit}
	}
	q.messages = append(q.messages, message)
	q.bytes += size
	q.count++
	q.ready.Signal()
	return nil
}

// take waits for messages and takes all of them; false if the queue was closed, which drops them.
func (q *queue) take(into [][]byte) ([][]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.messages) == 0 && !q.closed {
		q.ready.Wait()
	}
	if q.closed {
		return nil, false
	}
	batch := q.messages
	q.messages = into[:0]
	return batch, true
}

// written records that a taken message of that size was written.
func (q *queue) written(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= size
	q.count--
}

// depth returns how many messages and bytes are waiting.
func (q *queue) depth() (messages, bytes int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.count, q.bytes
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.messages, q.count, q.bytes = nil, 0, 0
	q.ready.Broadcast()
}
