package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// WriterOptions are what a [Writer] is made with. Dir is required.
type WriterOptions struct {
	// Dir is the directory of the files; it is made with mode 0700 where it is not there.
	Dir string
	// FileBytes is the size after which a new file is begun. Default 16 MiB.
	FileBytes int64
	// DirBytes is how much all files of the directory may take, those of earlier runs too; the oldest are removed. Default
	// 256 MiB.
	DirBytes int64
	// QueueEntries and QueueBytes bound what waits to be written. Default 4,096 calls and 32 MiB.
	QueueEntries int
	QueueBytes   int64
	// Logger is told about files that cannot be written; nil: no one is.
	Logger *slog.Logger
}

func (o WriterOptions) withDefaults() WriterOptions {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.FileBytes = positive(o.FileBytes, 16<<20)
	o.DirBytes = positive(o.DirBytes, 256<<20)
	o.FileBytes = min(o.FileBytes, o.DirBytes)
	o.QueueBytes = positive(o.QueueBytes, 32<<20)
	o.QueueEntries = int(positive(int64(o.QueueEntries), 4096))
	return o
}

func positive(n, otherwise int64) int64 {
	if n <= 0 {
		return otherwise
	}
	return n
}

// Writer writes calls to files, one line each, with secrets masked. Add never waits: one goroutine writes, and what it
// cannot keep up with is dropped and counted. Its methods may be called from any goroutine; a nil Writer writes nothing.
//
// What was added is in the file once the writer has nothing more to do; a process that is killed loses what waited, and
// leaves at most the last line cut.
type Writer struct {
	options WriterOptions
	encoder *encoder
	queue   chan Entry
	queued  atomic.Int64 // bytes
	lost    atomic.Uint64
	written atomic.Uint64
	done    chan struct{}
	err     error // of the end; to be read after done

	mu     sync.RWMutex // held to add to the queue; the writer's end closes it
	closed bool
}

// OpenWriter makes the directory and the first file, so that a directory that cannot be used is told at once.
func OpenWriter(o WriterOptions) (*Writer, error) {
	o = o.withDefaults()
	if o.Dir == "" {
		return nil, errors.New("the journal needs a folder; give one, or none to keep no files")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("the journal's folder: %w; make it, or choose another", err)
	}
	f := &files{dir: o.Dir, fileBytes: o.FileBytes, dirBytes: o.DirBytes}
	if err := f.begin(); err != nil {
		_ = f.end() // it may have been opened
		return nil, fmt.Errorf("the journal's folder %s can not be written: %w; change its rights, or choose another", o.Dir, err)
	}
	w := newWriter(o)
	go w.run(f)
	return w, nil
}

func newWriter(o WriterOptions) *Writer {
	return &Writer{options: o, encoder: newEncoder(), queue: make(chan Entry, o.QueueEntries), done: make(chan struct{})}
}

// Add hands a call to the writer, which shares what it points at: no one may change it any more.
func (w *Writer) Add(e Entry) {
	if w == nil {
		return
	}
	w.encoder.learn(&e)
	size := e.size()
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return
	}
	if w.queued.Add(size) > w.options.QueueBytes {
		w.drop(size)
		return
	}
	select {
	case w.queue <- e:
	default:
		w.drop(size)
	}
}

func (w *Writer) drop(size int64) {
	w.queued.Add(-size)
	w.lost.Add(1)
}

// Lost returns how many calls are in no file, as the queue was full or the files failed.
func (w *Writer) Lost() uint64 {
	if w == nil {
		return 0
	}
	return w.lost.Load()
}

// Written returns how many calls files have. Once the writer has nothing more to do, each call that was added is either
// written or lost.
func (w *Writer) Written() uint64 {
	if w == nil {
		return 0
	}
	return w.written.Load()
}

// Close writes what waits and closes the file. The error is the last one of the files, if they fail still.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
	return w.err
}

// retryAfter is how long nothing is written after the files failed: a full disk stays full for a while.
const retryAfter = 10 * time.Second

// run writes what comes until the queue is closed and empty.
func (w *Writer) run(f *files) {
	defer close(w.done)
	var failedAt time.Time
	for e := range w.queue {
		w.queued.Add(-e.size())
		if !failedAt.IsZero() && time.Since(failedAt) < retryAfter {
			w.lost.Add(1)
			continue
		}
		err := w.write(f, &e)
		if err != nil {
			w.lost.Add(1) // it did not come as far as the buffer
		} else if len(w.queue) == 0 {
			err = f.flush()
		}
		w.count(f)
		switch {
		case err != nil:
			w.failed(f, err, failedAt.IsZero())
			failedAt = time.Now()
		case !failedAt.IsZero():
			w.options.Logger.Info("the journal is written again", "folder", w.options.Dir, "lost", w.lost.Load())
			failedAt = time.Time{}
		}
	}
	w.err = f.end()
	w.count(f)
}

// count takes over what the files have counted.
func (w *Writer) count(f *files) {
	w.written.Add(f.kept)
	w.lost.Add(f.gone)
	f.kept, f.gone = 0, 0
}

// failed gives the file up, and with it the calls that only the buffer has: the next call begins another.
func (w *Writer) failed(f *files, err error, first bool) {
	_ = f.end() // it has failed already
	w.count(f)
	if first {
		w.options.Logger.Warn("the journal can not be written; calls are lost until it can", "folder", w.options.Dir, "error", err)
	}
}

// write puts a call into the buffer. After an error it is not there.
func (w *Writer) write(f *files, e *Entry) error {
	if err := f.ready(); err != nil {
		return err
	}
	w.count(f) // of the file that was full
	if err := f.tell(w.lost.Load()); err != nil {
		return err
	}
	if !f.configs[e.ConfigHash] {
		if err := f.write(w.encoder.config(e).line); err != nil {
			return err
		}
		f.configs[e.ConfigHash] = true
	}
	return f.writeCall(w.encoder.call(e))
}
