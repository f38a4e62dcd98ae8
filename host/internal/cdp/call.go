package cdp

import (
	"context"
	"time"
)

// Send queues a command and returns its id; the handler gets the reply. params is nil, raw JSON (json.RawMessage,
// jsontext.Value, []byte) or a value to encode. It never blocks. Every failure is a [*CallError] and means that nothing
// was sent and no reply will come.
func (c *Conn) Send(sessionID, method string, params any) (id int64, err error) {
	return c.send(pendingCommand{sessionID: sessionID, method: method}, params)
}

// Call sends a command, waits for the reply and decodes it into result: a pointer, a *json.RawMessage (or
// *jsontext.Value, *[]byte) for the raw JSON, or nil. Every failure is a [*CallError]. If ctx ends first, it wraps the
// cause of ctx, and the late reply is dropped; the browser may still run the command.
func (c *Conn) Call(ctx context.Context, sessionID, method string, params, result any) error {
	if ctx.Err() != nil {
		return &CallError{Method: method, SessionID: sessionID, Err: &noReplyError{ctx}}
	}
	reply := make(chan Message, 1)
	id, err := c.send(pendingCommand{sessionID: sessionID, method: method, reply: reply}, params)
	if err != nil {
		return err
	}
	var m Message
	select {
	case m = <-reply:
	case <-ctx.Done():
		if _, waiting := c.take(id); waiting {
			return &CallError{Method: method, SessionID: sessionID, Err: &noReplyError{ctx}}
		}
		m = <-reply // taken by the reader a moment ago
	}
	if m.Err == nil {
		m.Err = decodeResult(m.Result, result)
	}
	if m.Err != nil {
		return &CallError{Method: method, SessionID: sessionID, Err: m.Err}
	}
	return nil
}

// FailSession ends every command that waits for a reply on a session: each Call returns err, and each Send hands err to
// the handler. It is for sessions that are gone, as the browser never answers for a crashed or detached target. Replies
// that still arrive are dropped.
func (c *Conn) FailSession(sessionID string, err error) {
	gone := map[int64]pendingCommand{}
	c.mu.Lock()
	if c.lost != nil {
		c.mu.Unlock()
		return // everything has already failed
	}
	c.workers.Add(1) // makes OnClose wait for these; adding is safe, as the workers run until the connection is lost
	defer c.workers.Done()
	for id, p := range c.pending {
		if p.sessionID == sessionID {
			gone[id] = p
			delete(c.pending, id)
		}
	}
	c.mu.Unlock()
	c.fail(gone, err)
}

// send registers a command and queues it. Both happen under one lock, so that the reply finds the command.
func (c *Conn) send(p pendingCommand, params any) (int64, error) {
	raw, err := encodeParams(params)
	if err != nil {
		return 0, &CallError{Method: p.method, SessionID: p.sessionID, Err: err}
	}
	c.mu.Lock()
	if c.lost != nil {
		lost := c.lost
		c.mu.Unlock()
		return 0, &CallError{Method: p.method, SessionID: p.sessionID, Err: lost}
	}
	c.lastID++
	id := c.lastID
	// The id is assigned and the message queued under one lock, so that ids are sent in order.
	err = c.out.add(newOutgoing(id, p.sessionID, p.method, raw))
	if err == nil {
		c.pending[id] = p
		c.lastSent.Store(time.Now().UnixNano())
	}
	c.mu.Unlock()
	if err != nil {
		return 0, &CallError{Method: p.method, SessionID: p.sessionID, Err: err}
	}
	return id, nil
}

// take removes a pending command; false if it was already finished.
func (c *Conn) take(id int64) (pendingCommand, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.pending[id]
	delete(c.pending, id)
	return p, ok
}
