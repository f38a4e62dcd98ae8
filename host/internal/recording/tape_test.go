package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fill writes different frames of a kilobyte each, until an error.
func fill(tape *Tape, from, to int) error {
	for i := from; i < to; i++ {
		f := frameOf(fmt.Sprintf("%1000d", i))
		if err := tape.Frame(noon.Add(time.Duration(i)*time.Second), f); err != nil {
			return fmt.Errorf("frame %d: %w", i, err)
		}
	}
	return nil
}

func TestAFileOfTheMaximumSizeIsFollowedByAnother(t *testing.T) {
	s := shelf(t, Options{MaxBytes: 10_000})
	tape := s.NewTape(Meta{Task: "one"})
	must(t, fill(tape, 0, 30))
	must(t, tape.Frame(noon.Add(30*time.Second), frameOf(strings.Repeat("x", 5000)))) // too large for any file
	must(t, tape.End(noon.Add(31*time.Second), EndedTask))
	list := s.listed(t, "one")
	frames := 0
	for i, r := range list {
		frames += r.Frames - 1 // the last one is there twice
		want := EndedSize
		if i == len(list)-1 {
			want = EndedTask
			if r.Dropped != 1 {
				t.Errorf("%d frames were dropped", r.Dropped)
			}
		} else if next := list[i+1]; !next.Began.Equal(r.Began.Add(r.Duration - time.Millisecond)) {
			t.Errorf("file %d ends at %v, and the next begins at %v", i, r.Began.Add(r.Duration), next.Began)
		}
		if r.Ending != want || r.State != Finished || r.Bytes > 10_000 {
			t.Errorf("file %d is %+v", i, r)
		}
	}
	if len(list) < 4 || frames != 30 {
		t.Errorf("%d files have %d frames", len(list), frames)
	}
}

func TestAllFilesTogetherHaveAMaximumSize(t *testing.T) {
	s := shelf(t, Options{MaxBytes: 10_000, TotalBytes: 25_000})
	first, second := s.NewTape(Meta{Task: "one"}), s.NewTape(Meta{Task: "two"})
	size := func() (sum int64) {
		for _, name := range fileNames(t, s) {
			info, err := os.Stat(filepath.Join(s.options.Dir, name))
			must(t, err)
			sum += info.Size()
		}
		return sum
	}
	for i := range 60 {
		must(t, fill(first, i, i+1))
		must(t, fill(second, i, i+1))
		if got := size(); got > 25_000 {
			t.Fatalf("after %d frames all files have %d bytes", 2*i, got)
		}
	}
	must(t, first.End(noon.Add(time.Hour), EndedTask))
	must(t, second.End(noon.Add(time.Hour), EndedTask))
	for _, task := range []string{"one", "two"} {
		list := s.listed(t, task)
		if last := list[len(list)-1]; last.Duration < 59*time.Minute {
			t.Errorf("of task %s is left %+v", task, list)
		}
	}
	// Files that exceed a smaller size are removed.
	smaller := s.options
	smaller.TotalBytes = 8_000
	must(t, NewStore(smaller).Tend(noon))
	if got := size(); got > 8_000 {
		t.Errorf("%d bytes are left", got)
	}
}

func TestATapeEndsWhenItCannotBeWritten(t *testing.T) {
	s := shelf(t, Options{})
	create := s.create
	s.create = func(path string) (file, error) {
		f, err := create(path)
		return &limited{file: f, room: 5_000}, err
	}
	tape := s.NewTape(Meta{Task: "one"})
	err := fill(tape, 0, 100)
	if !errors.Is(err, errFullDisk) || !tape.Failed() || tape.Current() != "" {
		t.Fatalf("got %v", err)
	}
	must(t, tape.End(noon, EndedTask))
	list := s.listed(t, "one")
	if len(list) != 1 || list[0].State != Failed || list[0].Frames < 3 || !strings.Contains(list[0].Error, "no space left") {
		t.Errorf("the list is %+v", list)
	}
	if list := NewStore(s.options).listed(t, "one"); len(list) != 1 || list[0].State != Failed || list[0].Error != "" {
		t.Errorf("another process sees %+v", list)
	}
}

// limited is a file on a disk that is full after some bytes; existing bytes can be overwritten.
type limited struct {
	file
	room int64
}

func (l *limited) WriteAt(p []byte, at int64) (int, error) {
	if room := max(l.room-at, 0); int64(len(p)) > room {
		n, _ := l.file.WriteAt(p[:room], at)
		return n, errFullDisk
	}
	return l.file.WriteAt(p, at)
}

func TestATapeThatCannotBegin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	s := shelf(t, Options{Dir: filepath.Join(file, "recordings")})
	tape := s.NewTape(Meta{Task: "one"})
	if err := tape.Frame(noon, frameOf("red")); err == nil || !tape.Failed() {
		t.Fatalf("got %v", err)
	}
	if list := s.listed(t, "one"); len(list) != 1 || list[0].State != Failed || list[0].Path != "" || list[0].Error == "" {
		t.Errorf("the list is %+v", list)
	}
	if _, err := s.List("another"); err == nil {
		t.Error("a directory that cannot be read is not an error")
	}
	for range 2 * maxFailures {
		s.NewTape(Meta{Task: "two"}).Fail(noon, errFullDisk)
	}
	if list := s.listed(t, ""); len(list) != maxFailures {
		t.Errorf("%d failures are remembered", len(list))
	}
}
