package cdp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chunks delivers a text in pieces of the given sizes, as a pipe or socket does, then ends.
type chunks struct {
	text  []byte
	sizes []int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := min(len(c.text), len(p))
	if len(c.sizes) > 0 {
		n, c.sizes = min(n, c.sizes[0]), c.sizes[1:]
	}
	copy(p, c.text[:n])
	c.text = c.text[n:]
	return n, nil
}

func (c *chunks) Close() error { return nil }

type message struct {
	size int
	fill byte
}

func drawMessages(t *rapid.T) (messages []message, limit int64, sizes []int) {
	limit = rapid.SampledFrom([]int64{10, headSize, 5000, detachSize, 2*detachSize + 1}).Draw(t, "limit")
	near := rapid.Custom(func(t *rapid.T) int {
		around := rapid.SampledFrom([]int{0, int(limit), headSize, detachSize, 4 * detachSize}).Draw(t, "around")
		return max(0, around+rapid.IntRange(-3, 3).Draw(t, "off"))
	})
	for _, size := range rapid.SliceOfN(near, 1, 6).Draw(t, "messages") {
		messages = append(messages, message{size, byte('a' + len(messages))})
	}
	sizes = rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(1, detachSize)), 0, 50).Draw(t, "chunks")
	return messages, limit, sizes
}

func (m message) check(t *rapid.T, in incoming, limit int64) {
	if in.size != int64(m.size) {
		t.Fatalf("a message of %d bytes was taken for one of %d", m.size, in.size)
	}
	want := m.size
	if int64(m.size) > limit {
		want = min(m.size, headSize)
	}
	if len(in.data) != want || strings.Trim(string(in.data), string(m.fill)) != "" {
		t.Fatalf("a message of %d bytes with limit %d kept %d bytes, want %d of its own", m.size, limit, len(in.data), want)
	}
}

func TestPipeReadsMessagesHoweverTheyAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages, limit, sizes := drawMessages(t)
		var wire bytes.Buffer
		for _, m := range messages {
			wire.Write(bytes.Repeat([]byte{m.fill}, m.size))
			wire.WriteByte(0)
		}
		wire.WriteString("unfinished")
		p := newPipe(&chunks{wire.Bytes(), sizes}, nil, limit)
		for _, m := range messages {
			in, err := p.read()
			if err != nil {
				t.Fatal(err)
			}
			m.check(t, in, limit)
		}
		if _, err := p.read(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("the unfinished message gives %v", err)
		}
	})
}

func TestGatherReadsMessagesHoweverTheyAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages, limit, sizes := drawMessages(t)
		var buf []byte
		for _, m := range messages {
			in, next, err := gather(&chunks{bytes.Repeat([]byte{m.fill}, m.size), sizes}, buf, limit)
			if err != nil {
				t.Fatal(err)
			}
			m.check(t, in, limit)
			if buf = next; in.detached() {
				buf = nil
			}
		}
	})
}
