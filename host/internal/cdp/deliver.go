package cdp

import "sync"

// delivery calls the handler with one message at a time, and at last reports the end of the connection. It has no
// goroutine and never blocks: a message that arrives during a call, even from inside the handler, is left to that call.
type delivery struct {
	handle  func(Message)
	onClose func(error)

	mu      sync.Mutex
	busy    bool
	waiting []Message
	end     error // set once; nothing is delivered after it
	ended   chan struct{}
}

func newDelivery(handle func(Message), onClose func(error)) *delivery {
	return &delivery{handle: handle, onClose: onClose, ended: make(chan struct{})}
}

// deliver hands a message to the handler, or leaves it to the call that is under way.
func (d *delivery) deliver(m Message) {
	d.mu.Lock()
	if d.end != nil {
		d.mu.Unlock()
		return
	}
	if d.busy {
		d.waiting = append(d.waiting, m)
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	if d.handle != nil {
		d.handle(m)
	}
	d.drain()
}

// finish delivers the waiting messages, then the end. Later messages are dropped.
func (d *delivery) finish(err error) {
	d.mu.Lock()
	d.end = err
	if d.busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	d.drain()
}

// drain delivers what arrived in the meantime. The caller has set busy.
func (d *delivery) drain() {
	var batch []Message
	for {
		d.mu.Lock()
		if len(d.waiting) == 0 {
			end := d.end
			d.busy = end != nil // after the end no caller may deliver again
			d.mu.Unlock()
			if end != nil {
				if d.onClose != nil {
					d.onClose(end)
				}
				close(d.ended)
			}
			return
		}
		batch, d.waiting = d.waiting, nil
		d.mu.Unlock()
		for _, m := range batch {
			if d.handle != nil {
				d.handle(m)
			}
		}
	}
}
