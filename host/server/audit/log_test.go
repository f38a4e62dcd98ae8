package audit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

func open(t *testing.T, o Options) *Log {
	t.Helper()
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func read(t *testing.T, l *Log, f Filter) []Entry {
	t.Helper()
	list, err := l.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func plugins(list []Entry) (names []string) {
	for _, e := range list {
		names = append(names, e.Plugin)
	}
	return names
}

// Two processes have one record: no line is lost or cut, and files of earlier entries are read in their order.
func TestWritersShareARecord(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 2000, TotalBytes: 1 << 20}
	var all sync.WaitGroup
	for w := range 4 {
		l := open(t, o)
		all.Go(func() {
			for i := range 25 {
				l.Record(Entry{Action: PluginSwap, Plugin: fmt.Sprintf("p-%d-%d", w, i), Outcome: Done})
			}
		})
	}
	all.Wait()
	l := open(t, o)
	list := read(t, l, Filter{Max: 1000})
	if len(list) != 100 || !slices.IsSortedFunc(list, func(a, b Entry) int { return a.Time.Truncate(time.Second).Compare(b.Time.Truncate(time.Second)) }) {
		t.Errorf("%d entries of 100 are read", len(list))
	}
	for w := range 4 {
		var own []string
		for _, name := range plugins(list) {
			if strings.HasPrefix(name, fmt.Sprintf("p-%d-", w)) {
				own = append(own, name)
			}
		}
		for i, name := range own {
			if name != fmt.Sprintf("p-%d-%d", w, i) {
				t.Fatalf("the entries of a writer are in the order %v", own)
			}
		}
	}
	if n := len(l.files()); n < 5 {
		t.Errorf("there are %d files", n)
	}
	if last := read(t, l, Filter{Max: 3}); !slices.Equal(plugins(last), plugins(list[97:])) {
		t.Errorf("the last are %v", plugins(last))
	}
}

// Whatever keeps an entry from the disk keeps nobody from the status, by which a service manager tells that the daemon
// lives, and the entry counts as lost in the end.
func TestTheStatusDoesNotWaitForTheDisk(t *testing.T) {
	for name, hang := range map[string]func(*testing.T, *Log) (end func()){
		"another process has the lock": func(t *testing.T, l *Log) func() {
			held, err := access.LockFile(filepath.Join(l.o.Dir, lock))
			if err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := held.Close(); err != nil {
					t.Error(err)
				}
			}
		},
		"an entry before is being written": func(_ *testing.T, l *Log) func() {
			l.writing <- struct{}{}
			return func() { <-l.writing }
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 1 << 20, TotalBytes: 1 << 20}
			synctest.Test(t, func(t *testing.T) {
				l := open(t, o)
				end := hang(t, l)
				done := make(chan struct{})
				go func() {
					defer close(done)
					l.Record(Entry{Action: PluginSwap, Plugin: "a", Outcome: Done})
				}()
				synctest.Wait()
				if s := l.Status(); s.Done[PluginSwap] != 1 || s.Lost != 0 || s.Problem != "" {
					t.Errorf("while the entry waits: %+v", s)
				}
				began := time.Now()
				<-done
				if s := l.Status(); s.Lost != 1 || s.Problem == "" || time.Since(began) > time.Minute {
					t.Errorf("after %s: %+v", time.Since(began), s)
				}
				end()
				l.Record(Entry{Action: PluginSwap, Plugin: "b", Outcome: Done})
				if s := l.Status(); s.Lost != 1 || s.Problem != "" || !slices.Equal(plugins(read(t, l, Filter{})), []string{"b"}) {
					t.Errorf("afterwards: %+v, %v", s, plugins(read(t, l, Filter{})))
				}
			})
		})
	}
}

