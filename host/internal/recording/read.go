package recording

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// ErrFormat says that a file is not a recording of this package; the text says what is wrong with it.
var ErrFormat = errors.New("the file is not a recording")

// maxHeader is larger than any header of this package.
const maxHeader = 4 << 10

// contents is what is read from a file.
type contents struct {
	Meta
	Totals
	origin int64 // of the segment's content
	cues   []cue // of an open file
	end    int64 // of the last complete frame of an open file
	whole  bool  // the header is complete: its last part was read
}

// open reports whether the file was not ended.
func (c *contents) open() bool { return c.Ending == "" }

// read reads what a file of a size says about itself. If the file was not ended, it also finds its frames.
func read(from io.ReaderAt, size int64) (*contents, error) {
	start := make([]byte, min(size, maxHeader))
	if _, err := from.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	h, ok := readHead(start)
	if !ok || h.id != idEBML || h.size > uint64(len(start)-h.length) {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrFormat)
	}
	rest := start[h.length+int(h.size):]
	segment, ok := readHead(rest)
	if !ok || segment.id != idSegment {
		return nil, fmt.Errorf("%w: it has no segment", ErrFormat)
	}
	c := &contents{origin: int64(len(start) - len(rest) + segment.length)}
	first := c.origin
	for content := rest[segment.length:]; ; {
		h, ok := readHead(content)
		if !ok || h.id == idCluster || h.id == idCues || h.unknown || h.size > uint64(len(content)-h.length) {
			break
		}
		end := h.length + int(h.size)
		c.take(h.id, content[h.length:end])
		content, first = content[end:], first+int64(end)
	}
	if !c.whole || c.Width == 0 || c.Began.IsZero() {
		return nil, fmt.Errorf("%w: its header is incomplete", ErrFormat)
	}
	if c.open() {
		c.scan(from, first, size)
	}
	return c, nil
}

// take reads one element of the header.
func (c *contents) take(id uint32, content []byte) {
	switch id {
	case idInfo:
		each(content, func(id uint32, content []byte) bool {
			switch id {
			case idDateUTC:
				c.Began = matroskaEpoch.Add(time.Duration(number(content)))
			case idDuration:
				c.Duration = duration(content)
			}
			return true
		})
	case idTracks:
		each(content, func(_ uint32, entry []byte) bool {
			each(entry, func(id uint32, content []byte) bool {
				if id == idVideo {
					c.video(content)
				}
				return true
			})
			return true
		})
	case idTags:
		parseTags(content, &c.Meta, &c.Totals)
		c.whole = true
	}
}

func (c *contents) video(content []byte) {
	each(content, func(id uint32, content []byte) bool {
		switch id {
		case idPixelWidth:
			c.Width = int(number(content) & sizeMask)
		case idPixelHeight:
			c.Height = int(number(content) & sizeMask)
		}
		return true
	})
}

// duration reads a number of milliseconds, as written by floatElement.
func duration(content []byte) time.Duration {
	ms := math.Float64frombits(number(content))
	if !(ms >= 0 && ms < float64(math.MaxInt64/int64(time.Millisecond))) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// scan goes from cluster to cluster, without reading the frames in them, until one is incomplete.
func (c *contents) scan(from io.ReaderAt, at, size int64) {
	c.end = at
	start := make([]byte, 32)
	for at < size {
		n, _ := from.ReadAt(start[:min(int64(len(start)), size-at)], at) // what cannot be read is incomplete
		h, ok := readHead(start[:n])
		if !ok || h.id != idCluster || h.unknown || h.size > uint64(size-at)-uint64(h.length) {
			break
		}
		stamp, ok := readHead(start[h.length:n])
		from := h.length + stamp.length
		if !ok || stamp.id != idTimestamp || stamp.size > 8 || from+int(stamp.size) > n {
			break
		}
		shown := time.Duration(number(start[from:from+int(stamp.size)])) * time.Millisecond
		if shown < c.Duration { // a time that goes backwards or overflows
			break
		}
		c.cues = append(c.cues, cue{shown, at})
		c.Frames, c.Duration = c.Frames+1, shown
		at += int64(h.length) + int64(h.size)
		c.end = at
	}
}

// repair ends a file that its writer left open.
func repair(to file, c *contents) error {
	if err := to.Truncate(c.end); err != nil {
		return err
	}
	w := &writer{to: to, meta: c.Meta, origin: c.origin, size: c.end, cues: c.cues, lastAt: c.Duration}
	return w.seal(Totals{Frames: c.Frames, Dropped: c.Dropped, Duration: c.Duration + time.Millisecond, Ending: EndedKilled})
}
