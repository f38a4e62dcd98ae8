package download

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// writeIn writes a file as the browser does.
func writeIn(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}

func TestCallersInOneContextShareADirectory(t *testing.T) {
	var f Directories
	dir := t.TempDir()
	one, err := f.Enter("context", dir)
	if err != nil {
		t.Fatal(err)
	}
	two, err := f.Enter("context", t.TempDir())
	if err != nil || two != one {
		t.Fatalf("the second caller has a directory of its own: %v", err)
	}
	other, err := f.Enter("other", dir)
	if err != nil || other == one {
		t.Fatalf("another context has the same directory: %v", err)
	}
	if f.Leave("context") != nil {
		t.Error("Leave returned the directory while a caller still waits in it")
	}
	if f.Leave("context") != one || f.Leave("other") != other {
		t.Error("Leave does not return the directory to the last caller")
	}
	again, err := f.Enter("context", dir)
	if err != nil || again == one {
		t.Errorf("a directory that was left is used again: %v", err)
	}
}

func TestFilesThatNobodyWaitedForAreKeptInTheParentDirectory(t *testing.T) {
	var f Directories
	dir := t.TempDir()
	folder, err := f.Enter("context", dir)
	if err != nil {
		t.Fatal(err)
	}
	tell := func(method, format string, values ...any) { f.Note(method, fmt.Appendf(nil, format, values...)) }
	for _, id := range []string{"awaited", "person", "half"} {
		tell(EventBegan, `{"guid":%q,"suggestedFilename":"../%s.txt"}`, id, id)
		writeIn(t, folder.Dir, id, id)
	}
	tell(EventBegan, `{"guid":"elsewhere","suggestedFilename":"elsewhere.txt"}`) // of another context
	awaited := f.Hold("context", "awaited")
	if path, err := awaited.Keep("awaited.txt"); err != nil || path != filepath.Join(dir, "awaited.txt") {
		t.Errorf("the file that was awaited is %s, %v", path, err)
	}
	awaited.Release()
	if f.Leave("context") != folder {
		t.Fatal("Leave does not return the directory")
	}
	if coming, _ := f.Coming(folder); !coming {
		t.Error("no file is arriving, though none has ended")
	}
	coming, changed := f.Coming(folder)
	for id, state := range map[string]string{"awaited": "completed", "person": "completed", "half": "canceled"} {
		tell(EventProgress, `{"guid":%q,"state":"inProgress"}`, id)
		tell(EventProgress, `{"guid":%q,"state":%q}`, id, state)
	}
	select {
	case <-changed:
	default:
		t.Errorf("the end of a file is not reported (%v)", coming)
	}
	if coming, _ := f.Coming(folder); coming {
		t.Error("files are still arriving, though all have ended")
	}
	if err := f.Empty(folder); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, dir); !slices.Equal(got, []string{"awaited.txt", "person.txt"}) {
		t.Errorf("the directory has %v", got)
	}
}

// A module decides on a file while the last caller leaves: the directory is not emptied until it has.
func TestAHeldFileIsNotMovedWhenItsDirectoryIsEmptied(t *testing.T) {
	for _, keep := range []bool{true, false} {
		var f Directories
		dir := t.TempDir()
		folder, err := f.Enter("context", dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Note(EventBegan, []byte(`{"guid":"file","suggestedFilename":"file.txt"}`))
		writeIn(t, folder.Dir, "file", "content")
		if f.Leave("context") != folder {
			t.Fatal("Leave does not return the directory")
		}
		held := f.Hold("context", "file")
		f.Note(EventProgress, []byte(`{"guid":"file","state":"completed"}`))
		coming, changed := f.Coming(folder)
		if !coming {
			t.Fatal("nothing is awaited while a file is held")
		}
		want := []string{}
		if keep {
			if path, err := held.Keep("kept.txt"); err != nil || path != filepath.Join(dir, "kept.txt") {
				t.Errorf("the file is kept as %q: %v", path, err)
			}
			want = append(want, "kept.txt")
		}
		held.Release()
		select {
		case <-changed:
		default:
			t.Error("the end of a hold is not reported")
		}
		if coming, _ := f.Coming(folder); coming {
			t.Error("a file that is no longer held is awaited")
		}
		if err := f.Empty(folder); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, dir); !slices.Equal(got, want) {
			t.Errorf("the directory has %v, want %v", got, want)
		}
	}
}

// Characters that mean something to a shell mean nothing in the name of a person's directory.
func TestArrivingFilesAreSeenInAnyDirectory(t *testing.T) {
	for _, name := range []string{"plain", "music [live]", "a*b?", `back\slash`, "[", "]["} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		var f Directories
		folder, err := f.Enter("context", dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Note(EventBegan, []byte(`{"guid":"half","suggestedFilename":"half.txt"}`))
		if coming, _ := f.Coming(folder); coming {
			t.Errorf("in %q a file is arriving that the browser saves elsewhere", name)
		}
		writeIn(t, folder.Dir, "half.crdownload", "half")
		if coming, _ := f.Coming(folder); !coming {
			t.Errorf("in %q no file is arriving, though one has begun and not ended", name)
		}
	}
}

func TestTheIDOfAFileCannotLeaveItsDirectory(t *testing.T) {
	dir := t.TempDir()
	writeIn(t, dir, "secret", "mine")
	var f Directories
	folder, err := f.Enter("context", dir)
	if err != nil {
		t.Fatal(err)
	}
	f.Note(EventBegan, []byte(`{"guid":"../secret","suggestedFilename":"taken.txt"}`))
	f.Note(EventProgress, []byte(`{"guid":"../secret","state":"completed"}`))
	if f.Leave("context") != folder {
		t.Fatal("Leave does not return the directory")
	}
	if err := f.Empty(folder); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, dir); !slices.Equal(got, []string{"secret"}) {
		t.Errorf("the directory has %v", got)
	}
}

func TestAFileNeverReplacesAnother(t *testing.T) {
	dir := t.TempDir()
	for i, want := range []string{"name.tar.gz", "name.tar (1).gz", "name.tar (2).gz"} {
		writeIn(t, dir, "from", fmt.Sprint(i))
		got, err := Keep(filepath.Join(dir, "from"), dir, "name.tar.gz")
		if err != nil || filepath.Base(got) != want {
			t.Errorf("file %d is %s, %v", i, got, err)
		}
		if content, err := os.ReadFile(got); err != nil || string(content) != fmt.Sprint(i) {
			t.Errorf("%s has %q, %v", got, content, err)
		}
	}
	if _, err := Keep(filepath.Join(dir, "none"), dir, "x"); err == nil {
		t.Error("a missing file was kept")
	}
}

// A browser on another machine can name any path.
func TestOnlyTheFileThatWasDownloadedIsRemoved(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("12345"), 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for what, remove := range map[string]func() error{
		"of another size": func() error { return Remove(file, 4) },
		"a link":          func() error { return Remove(link, 5) },
		"a directory":     func() error { return Remove(dir, 0) },
		"none":            func() error { return Remove("", 0) },
		"an old one":      func() error { return errors.Join(os.Chtimes(file, old, old), Remove(file, 5)) },
	} {
		if err := remove(); err == nil {
			t.Errorf("%s: removed", what)
		}
		if err := os.Chtimes(file, time.Now(), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if err := Remove(file, 5); err != nil {
		t.Error(err)
	}
}
