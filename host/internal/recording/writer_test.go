package recording

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files")

// memory is a file with limited room. Like a disk, it accepts a part of what is written when it becomes full.
type memory struct {
	data   []byte
	room   int // 0: no limit
	closed bool
}

var errFullDisk = errors.New("no space left on device")

func (m *memory) WriteAt(p []byte, at int64) (n int, err error) {
	end := int(at) + len(p)
	if m.room > 0 && end > m.room {
		end, err = max(m.room, int(at)), errFullDisk
	}
	if end > len(m.data) {
		m.data = append(m.data, make([]byte, end-len(m.data))...)
	}
	return copy(m.data[at:end], p), err
}

func (m *memory) Truncate(size int64) error {
	m.data = m.data[:size]
	return nil
}

func (m *memory) Close() error {
	m.closed = true
	return nil
}

func (m *memory) read(t *testing.T) *contents {
	t.Helper()
	c, err := read(bytes.NewReader(m.data), int64(len(m.data)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 123_456_789, time.UTC)
	goldMeta = Meta{Task: "default", Began: noon, Width: 16, Height: 8}
)

func frameOf(content string) Frame { return Frame{Data: key(16, 8, content), Width: 16, Height: 8} }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// written writes three frames into a file, which it leaves open.
func written(t *testing.T, to file) *writer {
	t.Helper()
	w, err := newWriter(to, goldMeta)
	must(t, err)
	must(t, w.frame(0, frameOf("red")))
	must(t, w.frame(200*time.Millisecond, frameOf("green")))
	must(t, w.frame(70*time.Second, frameOf("blue")))
	return w
}

func TestTheBytesOfAFile(t *testing.T) {
	golden := func(name string, got []byte) {
		t.Helper()
		path := filepath.Join("testdata", name)
		if *update {
			must(t, os.WriteFile(path, got, 0o600))
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs:\n%q\n%q", name, got, want)
		}
	}
	m := &memory{}
	w := written(t, m)
	golden("open.webm", m.data)
	must(t, w.finish(75*time.Second, Totals{Dropped: 2, Ending: EndedTask}))
	golden("finished.webm", m.data)
	if !m.closed {
		t.Error("the file was not closed")
	}
}

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	m := &memory{}
	w := written(t, m)
	got := m.read(t)
	if got.Meta != goldMeta || got.Totals != (Totals{Frames: 3, Duration: 70 * time.Second}) || !got.open() || got.end != w.size ||
		!reflect.DeepEqual(got.cues, w.cues) || got.origin != w.origin {
		t.Errorf("open: %+v", got)
	}
	must(t, w.finish(75*time.Second, Totals{Dropped: 2, Ending: EndedTask}))
	got = m.read(t)
	if got.Meta != goldMeta || got.Totals != (Totals{Frames: 4, Dropped: 2, Duration: 75*time.Second + time.Millisecond, Ending: EndedTask}) {
		t.Errorf("finished: %+v", got)
	}
}

func TestAFileIsWholeWhereverItsWriterIsKilled(t *testing.T) {
	m := &memory{}
	w := written(t, m)
	first := w.cues[0].offset
	for size := first; size <= w.size; size++ {
		cutOff := &memory{data: bytes.Clone(m.data[:size])}
		frames := 0
		for i := range w.cues {
			if i+1 == len(w.cues) && size == w.size || i+1 < len(w.cues) && size >= w.cues[i+1].offset {
				frames = i + 1
			}
		}
		c := cutOff.read(t)
		if c.Frames != frames || c.end > size {
			t.Fatalf("of %d bytes %d frames are read, want %d", size, c.Frames, frames)
		}
		must(t, repair(cutOff, c))
		if c := cutOff.read(t); c.Ending != EndedKilled || c.Frames != frames || c.Meta != goldMeta {
			t.Fatalf("of %d bytes is made %+v", size, c)
		}
	}
	for size := range first {
		if _, err := read(bytes.NewReader(m.data[:size]), size); !errors.Is(err, ErrFormat) {
			t.Fatalf("of %d bytes of the header: %v", size, err)
		}
	}
}

func TestAFullDiskLeavesAFileThatPlays(t *testing.T) {
	whole := &memory{}
	w := written(t, whole)
	for room := int(w.cues[0].offset); room < int(w.size)+100; room++ {
		m := &memory{room: room}
		w, err := newWriter(m, goldMeta)
		must(t, err)
		for i := 0; err == nil && i < 3; i++ {
			err = w.frame(time.Duration(i)*time.Second, frameOf("content"))
		}
		frames := len(w.cues)
		ended := w.finish(time.Duration(frames)*time.Second, Totals{Ending: EndedError})
		if ended != nil && !errors.Is(ended, errFullDisk) || !m.closed {
			t.Fatalf("with room for %d bytes: %v", room, ended)
		}
		c := m.read(t)
		if c.Ending != EndedError || c.Frames < frames || c.Frames > frames+1 || int64(len(m.data)) != w.size {
			t.Fatalf("with room for %d bytes: %+v", room, c)
		}
	}
}

func TestTimesDoNotGoBackwards(t *testing.T) {
	m := &memory{}
	w, err := newWriter(m, goldMeta)
	must(t, err)
	for _, at := range []time.Duration{time.Second, 0, time.Second, 5 * time.Second} {
		must(t, w.frame(at, frameOf("content")))
	}
	must(t, w.finish(0, Totals{Ending: EndedTask}))
	for i, want := range []int64{1000, 1001, 1002, 5000} {
		if got := w.cues[i].at; got.Milliseconds() != want {
			t.Errorf("frame %d is at %v", i, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"open.webm", "finished.webm"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		if c.end > int64(len(data)) || c.Duration < 0 || c.origin <= 0 {
			t.Errorf("read %+v", c)
		}
	})
}
