package cdp

import (
	"context"
	"io"
)

// transport moves whole messages. Only the reader goroutine calls read, only the writer goroutine calls write; anybody
// may call close, more than once.
type transport interface {
	read() (incoming, error)
	// write sends one message, which was made by newOutgoing.
	write(message []byte) error
	ping(ctx context.Context) error
	// received counts the bytes that came in, including those of an incomplete message.
	received() int64
	// close ends reads and writes that are under way. A graceful close does the closing handshake first, for at most
	// closeGrace.
	close(graceful bool)
}

const (
	// detachSize is the size in bytes from which a message keeps its buffer: its parts are handed on without a copy, and
	// the transport takes a new buffer. Smaller messages share a buffer, and their parts are copied.
	detachSize = 64 << 10
	// headSize is how much of a message over the limit is kept, to find its id or method.
	headSize = 1 << 10
)

// incoming is a message from the browser.
type incoming struct {
	// data is the whole message, or its first headSize bytes if size is over the limit. It is valid until the next read,
	// or forever if it is longer than detachSize.
	data []byte
	size int64
}

// detached reports whether data belongs to the receiver.
func (m incoming) detached() bool { return len(m.data) > detachSize }

// gather reads r to its end into buf, which it grows as needed. Over the limit it keeps the head and discards the rest
// as it arrives. The caller may reuse the returned buffer if the message is not detached.
func gather(r io.Reader, buf []byte, limit int64) (incoming, []byte, error) {
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, max(2*cap(buf), detachSize)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			size := int64(len(buf))
			if size > limit {
				buf = buf[:min(len(buf), headSize)]
			}
			return incoming{data: buf, size: size}, buf, nil
		}
		if err != nil {
			return incoming{}, buf, err
		}
		if int64(len(buf)) > max(limit, headSize) {
			rest, err := io.Copy(io.Discard, r)
			head := append([]byte(nil), buf[:headSize]...) // frees the large buffer
			return incoming{data: head, size: int64(len(buf)) + rest}, nil, err
		}
	}
}