func TestTheOldestFilesGo(t *testing.T) {
	o := Options{Dir: t.TempDir(), FileBytes: 1000, TotalBytes: 3000}
	if err := os.Chmod(o.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(o.Dir, "audit-of-mine.jsonl")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, o)
	for i := range 100 {
		l.Record(Entry{Action: PluginSwap, Plugin: fmt.Sprintf("p-%d", i), Outcome: Done})
	}
	var size int64
	for _, name := range l.files() {
		info, err := os.Stat(filepath.Join(o.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > o.FileBytes {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		size += info.Size()
	}
	list := plugins(read(t, l, Filter{Max: 1000}))
	if size > o.TotalBytes || len(list) < 5 || len(list) == 100 || list[len(list)-1] != "p-99" {
		t.Errorf("%d bytes with %v", size, list)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a file of somebody else: %v", err)
	}
}

// A crash may cut the last line, and what comes after it is read.
func TestALineThatWasCutHarmsNoOther(t *testing.T) {
	l := open(t, Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 1 << 20, TotalBytes: 1 << 20})
	l.Record(Entry{Action: PluginSwap, Plugin: "first"})
	file := filepath.Join(l.o.Dir, current)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, text[:len(text)/2]...), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Record(Entry{Action: PluginSwap, Plugin: "second"})
	if got := plugins(read(t, l, Filter{})); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("the record has %v", got)
	}
}

func TestAFilterChooses(t *testing.T) {
	l := open(t, Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 1 << 20, TotalBytes: 1 << 20})
	l.Record(Entry{Action: PluginSwap, Plugin: "a", Who: "ann"})
	l.Record(Entry{Action: pluginTool, Plugin: "b", Who: "bob", Task: "shop"})
	l.Record(Entry{Action: "plugins", Plugin: "c", Who: "bob"})
	for want, f := range map[string]Filter{
		"[a b]": {Action: "plugin"}, "[a]": {Action: PluginSwap}, "[b c]": {Who: "bob"}, "[b]": {Task: "shop", Who: "bob"}, "[c]": {Plugin: "c"},
		"[]": {Since: time.Now().Add(time.Hour)},
	} {
		if got := fmt.Sprint(plugins(read(t, l, f))); got != want {
			t.Errorf("%+v chooses %s, want %s", f, got, want)
		}
	}
}

func TestARequestChooses(t *testing.T) {
	f, err := filterOf(url.Values{"since": {"2026-01-31T12:00:00Z"}, "max": {"7"}, "action": {"plugin"}, "who": {"ann"}, "task": {"t"}, "plugin": {"p"}})
	want := Filter{Since: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Max: 7, Action: "plugin", Who: "ann", Task: "t", Plugin: "p"}
	if err != nil || f != want {
		t.Errorf("%+v, %v", f, err)
	}
	for _, q := range []url.Values{{"since": {"yesterday"}}, {"max": {"0"}}, {"max": {"-1"}}, {"max": {"many"}}, {"max": {"100001"}}} {
		if _, err := filterOf(q); !errors.Is(err, fault.ErrBadRequest) {
			t.Errorf("%v: %v", q, err)
		}
	}
}

func TestWhoAskedIsKnown(t *testing.T) {
	by := access.By{Who: "ann", Via: "socket", PID: 7}
	if e := (Entry{}).By(access.With(context.Background(), access.AsOperatorBy(by))); e.Who != "ann" || e.Via != "socket" || e.PID != 7 {
		t.Errorf("%+v", e)
	}
	if e := (Entry{}).By(access.With(context.Background(), access.AsOperator())); e.Who != "operator" || e.Via != "http" {
		t.Errorf("%+v", e)
	}
	if e := (Entry{}).By(context.Background()); e.Who == "" || e.Via != "command" {
		t.Errorf("%+v", e)
	}
}

// An error can quote an address with a secret, or a page.
func TestErrorsTellNoSecret(t *testing.T) {
	err := fmt.Errorf("%w: https://user:hunter2@host.example/x?token=hunter2 is\nnot there %s", fault.ErrBadRequest, strings.Repeat("x", 1000))
	e := Entry{Action: PluginSwap, Plugin: "p"}.Came(err)
	if e.Outcome != Failed || e.Code != "bad_request" || strings.Contains(e.Error, "hunter2") || strings.Contains(e.Error, "\n") || len(e.Error) > 400 || !strings.Contains(e.Error, "host.example") {
		t.Errorf("%+v", e)
	}
	if e := (Entry{Action: pageEvaluate, Task: "t"}).Came(err); e.Error != "" || e.Code != "bad_request" {
		t.Errorf("of a task: %+v", e)
	}
}

func TestADirectoryOfOthersIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "audit.dir") {
		t.Errorf("the error is %v", err)
	}
}
