package download

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// The states of a download.
const (
	Started  = "started"
	Complete = "complete"
	Canceled = "canceled"
)

// The events of the browser's own session that report downloads. They arrive even if the tab that began the download is
// closed, but only while a caller waits for a file.
const (
	EventBegan    = "Browser.downloadWillBegin"
	EventProgress = "Browser.downloadProgress"
)

// Directories holds the directories that a browser saves downloads to while a caller waits for a file. The download
// directory is a setting of a whole browser context, so callers that wait in one context at the same time share a
// directory. Files that nobody waited for, perhaps a person's, are moved to its parent directory under their own names.
// The zero value is ready to use.
//
// The owner of the connection calls Note, and a disk may hang: no file operation happens while mu is held.
type Directories struct {
	mu      sync.Mutex
	open    map[cdproto.BrowserContextID]*Directory
	closing map[*Directory]bool // those that no caller waits in, but that files may still arrive in
}

// Directory is one such directory. Its fields are guarded by Directories.mu.
type Directory struct {
	Dir   string // its files are named by their ids, which no page chooses
	users int
	files map[string]*file // that began since it was made and nobody holds, by id
	held  int              // files that somebody decides on

	changed chan struct{} // closed and replaced when the state of a file changes
}

type file struct {
	name  string // sanitised by FileName
	state string
}

// maxFolderFiles bounds the files that are tracked in a directory; others are removed with it.
const maxFolderFiles = 1000

// Note handles an event of the browser's own session. The event does not name its context: the directory that holds the
// file shows it.
func (f *Directories) Note(method string, params []byte) {
	var e struct {
		GUID  string `json:"guid"`
		Name  string `json:"suggestedFilename"`
		State string `json:"state"`
	}
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, folder := range f.open {
		if method == EventBegan && len(folder.files) < maxFolderFiles {
			folder.files[e.GUID] = &file{name: FileName(e.Name), state: Started}
		}
		folder.note(e.GUID, e.State)
	}
	for folder := range f.closing {
		folder.note(e.GUID, e.State)
	}
}

func (d *Directory) note(guid, state string) {
	ended, ok := map[string]string{"completed": Complete, "canceled": Canceled}[state]
	if file := d.files[guid]; ok && file != nil {
		file.state = ended
		d.tell()
	}
}

func (d *Directory) tell() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// Enter returns the directory of a context. If there is none yet, it makes one in dir.
func (f *Directories) Enter(context cdproto.BrowserContextID, dir string) (*Directory, error) {
	if folder := f.join(context, ""); folder != nil {
		return folder, nil
	}
	partial, err := os.MkdirTemp(dir, ".download-*")
	if err != nil {
		return nil, err
	}
	folder := f.join(context, partial)
	if folder.Dir != partial { // another caller was faster
		return folder, os.Remove(partial)
	}
	return folder, nil
}

// join adds a caller to the directory of a context. If there is none yet, dir becomes it; nil if dir is empty.
func (f *Directories) join(context cdproto.BrowserContextID, dir string) *Directory {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder == nil {
		if dir == "" {
			return nil
		}
		folder = &Directory{Dir: dir, files: map[string]*file{}, changed: make(chan struct{})}
		if f.open == nil {
			f.open = map[cdproto.BrowserContextID]*Directory{}
		}
		f.open[context] = folder
	}
	folder.users++
	return folder
}

// Leave is the counterpart of Enter. It returns the directory to the last caller, who must empty it.
func (f *Directories) Leave(context cdproto.BrowserContextID) (last *Directory) {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder.users--; folder.users > 0 {
		return nil
	}
	delete(f.open, context)
	if f.closing == nil {
		f.closing = map[*Directory]bool{}
	}
	f.closing[folder] = true
	return folder
}

// Coming reports whether files are still arriving in a directory or are held, and returns a channel that is closed when
// that may have changed.
func (f *Directories) Coming(folder *Directory) (bool, <-chan struct{}) {
	files, held, changed := f.known(folder)
	if held {
		return true, changed
	}
	names, err := os.ReadDir(folder.Dir)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist), changed // what cannot be seen must not be removed
	}
	for guid, file := range files {
		begun := func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), guid) }
		if file.state == Started && slices.ContainsFunc(names, begun) {
			return true, changed
		}
	}
	return false, changed
}

// known returns a copy of what is known about the files of a directory that nobody holds, whether any is held, and the
// channel that is closed when this changes.
func (f *Directories) known(folder *Directory) (_ map[string]file, held bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := make(map[string]file, len(folder.files))
	for guid, file := range folder.files {
		files[guid] = *file
	}
	return files, folder.held > 0, folder.changed
}

