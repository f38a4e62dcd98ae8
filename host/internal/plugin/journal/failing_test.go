package journal

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

var errFull = errors.New("the disk is full")

// limited has room for so many bytes more.
type limited struct {
	io.WriteCloser
	room int
}

func (l *limited) Write(b []byte) (int, error) {
	n, err := l.WriteCloser.Write(b[:min(len(b), l.room)])
	l.room -= n
	if err == nil && n < len(b) {
		err = errFull
	}
	return n, err
}

// Each call is written or lost, and what is written is what the files have, wherever in a burst a file fails.
func TestACallIsWrittenOrLostAndNeverBoth(t *testing.T) {
	for _, c := range []struct {
		name        string
		calls, room int
		some        bool // come to the file before it fails
		none        bool // is lost
	}{
		{name: "nothing fits", calls: 5, room: 0},
		{name: "the last flush fails", calls: 5, room: 3000, some: true},
		{name: "a line is cut", calls: 200, room: 10_001, some: true},
		{name: "the buffer was flushed once", calls: 200, room: 100_000, some: true},
		{name: "all fits", calls: 200, room: 1 << 20, some: true, none: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			w, f := newWriter(WriterOptions{Dir: dir}.withDefaults()), &files{dir: dir, fileBytes: 1 << 20, dirBytes: 1 << 20}
			if err := f.begin(); err != nil {
				t.Fatal(err)
			}
			f.file.WriteCloser = &limited{f.file.WriteCloser, c.room}
			addBurst(w, c.calls)
			go w.run(f) // only now, so that the burst waits in the queue
			if err := w.Close(); err != nil {
				t.Errorf("the file that failed was given up, and yet: %v", err)
			}
			got, _ := readAll(t, dir)
			if w.Written() != uint64(len(got)) || w.Written()+w.Lost() != uint64(c.calls) {
				t.Errorf("of %d calls %d are in files; %d count as written, %d as lost", c.calls, len(got), w.Written(), w.Lost())
			}
			if c.some != (len(got) > 0) || c.none != (w.Lost() == 0) {
				t.Errorf("%d calls are in files, %d lost", len(got), w.Lost())
			}
		})
	}
}

func addBurst(w *Writer, calls int) {
	event := (&abi.DialogClosedEvent{Text: strings.Repeat("x", 1000)}).Append(nil)
	for n := range calls {
		w.Add(Entry{Sequence: uint64(n + 1), Hook: abi.HookDialogClosed, Plugin: "p", ConfigHash: "c", Event: event, Outcome: OutcomeAbstained})
	}
}

// What a file tells of lost calls is told again where the file failed before it had that line.
func TestLostCallsAreToldByTheNextFile(t *testing.T) {
	dir := t.TempDir()
	f := &files{dir: dir, fileBytes: 1 << 20, dirBytes: 1 << 20}
	if err := f.begin(); err != nil {
		t.Fatal(err)
	}
	f.file.WriteCloser = &limited{f.file.WriteCloser, 0}
	if err := f.reportLost(7); err != nil {
		t.Fatal(err)
	}
	if err := f.end(); !errors.Is(err, errFull) {
		t.Fatalf("the end of a full disk: %v", err)
	}
	if err := errors.Join(f.ready(), f.reportLost(7), f.end()); err != nil {
		t.Fatal(err)
	}
	if _, r := readAll(t, dir); r.Lost() != 7 {
		t.Errorf("the files tell of %d lost calls", r.Lost())
	}
}
