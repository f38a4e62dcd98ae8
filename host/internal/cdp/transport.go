package cdp

import (
	"context"
	"io"
)

// transport moves whole messages. read is only called by the reader goroutine, write only by the writer goroutine,
// close by anybody and more than once.
type transport interface {
	read() (incoming, error)
	// write sends one message, which was made by newOutgoing.
	write(message []byte) error
	ping(ctx context.Context) error
	// received counts the bytes that came in, also those of a message whose end has not come.
	received() int64
	// close ends reads and writes that are under way. A graceful close first says good-bye, for at most closeGrace.
	close(graceful bool)
}

const (
	// detachSize is the size in bytes from which a message keeps its buffer: its parts are handed on without a copy,
	// and the transport takes a new buffer. Smaller ones share a buffer and their parts are copied.
	detachSize = 64 << 10
	// headSize is how much of a message over the limit is kept, to find its id or method.
	headSize = 1 << 10
)

// incoming is a message from the browser.
type incoming struct {
	// data is the whole message, or its first headSize bytes when size is over the limit. It is valid until the next
	// read, or for ever when it is longer than detachSize.
	data []byte
	size int64
}

// detached says that data belongs to the receiver.
func (m incoming) detached() bool { return len(m.data) > detachSize }

// gather reads r to its end into buf, which it grows as needed. Over limit it keeps the head and discards the rest in a
// stream. The caller may reuse the returned buffer when the message is not detached.
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
			head := append([]byte(nil), buf[:headSize]...) // the large buffer is let go
			return incoming{data: head, size: int64(len(buf)) + rest}, nil, err
		}
	}
}
