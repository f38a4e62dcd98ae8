package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// maxLine bounds the length of a line that is read. It is twice the size of the largest event and verdict with the
// default limits, plus room for raised limits.
const maxLine = 64 << 20

// Reader reads the calls of a journal: of one file, or of all files of a directory, oldest first.
type Reader struct {
	paths    []string
	file     *os.File
	buffer   *bufio.Reader
	line     int
	configs  map[string]configLine // of the file
	problems []Problem
	lost     uint64
	// read of all bytes; files that are still written have more in the end.
	read, all int64
}

// Problem is a line that could not be read.
type Problem struct {
	File   string
	Line   int
	Reason string
}

// String formats the problem for people.
func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason) }

// Open opens a file or a directory. The reader must be closed.
func Open(path string) (*Reader, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the journal: %w", err)
	}
	r := &Reader{paths: []string{path}}
	if !info.IsDir() {
		r.all = info.Size()
		return r, nil
	}
	if r.paths, err = filepath.Glob(filepath.Join(globQuoted(path), filePrefix+"*"+fileSuffix)); err != nil {
		return nil, err
	}
	if len(r.paths) == 0 {
		return nil, fmt.Errorf("the directory %s has no journal; journal files are named %s*%s", path, filePrefix, fileSuffix)
	}
	for _, name := range r.paths {
		if info, err := os.Stat(name); err == nil { // else opening it says what is wrong
			r.all += info.Size()
		}
	}
	return r, nil
}

// Position returns how many bytes have been read, and how many there were when the reader was opened.
func (r *Reader) Position() (read, all int64) { return min(r.read, r.all), r.all }

// globQuoted quotes a directory's name so that it is not read as a pattern.
func globQuoted(path string) string {
	var out []byte
	for i := range len(path) {
		if bytes.IndexByte([]byte(`*?[\`), path[i]) >= 0 && os.PathSeparator == '/' {
			out = append(out, '\\')
		}
		out = append(out, path[i])
	}
	return string(out)
}

// Next returns the next call, and [io.EOF] after the last. Lines that cannot be read are skipped and recorded as
// problems. A file that is not a journal is an error.
func (r *Reader) Next() (Entry, error) {
	for {
		if r.file == nil {
			if len(r.paths) == 0 {
				return Entry{}, io.EOF
			}
			if err := r.open(); err != nil {
				return Entry{}, err
			}
		}
		text, err := r.readLine()
		if errors.Is(err, io.EOF) {
			if len(text) > 0 {
				r.problem("the last line is incomplete; the process that wrote it was killed or is still writing")
			}
			if err := r.Close(); err != nil {
				return Entry{}, err
			}
			continue
		} else if err != nil {
			return Entry{}, err
		}
		if e, ok := r.parse(text); ok {
			return e, nil
		}
	}
}

// Problems returns the lines that were skipped so far.
func (r *Reader) Problems() []Problem { return r.problems }

// Lost returns how many calls are missing according to the journal, so far.
func (r *Reader) Lost() uint64 { return r.lost }

// Close closes the open file.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

func (r *Reader) problem(reason string) {
	r.problems = append(r.problems, Problem{File: r.file.Name(), Line: r.line, Reason: reason})
}

// open opens the next file and reads its header.
func (r *Reader) open() error {
	file, err := os.Open(r.paths[0])
	if err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	r.paths = r.paths[1:]
	r.file, r.buffer, r.line, r.configs = file, bufio.NewReaderSize(file, 64<<10), 0, map[string]configLine{}
	text, err := r.readLine()
	if errors.Is(err, io.EOF) && len(text) == 0 {
		return nil // it was created, but nothing is written yet
	}
	var header headerLine
	if err == nil || errors.Is(err, io.EOF) {
		err = json.Unmarshal(text, &header)
	}
	switch {
	case err != nil || header.Kind != kindHeader:
		err = fmt.Errorf("%s is not a journal: its first line is not a journal header", file.Name())
	case header.Format != formatVersion:
		err = fmt.Errorf("%s has journal format %d, but this version reads %d; read it with the version that wrote it",
			file.Name(), header.Format, formatVersion)
	default:
		return nil
	}
	return errors.Join(err, r.Close())
}

// readLine returns the next line without its end. A last line without an end comes with io.EOF.
func (r *Reader) readLine() ([]byte, error) {
	r.line++
	var line []byte
	for {
		part, err := r.buffer.ReadSlice('\n')
		line = append(line, part...)
		r.read += int64(len(part))
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes; this is not a journal", r.file.Name(), r.line, maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return line, err
		default:
			return line[:len(line)-1], nil
		}
	}
}

// parse parses a line; ok says that it is a call.
func (r *Reader) parse(text []byte) (e Entry, ok bool) {
	var kind struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		r.problem(err.Error())
		return Entry{}, false
	}
	var err error
	switch kind.Kind {
	case kindConfig:
		var line configLine
		if err = json.Unmarshal(text, &line); err == nil {
			r.configs[line.Hash] = line
		}
	case kindLost:
		var line lostLine
		err = json.Unmarshal(text, &line)
		r.lost += line.Calls
	case kindCall:
		var line callLine
		if err = json.Unmarshal(text, &line); err == nil {
			e, err = r.entry(&line)
			ok = err == nil
		}
	}
	if err != nil {
		r.problem(err.Error())
	}
	return e, ok
}

func (r *Reader) entry(l *callLine) (Entry, error) {
	config, ok := r.configs[l.ConfigHash]
	if !ok {
		return Entry{}, fmt.Errorf("call %d: the configuration %s is missing", l.Sequence, l.ConfigHash)
	}
	return l.entry(&config)
}
