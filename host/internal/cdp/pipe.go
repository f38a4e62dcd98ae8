package cdp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pipe is a transport over the two pipes of --remote-debugging-pipe: JSON messages, each terminated by a NUL byte.
//
// See content/browser/devtools/devtools_pipe_handler.cc in Chromium.
type pipe struct {
	in    io.ReadCloser
	out   io.WriteCloser
	buf   *bufio.Reader
	limit int64
	once  sync.Once
}

func newPipe(r io.ReadCloser, w io.WriteCloser, limit int64) *pipe {
	return &pipe{in: r, out: w, buf: bufio.NewReaderSize(r, detachSize), limit: limit}
}

// read returns a message that fits the buffer without a copy; a longer one is collected.
func (p *pipe) read() (incoming, error) {
	part, err := p.buf.ReadSlice(0)
	if err == nil {
		if size := int64(len(part) - 1); size > p.limit {
			return incoming{data: part[:min(size, headSize)], size: size}, nil
		}
		return incoming{data: part[:len(part)-1], size: int64(len(part) - 1)}, nil
	}
	whole := append(make([]byte, 0, 4*detachSize), part...)
	size := int64(len(part))
	for errors.Is(err, bufio.ErrBufferFull) {
		if size > p.limit && len(whole) > headSize {
			whole = bytes.Clone(whole[:headSize])
		}
		part, err = p.buf.ReadSlice(0)
		if size += int64(len(part)); size <= p.limit+1 { // one more for the NUL
			whole = append(whole, part...)
		}
	}
	if err != nil {
		if size > 0 && errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return incoming{}, err
	}
	if size--; size > p.limit {
		return incoming{data: whole[:min(len(whole), headSize)], size: size}, nil
	}
	return incoming{data: whole[:size], size: size}, nil
}

func (p *pipe) write(message []byte) error {
	_, err := p.out.Write(append(message, 0)) // newOutgoing left room
	return err
}

func (p *pipe) ping(context.Context) error {
	return fmt.Errorf("a pipe has no pings: %w", errors.ErrUnsupported)
}

func (p *pipe) received() int64 { return 0 }

// close closes both ends. A browser that was started with the pipe quits when it reads the end of file.
func (p *pipe) close(bool) {
	p.once.Do(func() {
		_ = p.out.Close()
		_ = p.in.Close()
	})
}
