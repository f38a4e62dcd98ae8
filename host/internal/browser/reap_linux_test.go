package browser

import (
	"os"
	"path/filepath"
	"testing"
)

// A name below the directory that all users share says nothing: it can be a link, a file, or somebody else's.
func TestWhatOnlyLooksLikeAProfileIsLeftAlone(t *testing.T) {
	ownTemporary(t)
	mine := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockProfile(mine, "")
	if err != nil {
		t.Fatal(err)
	}
	lock.release()
	link := filepath.Join(os.TempDir(), profilePrefix+"link")
	if err := os.Symlink(mine, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(os.TempDir(), profilePrefix+"file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(os.TempDir(), profilePrefix+"linked")
	if err := os.Mkdir(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(mine, ownerFile), filepath.Join(linked, ownerFile)); err != nil {
		t.Fatal(err)
	}
	living, err := temporaryProfile("", LaunchOptions{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := living.remove(); err != nil {
			t.Error(err)
		}
	}()
	process := pretend(t, link)
	if got := Reap(false); len(got) != 0 {
		t.Errorf("it ended %+v", got)
	}
	for _, path := range []string{link, file, linked, filepath.Join(mine, ownerFile), living.dir} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	process.mustLive(t)
}
