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

// The names of journal files begin with the time, so that their order is that of their names. The number of the process
// keeps two hosts with one directory apart, the last number the files of one host where the clock is coarse.
const (
	filePrefix = "calls-"
	fileSuffix = ".jsonl"
	fileTime   = "20060102T150405.000000000Z"
)

// files is the file that is written and its predecessors in the directory. One goroutine uses it.
type files struct {
	dir                 string
	fileBytes, dirBytes int64

	file    *countedFile // nil: there is none, as the last one failed
	buffer  *bufio.Writer
	size    int64           // with what is in the buffer
	configs map[string]bool // hashes of those that the file has
	begun   int             // files

	pending []pendingLine // in the buffer, at least in part
	kept    uint64        // calls that files have whole
	gone    uint64        // calls that went with the buffer of a file that failed
	told    uint64        // lost calls that lines tell of, in a file or in the buffer
}

// countedFile knows how much of what went through a buffer has come to the file.
type countedFile struct {
	io.WriteCloser
	stored int64
}

func (c *countedFile) Write(b []byte) (int, error) {
	n, err := c.WriteCloser.Write(b)
	c.stored += int64(n)
	return n, err
}

// pendingLine is a line that counts once the file has it: a call, or what tells of lost ones.
type pendingLine struct {
	end  int64  // where it ends in the file
	lost uint64 // the lost calls that it tells of; 0: it is a call
}

// ready begins another file where there is none, or the current one is full.
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
	f.begun++
	name := fmt.Sprintf("%s%s-%d-%06d%s", filePrefix, now.Format(fileTime), os.Getpid(), f.begun, fileSuffix)
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

// retain removes the oldest files until the others and one more full file have room.
func (f *files) retain(current string) error {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	total := f.fileBytes // what the current file will have
	for _, entry := range slices.Backward(list) {
		if !isJournalName(entry.Name()) || entry.Name() == current {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another host that shares the directory was faster
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

// writeCall appends a call, which counts as kept or gone later. After an error it counts as neither.
func (f *files) writeCall(line callLine) error {
	if err := f.write(line); err != nil {
		return err
	}
	f.pending = append(f.pending, pendingLine{end: f.size})
	f.settle() // the buffer may have been full
	return nil
}

// tell appends how many calls are lost, of which no line has told yet.
func (f *files) tell(lost uint64) error {
	if lost <= f.told {
		return nil
	}
	line := lostLine{Kind: kindLost, Calls: lost - f.told}
	if err := f.write(line); err != nil {
		return err
	}
	f.pending = append(f.pending, pendingLine{end: f.size, lost: line.Calls})
	f.told = lost
	return nil
}

func (f *files) flush() error {
	err := f.buffer.Flush()
	f.settle()
	return err
}

// settle counts the lines that the file has whole.
func (f *files) settle() {
	n := 0
	for ; n < len(f.pending) && f.pending[n].end <= f.file.stored; n++ {
		if f.pending[n].lost == 0 {
			f.kept++
		}
	}
	f.pending = slices.Delete(f.pending, 0, n)
}

// abandon counts the lines that the file will never have.
func (f *files) abandon() {
	for _, line := range f.pending {
		if line.lost > 0 {
			f.told -= line.lost // another line has to tell of them
		} else {
			f.gone++
		}
	}
	f.pending = nil
}

// end flushes and closes the file, if there is one. What cannot be flushed is gone.
func (f *files) end() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.flush(), f.file.Close())
	f.abandon()
	f.file = nil
	return err
}
