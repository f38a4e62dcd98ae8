package cdp

import "sync/atomic"

// Stats counts what passed through a connection since it was opened.
type Stats struct {
	Events     int64 // subscribed events, handed to the handler
	Skipped    int64 // events that nobody subscribed to
	Replies    int64 // replies to waiting calls
	Discarded  int64 // messages over the read limit, and late replies
	Malformed  int64 // messages that are not CDP envelopes
	BytesIn    int64 // bytes of messages read, without framing
	BytesOut   int64 // bytes of messages written, without framing
	Queued     int64 // commands waiting to be written
	QueuedSize int64 // bytes waiting to be written
	Pending    int64 // commands without a reply so far
}

// counters is the part of Stats that the goroutines of a connection count.
type counters struct {
	events, skipped, replies, discarded, malformed, bytesIn, bytesOut atomic.Int64
}

// Stats returns the current counts. It may be called at any time.
func (c *Conn) Stats() Stats {
	queued, size := c.out.depth()
	c.mu.Lock()
	pending := len(c.pending)
	c.mu.Unlock()
	return Stats{
		Events:     c.count.events.Load(),
		Skipped:    c.count.skipped.Load(),
		Replies:    c.count.replies.Load(),
		Discarded:  c.count.discarded.Load(),
		Malformed:  c.count.malformed.Load(),
		BytesIn:    c.count.bytesIn.Load(),
		BytesOut:   c.count.bytesOut.Load(),
		Queued:     queued,
		QueuedSize: size,
		Pending:    int64(pending),
	}
}
