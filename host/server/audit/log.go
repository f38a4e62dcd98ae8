package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// Options says where records are.
type Options struct {
	// Dir is the directory, which is created with mode 0700 and which nobody else may write to.
	Dir string
	// FileBytes is the size at which a new file is begun, TotalBytes how much all files may take: the oldest go.
	FileBytes, TotalBytes int64
	// Logger also gets each entry, and why one could not be recorded.
	Logger *slog.Logger
}

// Log is a record of actions. It is safe for concurrent use, also by several processes. A nil Log records nothing.
type Log struct {
	o Options
	// writing is full while an entry is being written. It is no mutex, since whoever waits for a disk that hangs gives up.
	writing chan struct{}

	mu     sync.Mutex // never held while files are used, so that the status does not wait for a disk
	counts control.AuditStatus
}

// writePatience is how long an entry waits for the one before.
const writePatience = 10 * time.Second

const (
	current = "audit.jsonl"
	lock    = "audit.lock"
	// rotated begins and ends the name of an earlier file, with when it was full in between.
	rotatedBegin, rotatedEnd = "audit-", ".jsonl"
	rotatedTime              = "20060102T150405.000000000Z"
)

// Open returns the record in a directory.
func Open(o Options) (*Log, error) {
	if err := access.OwnDirectory(o.Dir); err != nil {
		return nil, fmt.Errorf("audit.dir: %w", err)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Log{o: o, writing: make(chan struct{}, 1), counts: control.AuditStatus{Done: map[string]uint64{}, Failed: map[string]uint64{}}}, nil
}

// Record adds an entry. What is recorded has happened already, so a failure is logged, counted and shown by the status,
// and not returned. An entry that waits too long for the ones before, or for other processes, is lost.
func (l *Log) Record(e Entry) {
	if l == nil {
		return
	}
	l.o.Logger.Info("operator action", "action", e.Action, "who", e.Who, "via", e.Via, "task", e.Task, "plugin", e.Plugin, "details", e.Details,
		"outcome", e.Outcome, "code", e.Code)
	l.count(func(c *control.AuditStatus) {
		by := c.Done
		if e.Outcome == Failed {
			by = c.Failed
		}
		by[e.Action]++
	})
	if err := l.append(e); err != nil {
		l.count(func(c *control.AuditStatus) {
			c.Lost++
			c.Problem = "operator actions cannot be recorded: " + err.Error()
		})
		l.o.Logger.Error("an operator action could not be recorded", "action", e.Action, "directory", l.o.Dir, "error", err)
		return
	}
	l.count(func(c *control.AuditStatus) { c.Problem = "" })
}

func (l *Log) count(how func(*control.AuditStatus)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	how(&l.counts)
}

// Status returns what has been recorded since Open.
func (l *Log) Status() control.AuditStatus {
	if l == nil {
		return control.AuditStatus{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.counts
	s.Done, s.Failed = maps.Clone(s.Done), maps.Clone(s.Failed)
	return s
}

// append writes one line, which is on the disk when it returns. The file is opened for each line: operators act
// seldom, and whoever else rotates it or takes it away does no harm.
func (l *Log) append(e Entry) (err error) {
	patience := time.NewTimer(writePatience)
	defer patience.Stop()
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-patience.C:
		return fmt.Errorf("the entry before has not been written for %s: see whether the disk of %s answers", writePatience, l.o.Dir)
	}
	held, err := access.LockFile(filepath.Join(l.o.Dir, lock))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	e.Time = time.Now().UTC() // only now, as whoever waits may be overtaken: files are named and lines ordered by it
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if err := l.rotate(int64(len(line)), e.Time); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(l.o.Dir, current), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if end, err := file.Seek(-1, io.SeekEnd); err == nil { // not empty
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, end); err == nil && last[0] != '\n' { // a crash, or a full disk, has cut a line
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err := file.Write(line); err != nil {
		return err
	}
	return file.Sync()
}

// rotate makes room for a line.
func (l *Log) rotate(size int64, now time.Time) error {
	path := filepath.Join(l.o.Dir, current)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Size() == 0 || info.Size()+size <= l.o.FileBytes) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.Rename(path, filepath.Join(l.o.Dir, rotatedBegin+now.Format(rotatedTime)+rotatedEnd)); err != nil {
		return err
	}
	total := l.o.FileBytes // which the new file may take
	for _, name := range l.files() {
		info, err := os.Stat(filepath.Join(l.o.Dir, name))
		if err != nil {
			continue // it was taken away meanwhile
		}
		if total += info.Size(); total > l.o.TotalBytes {
			if err := os.Remove(filepath.Join(l.o.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// files returns the names of all files, newest first.
func (l *Log) files() []string {
	entries, _ := os.ReadDir(l.o.Dir) // without a directory there are none
	names := []string{}
	for _, entry := range entries {
		name := entry.Name()
		_, err := time.Parse(rotatedTime, strings.TrimSuffix(strings.TrimPrefix(name, rotatedBegin), rotatedEnd))
		if entry.Type().IsRegular() && (err == nil || name == current) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { // which sorts the current file last
		return cmp.Or(-cmp.Compare(truth(a == current), truth(b == current)), -cmp.Compare(a, b))
	})
	return names
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Filter chooses entries. The zero value chooses the last [DefaultMax].
type Filter struct {
	// Since is the earliest time; zero: any.
	Since time.Time
	// Action is an action, or the beginning of some up to a dot, such as plugin; Who, Task and Plugin are as in [Entry].
	// Empty: any.
	Action, Who, Task, Plugin string
	// Max is how many, the newest; 0: [DefaultMax].
	Max int
}

// DefaultMax is how many entries are read if nobody says how many.
const DefaultMax = 100

func (f Filter) accepts(e Entry) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return !e.Time.Before(f.Since) && (is(f.Action, e.Action) || strings.HasPrefix(e.Action, f.Action+".")) &&
		is(f.Who, e.Who) && is(f.Task, e.Task) && is(f.Plugin, e.Plugin)
}

// Read returns the newest entries that a filter accepts, oldest first. A line that is no entry is left out.
func (l *Log) Read(f Filter) ([]Entry, error) {
	list := []Entry{}
	if l == nil {
		return list, nil
	}
	limit := cmp.Or(f.Max, DefaultMax)
	for _, name := range l.files() {
		older, err := readFile(filepath.Join(l.o.Dir, name), f)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		list = append(older, list...)
		if len(list) >= limit {
			break
		}
	}
	return list[max(0, len(list)-limit):], nil
}

// readFile returns the entries of a file that a filter accepts.
func readFile(path string, f Filter) ([]Entry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []Entry
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		var e Entry
		if json.Unmarshal(bytes.TrimSpace(line), &e) == nil && f.accepts(e) {
			list = append(list, e)
		}
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