// forget stops tracking a directory.
func (f *Directories) forget(folder *Directory) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.closing, folder)
}

// Empty moves the files that nobody waited for to the parent directory, and removes the directory with everything else
// in it.
func (f *Directories) Empty(folder *Directory) error {
	f.forget(folder)
	files, _, _ := f.known(folder)
	var failed []error
	for guid, file := range files {
		from := folder.path(guid)
		if _, err := os.Stat(from); err != nil || file.state != Complete {
			continue
		}
		_, err := Keep(from, filepath.Dir(folder.Dir), file.name)
		failed = append(failed, err)
	}
	return errors.Join(append(failed, os.RemoveAll(folder.Dir))...)
}

// Open returns the directories that callers wait in, by the contexts whose files go there.
func (f *Directories) Open() map[cdproto.BrowserContextID]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := make(map[cdproto.BrowserContextID]string, len(f.open))
	for context, folder := range f.open {
		open[context] = folder.Dir
	}
	return open
}

// Held is a file that the browser has completed, and that nobody but its holder moves. The zero value holds nothing.
type Held struct {
	directories *Directories
	folder      *Directory
	guid        string
}

// Hold takes a completed file out of what is moved when its directory is emptied, which waits until the holder calls
// Release. A file that is in no directory of the context cannot be held: the path of what is returned is empty. Hold
// waits for no disk.
func (f *Directories) Hold(context cdproto.BrowserContextID, guid string) Held {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	for closing := range f.closing {
		if closing.files[guid] != nil {
			folder = closing
		}
	}
	if folder == nil {
		return Held{}
	}
	delete(folder.files, guid)
	folder.held++
	return Held{directories: f, folder: folder, guid: guid}
}

// Path is where the file is; empty if it is not held.
func (h Held) Path() string {
	if h.folder == nil {
		return ""
	}
	return h.folder.path(h.guid)
}

// Keep moves the file out of the directory of its context into the parent directory, under a name. The path is empty if
// the file is not held.
func (h Held) Keep(name string) (string, error) {
	if h.folder == nil {
		return "", nil
	}
	return Keep(h.Path(), filepath.Dir(h.folder.Dir), name)
}

// Release ends the hold. What is still in the directory is removed with it.
func (h Held) Release() {
	if h.folder == nil {
		return
	}
	h.directories.mu.Lock()
	defer h.directories.mu.Unlock()
	h.folder.held--
	h.folder.tell()
}

// freshFor is how long ago a file may have been written that the browser says it has just completed.
const freshFor = 10 * time.Minute

// Remove removes a downloaded file. A browser on another machine may have named the path, so the file here has to be
// one that could be meant: of that size, and written a moment ago.
func Remove(path string, size int64) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != size || time.Since(info.ModTime()) > freshFor {
		return fmt.Errorf("%s is not the file that was downloaded", path)
	}
	return os.Remove(path)
}

// path returns where the browser saves a file. The id is not trusted: it may not lead out of the directory.
func (d *Directory) path(guid string) string { return filepath.Join(d.Dir, filepath.Base(guid)) }

// place puts a file where there is none yet. It uses a hard link, as a rename would replace a file that appeared
// meanwhile. If the file system has no links, or the target is on another one, it copies.
func place(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// maxSameName is how many files of one name a directory may receive.
const maxSameName = 1000

// Keep moves a file into a directory under a name, or the name with a number if it is taken.
func Keep(from, dir, name string) (string, error) {
	ext := filepath.Ext(name)
	for i := range maxSameName {
		to := filepath.Join(dir, name)
		if i > 0 {
			to = filepath.Join(dir, fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), i, ext))
		}
		err := place(from, to)
		if err == nil {
			return to, os.Remove(from)
		}
		if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("the directory already has %d files named %q", maxSameName, name)
}

// maxFileName is the maximum length of the name of a download in bytes.
const maxFileName = 150

// FileName turns a name that a page suggests into one that is safe in a directory of the host.
func FileName(suggested string) string {
	name := path.Base(strings.ReplaceAll(suggested, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/|?*`, r) || pagetext.Unprintable(r) {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, ". ")
	if name == "" || name == "/" {
		name = "download"
	}
	if ext := path.Ext(name); len(name) > maxFileName && len(ext) < maxFileName/2 {
		return pagetext.Shorten(name, maxFileName-len(ext)) + ext
	}
	return pagetext.Shorten(name, maxFileName)
}
