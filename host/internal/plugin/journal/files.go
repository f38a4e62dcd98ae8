package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// The names of journal files begin with the time, so that they sort by it. The process id separates hosts that share a
// directory, and the last number separates the files of one host if the clock is coarse.
const (
	filePrefix = "calls-"
	fileSuffix = ".jsonl"
	fileTime   = "20060102T150405.000000000Z"
)

// files writes the current file and manages its predecessors in the directory. It belongs to one goroutine.
type files struct {
	dir                 string
	fileBytes, dirBytes int64

	file    *countedFile // nil after a failure
	buffer  *bufio.Writer
	size    int64           // including what is in the buffer
	configs map[string]bool // hashes of the configurations in the file
	opened  int             // how many files have been opened

	pending  []pendingLine // at least partly in the buffer
	written  uint64        // calls that are completely in files
	dropped  uint64        // calls lost with the buffer of a file that failed
	reported uint64        // lost calls that lines in a file or in the buffer report
}

// countedFile counts what has reached the file through a buffer.
type countedFile struct {
	io.WriteCloser
	stored int64
}

func (c *countedFile) Write(b []byte) (int, error) {
	n, err := c.WriteCloser.Write(b)
	c.stored += int64(n)
	return n, err
}

// pendingLine is a line that counts once the file has it: a call, or a report of lost calls.
type pendingLine struct {
	end  int64  // where it ends in the file
	lost uint64 // the number of lost calls that it reports; 0: it is a call
}

// ready opens another file if there is none or the current one is full.
func (f *files) ready() error {
	if f.file != nil && f.size < f.fileBytes {
		return nil
	}
	if err := f.end(); err != nil {
		return err
	}
	return f.begin()
}

// begin opens another file and removes the oldest ones.
func (f *files) begin() error {
	now := time.Now().UTC()
	f.opened++
	name := fmt.Sprintf("%s%s-%d-%06d%s", filePrefix, now.Format(fileTime), os.Getpid(), f.opened, fileSuffix)
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.file, f.size, f.configs = &countedFile{WriteCloser: file}, 0, map[string]bool{}
	f.buffer = bufio.NewWriterSize(f.file, 64<<10)
	if err := f.write(headerLine{Kind: kindHeader, Format: formatVersion, Started: now}); err != nil {
		return err
	}
	if err := f.flush(); err != nil {
		return err
	}
	return f.retain(name)
}

// retain removes the oldest files until there is room for another full one.
func (f *files) retain(current string) error {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	total := f.fileBytes // the future size of the current file
	for _, entry := range slices.Backward(list) {
		if !isJournalName(entry.Name()) || entry.Name() == current {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another host that shares the directory has removed it
		} else if err != nil {
			return err
		}
		if total += info.Size(); total <= f.dirBytes {
			continue
		}
		if err := os.Remove(filepath.Join(f.dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func isJournalName(name string) bool {
	return strings.HasPrefix(name, filePrefix) && strings.HasSuffix(name, fileSuffix)
}

// write appends a line.
func (f *files) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	n, err := f.buffer.Write(append(text, '\n'))
	f.size += int64(n)
	return err
}

// writeCall appends a call, which is counted as written or dropped later. After an error it is counted as neither.
func (f *files) writeCall(line callLine) error {
	if err := f.write(line); err != nil {
		return err
	}
	f.pending = append(f.pending, pendingLine{end: f.size})
	f.settle() // the buffer may have been full
	return nil
}

// reportLost appends the number of lost calls that no line has reported yet.
func (f *files) reportLost(lost uint64) error {
	if lost <= f.reported {
		return nil
	}
	line := lostLine{Kind: kindLost, Calls: lost - f.reported}
	if err := f.write(line); err != nil {
		return err
	}
	f.pending = append(f.pending, pendingLine{end: f.size, lost: line.Calls})
	f.reported = lost
	return nil
}

func (f *files) flush() error {
	err := f.buffer.Flush()
	f.settle()
	return err
}

// settle counts the lines that are completely in the file.
func (f *files) settle() {
	n := 0
	for ; n < len(f.pending) && f.pending[n].end <= f.file.stored; n++ {
		if f.pending[n].lost == 0 {
			f.written++
		}
	}
	f.pending = slices.Delete(f.pending, 0, n)
}

// abandon counts the lines that will never be in the file.
func (f *files) abandon() {
	for _, line := range f.pending {
		if line.lost > 0 {
			f.reported -= line.lost // another line has to report them
		} else {
			f.dropped++
		}
	}
	f.pending = nil
}

// end flushes and closes the file, if there is one. What cannot be flushed is dropped.
func (f *files) end() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.flush(), f.file.Close())
	f.abandon()
	f.file = nil
	return err
}
