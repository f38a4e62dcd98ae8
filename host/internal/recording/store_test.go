package recording

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shelf is a store in a directory of the test.
func shelf(t *testing.T, o Options) *Store {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "recordings")
	}
	for _, limit := range []*int64{&o.MaxBytes, &o.TotalBytes} {
		if *limit == 0 {
			*limit = 1 << 20
		}
	}
	if o.Keep == 0 {
		o.Keep = time.Hour
	}
	return NewStore(o)
}

// recorded makes a finished recording of one frame, and returns its file.
func recorded(t *testing.T, s *Store, task string, began time.Time) string {
	t.Helper()
	tape := s.NewTape(Meta{Task: task})
	must(t, tape.Frame(began, frameOf("content")))
	path := tape.now.Info().Path
	must(t, tape.End(began.Add(time.Second), EndedTask))
	return path
}

func fileNames(t *testing.T, s *Store) (list []string) {
	t.Helper()
	files, err := os.ReadDir(s.options.Dir)
	must(t, err)
	for _, f := range files {
		list = append(list, f.Name())
	}
	return list
}

func (s *Store) listed(t *testing.T, task string) []Info {
	t.Helper()
	list, err := s.List(task)
	must(t, err)
	return list
}

func TestWhatIsRecordedIsListedAndRead(t *testing.T) {
	s := shelf(t, Options{})
	if list := s.listed(t, ""); len(list) != 0 {
		t.Errorf("without a directory: %+v", list)
	}
	tape := s.NewTape(Meta{Task: "one"})
	tape.Drop(2)
	must(t, tape.Frame(noon, frameOf("red")))
	must(t, tape.Frame(noon.Add(time.Second), frameOf("red"))) // it is already shown
	must(t, tape.Frame(noon.Add(2*time.Second), frameOf("blue")))
	live := s.listed(t, "one")
	if len(live) != 1 || live[0].State != Running || live[0].Frames != 2 || live[0].Dropped != 2 || live[0].Duration != 2*time.Second {
		t.Errorf("while it runs: %+v", live)
	}
	id := tape.Current()
	must(t, tape.End(noon.Add(5*time.Second), EndedTask))
	recorded(t, s, "two", noon.Add(time.Minute))
	for _, store := range []*Store{s, NewStore(s.options)} { // this process, and the next one
		all, mine := store.listed(t, ""), store.listed(t, "one")
		if len(all) != 2 || len(mine) != 1 || mine[0].ID != id || mine[0].State != Finished || mine[0].Frames != 3 || mine[0].Dropped != 2 ||
			!mine[0].Began.Equal(noon) {
			t.Errorf("after the end: %+v of %+v", mine, all)
		}
		f, i, err := store.Open(id)
		must(t, err)
		if info, err := f.Stat(); err != nil || info.Size() != i.Bytes || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v, %v", info, err)
		}
		must(t, f.Close())
	}
	if info, err := os.Stat(s.options.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info, err)
	}
}

// The names of files only have seconds.
func TestRecordingsOfOneSecondAreListedInTheirOrder(t *testing.T) {
	s := shelf(t, Options{})
	for i := range 8 {
		recorded(t, s, "one", noon.Add(time.Duration(i)*time.Millisecond))
	}
	for i, one := range s.listed(t, "") {
		if want := noon.Add(time.Duration(i) * time.Millisecond); !one.Began.Equal(want) {
			t.Errorf("recording %d began at %v, want %v", i, one.Began, want)
		}
	}
}

func TestAnIDIsNotAPath(t *testing.T) {
	s := shelf(t, Options{})
	path := recorded(t, s, "one", noon)
	secret := filepath.Join(filepath.Dir(s.options.Dir), "secret.webm")
	must(t, os.WriteFile(secret, []byte("secret"), 0o600))
	must(t, os.Symlink(secret, filepath.Join(s.options.Dir, "hermes-cdp-20261121T120000Z-aaaaaaaaaaaaaaaa.webm")))
	for _, id := range []string{"", ".", "..", "../secret", "/" + path, path, filepath.Base(path), "aaaaaaaaaaaaaaaa", "*", "hermes-cdp-"} {
		if f, _, err := s.Open(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q opens %v, %v", id, f, err)
		}
	}
	if list := s.listed(t, ""); len(list) != 1 {
		t.Errorf("the list is %+v", list)
	}
}

func TestOnlyOurOldRecordingsAreRemoved(t *testing.T) {
	s := shelf(t, Options{})
	old, young := recorded(t, s, "one", noon), recorded(t, s, "one", noon)
	live := s.NewTape(Meta{Task: "one"})
	must(t, live.Frame(noon, frameOf("content")))
	theirs := filepath.Join(s.options.Dir, "holiday.webm")
	must(t, os.WriteFile(theirs, nil, 0o600))
	now := time.Now()
	for _, path := range []string{old, theirs, live.now.Info().Path} {
		must(t, os.Chtimes(path, now, now.Add(-2*time.Hour)))
	}
	must(t, s.Tend(now))
	left := strings.Join(fileNames(t, s), " ")
	if strings.Contains(left, filepath.Base(old)) {
		t.Errorf("the old one is left: %s", left)
	}
	for _, path := range []string{young, theirs, live.now.Info().Path} {
		if !strings.Contains(left, filepath.Base(path)) {
			t.Errorf("%s is gone, left are %s", path, left)
		}
	}
	must(t, live.End(noon, EndedTask))
}

func TestWhatAKilledProcessLeftIsEnded(t *testing.T) {
	s := shelf(t, Options{})
	tape := s.NewTape(Meta{Task: "one"})
	must(t, tape.Frame(noon, frameOf("red")))
	must(t, tape.Frame(noon.Add(time.Second), frameOf("blue")))
	path := tape.now.Info().Path
	left, err := os.ReadFile(path)
	must(t, err)

	next := NewStore(s.options)
	if list := next.listed(t, ""); len(list) != 1 || list[0].State != Running {
		t.Errorf("another process sees %+v", list)
	}
	must(t, next.Tend(time.Now()))
	if now, err := os.ReadFile(path); err != nil || string(now) != string(left) {
		t.Errorf("a recording of a process that lives was changed: %v", err)
	}
	must(t, tape.End(noon.Add(2*time.Second), EndedTask))
	// As it was, with the beginning of one more frame.
	must(t, os.WriteFile(path, append(left, cluster(time.Minute, make([]byte, 100))[:50]...), 0o600))
	if list := next.listed(t, ""); len(list) != 1 || list[0].State != Unfinished || list[0].Frames != 2 {
		t.Errorf("after the kill: %+v", list)
	}
	old := time.Now().Add(-30 * time.Minute).Truncate(time.Second)
	must(t, os.Chtimes(path, old, old))
	must(t, next.Tend(time.Now()))
	list := next.listed(t, "")
	if len(list) != 1 || list[0].State != Finished || list[0].Ending != EndedKilled || list[0].Frames != 2 {
		t.Errorf("after that: %+v", list)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the file is as if it had been written at %v, %v", info.ModTime(), err)
	}
}
