package storefile

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var onDisk = guestio.Quota{Durable: true}

// opened is a store with its file.
type opened struct {
	*File
	store *guestio.Store
}

func open(t testing.TB, path string) opened {
	t.Helper()
	return openOr(t, path, false)
}

// openOr opens a file, or creates it at once or when it is needed.
func openOr(t testing.TB, path string, atOnce bool) opened {
	t.Helper()
	var store guestio.Store
	f, err := Open(path, atOnce, &store, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return opened{f, &store}
}

// A file is there as soon as there is something to save, or at once.
func TestAFileIsCreatedWhenItIsNeeded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	f := open(t, path)
	f.flush(t)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before anything is stored: %v", err)
	}
	f.at("p", "t").KVSet("key", []byte("value"))
	f.flush(t)
	f.close(t)
	f = open(t, path)
	if got := f.content("p", "t"); got["key"] != "value" {
		t.Errorf("the next one has %v", got)
	}
	f.close(t)
	other := filepath.Join(t.TempDir(), "store.db")
	now := openOr(t, other, true)
	if _, err := os.Stat(other); err != nil {
		t.Errorf("at once: %v", err)
	}
	now.close(t)
}

func (o opened) at(name, task string) guestio.Environment {
	return o.store.Environment(name, task, onDisk, nil)
}

// content is all that a plugin stores for a task.
func (o opened) content(name, task string) map[string]string {
	env, all := o.at(name, task), map[string]string{}
	keys, _ := env.KVList("")
	for _, key := range keys {
		value, _ := env.KVGet(key)
		all[key] = string(value)
	}
	return all
}

func (o opened) close(t testing.TB) {
	t.Helper()
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

func (o opened) flush(t testing.TB) {
	t.Helper()
	if err := o.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// copyOf is what a process that is killed leaves.
func copyOf(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

func TestWhatIsStoredIsThereAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := open(t, path)
	o.at("p", "t").KVSet("stays", []byte("one"))
	o.at("p", "t").KVSetTTL("hour", []byte{0, 255}, time.Hour)
	o.at("p", "closed").KVSet("a", nil)
	o.at("p", "left").KVSet("a", nil)
	o.store.Environment("memory", "t", guestio.Quota{}, nil).KVSet("a", nil)
	o.flush(t)
	o.at("p", "t").KVDelete("gone") // there is none
	o.at("p", "t").KVSet("gone", nil)
	o.flush(t)
	o.at("p", "t").KVDelete("gone")
	o.store.Drop("closed")
	o.store.Leave("left")
	o.flush(t)
	killed := copyOf(t, path)
	o.close(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	for what, path := range map[string]string{"closed": path, "killed": killed} {
		o := open(t, path)
		if got := o.content("p", "t"); !maps.Equal(got, map[string]string{"stays": "one", "hour": "\x00\xff"}) {
			t.Errorf("%s: there is %q", what, got)
		}
		if ends := o.store.Entries("p", "t")[0].Ends; time.Until(ends) > time.Hour || time.Until(ends) <= 0 {
			t.Errorf("%s: the hour ends at %v", what, ends)
		}
		if got := o.content("p", "left"); len(got) != 1 {
			t.Errorf("%s: a task that ended has %q", what, got)
		}
		if a, b := o.content("p", "closed"), o.content("memory", "t"); len(a)+len(b) != 0 {
			t.Errorf("%s: there are %q and %q", what, a, b)
		}
		o.close(t)
	}
}

// What has ended while no process ran is not there, and goes from the file.
func TestWhatEndedMeanwhileIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := openOr(t, path, true)
	ended := map[string]guestio.Value{"a": {Data: []byte("1"), Ends: time.Now().Add(-time.Second)}}
	if err := o.db.Update(func(tx *bbolt.Tx) error { return apply(tx, []guestio.Change{{Plugin: "p", Task: "t", Values: ended}}) }); err != nil {
		t.Fatal(err)
	}
	o.close(t)
	for range 2 {
		o = open(t, path)
		if got := o.content("p", "t"); len(got) != 0 {
			t.Errorf("there is %q", got)
		}
		o.close(t)
	}
}

func TestAPluginThatIsNoLongerOnDiskLeavesNothingThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := open(t, path)
	o.at("p", "used").KVSet("a", []byte("1"))
	o.at("p", "unused").KVSet("a", []byte("1"))
	o.close(t)
	o = open(t, path)
	o.at("p", "used")
	if v, _ := o.store.Environment("p", "used", guestio.Quota{}, nil).KVGet("a"); string(v) != "1" {
		t.Errorf("the task in use has %q", v)
	}
	o.close(t)
	o = open(t, path)
	if a, b := o.content("p", "used"), o.content("p", "unused"); len(a)+len(b) != 0 {
		t.Errorf("there are %q and %q", a, b)
	}
	o.close(t)
}

func TestTasksThatEndedMakeRoom(t *testing.T) {
	o := open(t, filepath.Join(t.TempDir(), "store.db"))
	defer o.close(t)
	at := func(task string) guestio.Environment {
		return o.store.Environment("p", task, guestio.Quota{Bytes: 4, TotalBytes: 8, Durable: true}, nil)
	}
	at("first").KVSet("a", []byte("123"))
	at("second").KVSet("a", []byte("123"))
	if c := at("third").KVSet("a", nil); c == 0 {
		t.Error("a task in use made room")
	}
	o.store.Leave("first")
	if c := at("third").KVSet("a", nil); c != 0 {
		t.Errorf("code %d", c)
	}
	if u := o.store.Usage("p"); u.Evicted != 1 || u.Bytes != 5 || len(o.content("p", "first")) != 0 {
		t.Errorf("the usage is %+v", u)
	}
}

// Whatever is done to a store, and whenever the process ends, the next one has what was there at the last write.
func TestTheFileFollowsTheStore(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		path := filepath.Join(dir, fmt.Sprint(runs))
		o := open(t, path)
		task, key := rapid.SampledFrom([]string{"x", "y"}), rapid.SampledFrom([]string{"a", "b", "c"})
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			name := task.Draw(r, "task")
			env := o.at("p", name)
			switch rapid.IntRange(0, 6).Draw(r, "step") {
			case 0, 1, 2:
				env.KVSet(key.Draw(r, "key"), []byte(rapid.StringMatching(`v{0,5}`).Draw(r, "value")))
			case 3:
				env.KVDelete(key.Draw(r, "key"))
			case 4:
				o.store.Drop(name)
			case 5:
				o.store.NotSaved(o.store.Changes()) // a write that failed
			case 6:
				o.flush(t)
			}
		}
		want := [2]map[string]string{o.content("p", "x"), o.content("p", "y")}
		o.close(t)
		o = open(t, path)
		defer o.close(t)
		if x, y := o.content("p", "x"), o.content("p", "y"); !maps.Equal(x, want[0]) || !maps.Equal(y, want[1]) {
			r.Fatalf("there are %q and %q, want %q", x, y, want)
		}
	})
}

