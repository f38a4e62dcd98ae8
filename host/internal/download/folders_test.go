package download

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// writeIn puts a file into a folder as the browser does.
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

func TestThoseWhoWaitInOneContextShareAFolder(t *testing.T) {
	var f Folders
	dir := t.TempDir()
	one, err := f.Enter("context", dir)
	if err != nil {
		t.Fatal(err)
	}
	two, err := f.Enter("context", t.TempDir())
	if err != nil || two != one {
		t.Fatalf("the second has a folder of its own: %v", err)
	}
	other, err := f.Enter("other", dir)
	if err != nil || other == one {
		t.Fatalf("another context has the same folder: %v", err)
	}
	if f.Leave("context") != nil {
		t.Error("the folder was given away while somebody waits in it")
	}
	if f.Leave("context") != one || f.Leave("other") != other {
		t.Error("the last who leaves does not get the folder")
	}
	again, err := f.Enter("context", dir)
	if err != nil || again == one {
		t.Errorf("a folder that was left is used again: %v", err)
	}
}

func TestFilesThatNobodyWaitedForAreKeptBesideTheFolder(t *testing.T) {
	var f Folders
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
	f.Take(folder, "awaited")
	if f.Leave("context") != folder {
		t.Fatal("nobody is the last")
	}
	if coming, _ := f.Coming(folder); !coming {
		t.Error("nothing comes any more, though no file has ended")
	}
	coming, changed := f.Coming(folder)
	for id, state := range map[string]string{"awaited": "completed", "person": "completed", "half": "canceled"} {
		tell(EventProgress, `{"guid":%q,"state":"inProgress"}`, id)
		tell(EventProgress, `{"guid":%q,"state":%q}`, id, state)
	}
	select {
	case <-changed:
	default:
		t.Errorf("nobody is told of the end (%v)", coming)
	}
	if coming, _ := f.Coming(folder); coming {
		t.Error("files still come, though all in the folder have ended")
	}
	if err := f.Empty(folder); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, dir); !slices.Equal(got, []string{"person.txt"}) {
		t.Errorf("in the folder there is %v", got)
	}
}

// What the name of a person's folder means to a shell means nothing here.
func TestFilesThatStillComeAreSeenInAnyFolder(t *testing.T) {
	for _, name := range []string{"plain", "music [live]", "a*b?", `back\slash`, "[", "]["} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		var f Folders
		folder, err := f.Enter("context", dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Note(EventBegan, []byte(`{"guid":"half","suggestedFilename":"half.txt"}`))
		if coming, _ := f.Coming(folder); coming {
			t.Errorf("in %q comes what the browser puts elsewhere", name)
		}
		writeIn(t, folder.Dir, "half.crdownload", "half")
		if coming, _ := f.Coming(folder); !coming {
			t.Errorf("in %q nothing comes any more, though a file has begun and not ended", name)
		}
	}
}

func TestTheIDOfAFileLeadsNowhereElse(t *testing.T) {
	dir := t.TempDir()
	writeIn(t, dir, "secret", "mine")
	var f Folders
	folder, err := f.Enter("context", dir)
	if err != nil {
		t.Fatal(err)
	}
	f.Note(EventBegan, []byte(`{"guid":"../secret","suggestedFilename":"taken.txt"}`))
	f.Note(EventProgress, []byte(`{"guid":"../secret","state":"completed"}`))
	if f.Leave("context") != folder {
		t.Fatal("nobody is the last")
	}
	if err := f.Empty(folder); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, dir); !slices.Equal(got, []string{"secret"}) {
		t.Errorf("the folder has %v", got)
	}
}

func TestAFileIsNeverPutOverAnother(t *testing.T) {
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
		t.Error("a file that is not there was kept")
	}
}
