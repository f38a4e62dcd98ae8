package cdp

import (
	"bytes"
	"log/slog"
)

// writeAll is the writer goroutine.
func (c *Conn) writeAll() {
	defer c.workers.Done()
	var batch [][]byte
	for {
		var ok bool
		if batch, ok = c.out.take(batch); !ok {
			return
		}
		for i, message := range batch {
			size := int64(len(message))
			c.count.bytesOut.Add(size) // before the reply can come, so that its receiver finds the command counted
			if err := c.transport.write(message); err != nil {
				c.shutdown(lossCause(err))
				return
			}
			c.out.written(size)
			batch[i] = nil // lets go of a large upload before the batch ends
		}
	}
}

// readAll is the reader goroutine.
func (c *Conn) readAll() {
	defer c.workers.Done()
	sessions := interner{}
	for {
		in, err := c.transport.read()
		if err != nil {
			c.shutdown(lossCause(err))
			return
		}
		c.count.bytesIn.Add(in.size)
		if in.size > c.limit {
			c.discard(in)
			continue
		}
		c.route(in, sessions)
	}
}

// route hands a message to whoever waits for it.
func (c *Conn) route(in incoming, sessions interner) {
	wanted := *c.wanted.Load()
	e, ok := scanEnvelope(in.data, func(method []byte) bool {
		_, found := wanted[string(method)]
		return found
	})
	switch {
	case !ok || !e.hasID && e.method == nil:
		c.count.malformed.Add(1)
		c.log.Warn("dropped a message that is not a CDP envelope", slog.Int64("bytes", in.size))
	case e.skipped:
		c.count.skipped.Add(1)
	case e.hasID:
		c.reply(in, e)
	default:
		c.count.events.Add(1)
		c.deliver.deliver(Message{
			SessionID: sessions.intern(e.sessionID),
			Method:    wanted[string(e.method)],
			Params:    own(in, e.params),
		})
	}
}

// reply finishes the command that e answers.
func (c *Conn) reply(in incoming, e envelope) {
	p, ok := c.take(e.id)
	if !ok {
		c.count.discarded.Add(1)
		return
	}
	c.count.replies.Add(1)
	m := Message{ID: e.id, SessionID: p.sessionID, Method: p.method, Result: own(in, e.result)}
	if e.fail != nil && string(e.fail) != "null" {
		m.Err = parseError(e.fail)
	}
	c.finish(p, m)
}

// discard handles a message over the limit, of which only the head is left. Chromium puts id and method first.
func (c *Conn) discard(in incoming) {
	c.count.discarded.Add(1)
	e, _ := scanEnvelope(in.data, nil) // the message is cut off, so only what comes before the cut counts
	c.log.Warn("discarded a message over the read limit",
		slog.Int64("bytes", in.size), slog.Int64("limit", c.limit), slog.Int64("id", e.id), slog.String("method", string(e.method)))
	if p, ok := c.take(e.id); ok {
		c.finish(p, Message{ID: e.id, SessionID: p.sessionID, Method: p.method, Err: &TooLargeError{Size: in.size, Limit: c.limit}})
	}
}

// own returns a part of the message that the receiver may keep.
func own(in incoming, part []byte) []byte {
	if in.detached() {
		return part[:len(part):len(part)]
	}
	return bytes.Clone(part)
}

// interner keeps one string per session id, so that events do not allocate one each.
type interner map[string]string

// internLimit bounds the memory that sessions take which are long gone.
const internLimit = 4096

func (n interner) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := n[string(b)]; ok {
		return s
	}
	if len(n) >= internLimit {
		clear(n)
	}
	s := string(b)
	n[s] = s
	return s
}