func TestAFileThatCannotBeUsedIsRefusedAndLeftAsItIs(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "store.db")
	o := open(t, whole)
	for n := range 200 {
		o.at("p", "t").KVSet(fmt.Sprint("key", n), []byte(strings.Repeat("value", 50)))
	}
	o.close(t)
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	changed := []byte(strings.ReplaceAll(string(text), "valuevalue", "valueValue"))
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	db, err := bbolt.Open(foreign, 0o600, nil)
	if err == nil {
		err = errors.Join(db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err }), db.Close())
	}
	other, errOther := os.ReadFile(foreign)
	if err := errors.Join(err, errOther); err != nil {
		t.Fatal(err)
	}
	for what, damaged := range map[string][]byte{
		"text": []byte("no database"), "cut": text[:len(text)/2], "cut short": text[:8192], "zeroes": make([]byte, len(text)),
		"zeroes at the end": append(append([]byte{}, text[:8192]...), make([]byte, len(text)-8192)...),
		"another value":     changed, "another program's": other,
	} {
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: the check says %v", what, err)
		}
		var store guestio.Store
		if _, err := Open(path, false, &store, slog.New(slog.DiscardHandler)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error is %v", what, err)
		}
		if env := store.Environment("p", "t", onDisk, nil); env.KVSet("a", nil) != 0 {
			t.Errorf("%s: the store in memory does not work", what)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(damaged) {
			t.Errorf("%s: the file was changed (%v)", what, err)
		}
	}
	o = open(t, whole)
	var store guestio.Store
	if _, err := Open(whole, false, &store, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "another process has it open") || errors.Is(err, ErrDamaged) {
		t.Errorf("a file in use: %v", err)
	}
	if err := Check(whole); err != nil {
		t.Errorf("the check of a file in use: %v", err)
	}
	o.close(t)
	if err := errors.Join(Check(whole), Check(filepath.Join(t.TempDir(), "none"))); err != nil {
		t.Error(err)
	}
}

// A disk that fails is said, and what could not be written is written once it can be.
func TestAWriteThatFailsIsRepeated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := open(t, path)
	o.at("p", "t").KVSet("a", []byte("1"))
	o.flush(t)
	unwritable := strings.Repeat("k", bbolt.MaxKeySize+1)
	o.at("p", "t").KVSet("b", []byte("2"))
	o.at("p", "t").KVSet(unwritable, nil)
	if err := o.Flush(t.Context()); err == nil || o.Problem() == nil {
		t.Error("a failed write is not said")
	}
	o.at("p", "t").KVDelete(unwritable)
	o.flush(t)
	if o.Problem() != nil {
		t.Error(o.Problem())
	}
	o.close(t)
	o = open(t, path)
	if got := o.content("p", "t"); len(got) != 2 {
		t.Errorf("there is %q", got)
	}
	o.close(t)
}

// BenchmarkFlush is what it takes until the file has what was stored: one transaction, synchronized with the disk, for
// all that came since the last one.
func BenchmarkFlush(b *testing.B) {
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n, " changes"), func(b *testing.B) {
			f := open(b, filepath.Join(b.TempDir(), "store.db"))
			env := f.at("p", "t")
			value := make([]byte, 100)
			for i := 0; b.Loop(); i++ {
				for k := range n {
					value[0] = byte(i)
					env.KVSet(fmt.Sprintf("key%03d", k), value)
				}
				if err := f.Flush(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
