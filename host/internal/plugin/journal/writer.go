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

// WriterOptions are the options of [OpenWriter]. Dir is required.
type WriterOptions struct {
	// Dir is the directory of the files. If it does not exist it is created with mode 0700.
	Dir string
	// FileBytes is the size after which a new file is started. Default 16 MiB.
	FileBytes int64
	// DirBytes is the maximum size of all files in the directory, including those of earlier runs. The oldest are
	// removed. Default 256 MiB.
	DirBytes int64
	// QueueEntries and QueueBytes bound the queue of calls to write. Default 4,096 calls and 32 MiB.
	QueueEntries int
	QueueBytes   int64
	// Logger logs files that cannot be written; nil: nothing is logged.
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

// Writer writes calls to files, one per line, with secrets masked. Add never blocks: one goroutine writes, and what it
// cannot keep up with is dropped and counted. The methods are safe for concurrent use; a nil Writer writes nothing.
//
// Added calls are in the file once the writer is idle. A process that is killed loses its queue, and leaves at most the
// last line incomplete.
type Writer struct {
	options WriterOptions
	encoder *encoder
	queue   chan Entry
	queued  atomic.Int64 // bytes
	lost    atomic.Uint64
	written atomic.Uint64
	done    chan struct{}
	err     error // of Close; valid after done

	mu     sync.RWMutex // held to add to the queue; Close closes it
	closed bool
}

// OpenWriter creates the directory and the first file, so that an unusable directory is reported at once.
func OpenWriter(o WriterOptions) (*Writer, error) {
	o = o.withDefaults()
	if o.Dir == "" {
		return nil, errors.New("the journal needs a directory; name one, or disable the journal files")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("the journal's directory: %w; create it, or choose another", err)
	}
	f := &files{dir: o.Dir, fileBytes: o.FileBytes, dirBytes: o.DirBytes}
	if err := f.begin(); err != nil {
		_ = f.end() // it may have been opened
		return nil, fmt.Errorf("the journal's directory %s cannot be written: %w; change its permissions, or choose another", o.Dir, err)
	}
	w := newWriter(o)
	go w.run(f)
	return w, nil
}

func newWriter(o WriterOptions) *Writer {
	return &Writer{options: o, encoder: newEncoder(), queue: make(chan Entry, o.QueueEntries), done: make(chan struct{})}
}

// Add hands a call to the writer. What it points at must no longer be modified.
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

// Lost returns how many calls are in no file because the queue was full or writing failed.
func (w *Writer) Lost() uint64 {
	if w == nil {
		return 0
	}
	return w.lost.Load()
}

// Written returns how many calls are in files. Once the writer is idle, each added call is either written or lost.
func (w *Writer) Written() uint64 {
	if w == nil {
		return 0
	}
	return w.written.Load()
}

// Close writes the queue and closes the file. The error is the last one of the files, if they still fail.
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

// retryAfter is how long nothing is written after a failure: a full disk stays full for a while.
const retryAfter = 10 * time.Second

// run writes calls until the queue is closed and empty.
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
			w.lost.Add(1) // it did not reach the buffer
		} else if len(w.queue) == 0 {
			err = f.flush()
		}
		w.count(f)
		switch {
		case err != nil:
			w.failed(f, err, failedAt.IsZero())
			failedAt = time.Now()
		case !failedAt.IsZero():
			w.options.Logger.Info("the journal is being written again", "directory", w.options.Dir, "lost", w.lost.Load())
			failedAt = time.Time{}
		}
	}
	w.err = f.end()
	w.count(f)
}

// count adopts the counts of the files.
func (w *Writer) count(f *files) {
	w.written.Add(f.written)
	w.lost.Add(f.dropped)
	f.written, f.dropped = 0, 0
}

// failed gives up the file, with the calls that only its buffer has. The next call opens another file.
func (w *Writer) failed(f *files, err error, first bool) {
	_ = f.end() // it has failed already
	w.count(f)
	if first {
		w.options.Logger.Warn("the journal cannot be written; calls are lost until it can be", "directory", w.options.Dir, "error", err)
	}
}

// write puts a call into the buffer, unless there is an error.
func (w *Writer) write(f *files, e *Entry) error {
	if err := f.ready(); err != nil {
		return err
	}
	w.count(f) // of the file that was full
	if err := f.reportLost(w.lost.Load()); err != nil {
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
