//go:build unix

package access

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"
)

// made is a file of somebody.
type made struct {
	uid  int
	mode fs.FileMode
}

func (m made) Name() string       { return "it" }
func (m made) Size() int64        { return 0 }
func (m made) Mode() fs.FileMode  { return m.mode }
func (m made) ModTime() time.Time { return time.Time{} }
func (m made) IsDir() bool        { return m.mode.IsDir() }
func (m made) Sys() any           { return &syscall.Stat_t{Uid: uint32(m.uid)} }

func TestWhoCanPutFilesIntoADirectory(t *testing.T) {
	other := os.Getuid() + 1
	for name, c := range map[string]struct {
		directory made
		want      bool
	}{
		"of this user":                  {made{os.Getuid(), fs.ModeDir | 0o755}, true},
		"of root":                       {made{0, fs.ModeDir | 0o755}, true},
		"of root, others write to it":   {made{0, fs.ModeDir | fs.ModeSticky | 0o777}, false},
		"of root, its group writes":     {made{0, fs.ModeDir | 0o775}, false},
		"of root, that a link leads to": {made{other, fs.ModeSymlink | 0o777}, false},
		"of another user":               {made{other, fs.ModeDir | 0o755}, false},
		"of another user, who is away":  {made{other, fs.ModeDir | 0o500}, false},
	} {
		if got := closedToOthers(c.directory); got != c.want {
			t.Errorf("a directory %s: got %t", name, got)
		}
	}
}
