package host

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// ownFiles are the files and directories that these options name and that the host alone reads: no page is given them,
// whatever UploadRoots says.
func (o Options) ownFiles() []string {
	own := []string{o.PluginCacheDir, o.PluginDownloadDir, o.PluginStateDir, o.Journal.Dir, o.Recording.Dir, o.Rental.Journal}
	for _, p := range o.Plugins {
		own = append(own, p.Path)
	}
	return slices.DeleteFunc(own, func(path string) bool { return path == "" })
}

// privateFiles are those that a host learns of while it runs: the profiles of its browsers and the storage states of
// its tasks, which have cookies. The zero value is ready for use.
type privateFiles struct {
	mu    sync.Mutex
	paths []string
}

// add keeps a path; empty: none.
func (f *privateFiles) add(path string) {
	absolute, err := filepath.Abs(path)
	if path == "" || err != nil { // what has no name here cannot be asked for by one
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.paths, absolute) {
		f.paths = append(f.paths, absolute)
	}
}

// ExcludeUploads adds to Options.Private: nothing in these files and directories is given to pages from then on.
func (h *Host) ExcludeUploads(paths ...string) {
	for _, path := range paths {
		h.private.add(path)
	}
}

// all returns them together with the temporary profiles that are there.
func (f *privateFiles) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(browser.TemporaryProfiles(), f.paths...)
}
