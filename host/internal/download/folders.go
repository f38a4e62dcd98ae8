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

// The events of the browser's own session that tell of files. They come when the tab that began a download is closed already,
// but only while somebody waits for a file.
const (
	EventBegan    = "Browser.downloadWillBegin"
	EventProgress = "Browser.downloadProgress"
)

// Folders are the folders into which a browser puts files while somebody waits for one: a setting of a whole browser
// context. So those who wait in one context at the same time share a folder, and files in it that nobody waited for, a
// person's perhaps, are kept beside it, under their own names. The zero value is ready.
//
// The owner of the connection notes what the browser tells, and a disk may hang: nothing is done on it under mu.
type Folders struct {
	mu      sync.Mutex
	open    map[cdproto.BrowserContextID]*Folder
	closing map[*Folder]bool // that nobody waits in any more, but files still come
}

// Folder is one of them. Its fields are guarded by downloadFolders.mu.
type Folder struct {
	Dir   string // with files named by their ids, which are no page's
	users int
	files map[string]*file // that began since it is there, by id

	changed chan struct{} // closed and replaced when the state of a file changes
}

type file struct {
	name  string // made safe
	state string
	taken bool // somebody waited for it
}

// maxFolderFiles bounds what is known of a folder; files beyond that are removed with it.
const maxFolderFiles = 1000

// Note takes an event of the browser's own session. It tells of all contexts alike; whose file it is shows in the folders.
func (f *Folders) Note(method string, params []byte) {
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

func (d *Folder) note(guid, state string) {
	ended, ok := map[string]string{"completed": Complete, "canceled": Canceled}[state]
	if file := d.files[guid]; ok && file != nil {
		file.state = ended
		close(d.changed)
		d.changed = make(chan struct{})
	}
}

// Enter gives the folder of a context, below dir where there is none yet.
func (f *Folders) Enter(context cdproto.BrowserContextID, dir string) (*Folder, error) {
	if folder := f.join(context, ""); folder != nil {
		return folder, nil
	}
	partial, err := os.MkdirTemp(dir, ".download-*")
	if err != nil {
		return nil, err
	}
	folder := f.join(context, partial)
	if folder.Dir != partial { // another was faster
		return folder, os.Remove(partial)
	}
	return folder, nil
}

// join adds one who waits to the folder of a context. Where there is none yet, it is made of dir; nil if that is empty.
func (f *Folders) join(context cdproto.BrowserContextID, dir string) *Folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder == nil {
		if dir == "" {
			return nil
		}
		folder = &Folder{Dir: dir, files: map[string]*file{}, changed: make(chan struct{})}
		if f.open == nil {
			f.open = map[cdproto.BrowserContextID]*Folder{}
		}
		f.open[context] = folder
	}
	folder.users++
	return folder
}

// Leave is the other end of enter. The last who leaves gets the folder, for emptying it.
func (f *Folders) Leave(context cdproto.BrowserContextID) (last *Folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder.users--; folder.users > 0 {
		return nil
	}
	delete(f.open, context)
	if f.closing == nil {
		f.closing = map[*Folder]bool{}
	}
	f.closing[folder] = true
	return folder
}

// Coming tells whether files still come into a folder, and gives a channel that is closed when that may have changed.
func (f *Folders) Coming(folder *Folder) (bool, <-chan struct{}) {
	files, changed := f.known(folder)
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

// known copies what is known of a folder's files, with the channel that is closed when it changes.
func (f *Folders) known(folder *Folder) (map[string]file, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := make(map[string]file, len(folder.files))
	for guid, file := range folder.files {
		files[guid] = *file
	}
	return files, folder.changed
}

// forget ends the notes about a folder.
func (f *Folders) forget(folder *Folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.closing, folder)
}

// Empty keeps the files that nobody waited for beside the folder, and removes it with what else is there.
func (f *Folders) Empty(folder *Folder) error {
	f.forget(folder)
	files, _ := f.known(folder)
	var failed []error
	for guid, file := range files {
		from := folder.path(guid)
		if _, err := os.Stat(from); err != nil || file.taken || file.state != Complete {
			continue
		}
		_, err := Keep(from, filepath.Dir(folder.Dir), file.name)
		failed = append(failed, err)
	}
	return errors.Join(append(failed, os.RemoveAll(folder.Dir))...)
}

// Take marks a file as one that somebody waited for, and gives its path.
func (f *Folders) Take(folder *Folder, guid string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file := folder.files[guid]; file != nil {
		file.taken = true
	}
	return folder.path(guid)
}

// path is where the browser puts a file. The id is the browser's word, which may not lead out of the folder.
func (d *Folder) path(guid string) string { return filepath.Join(d.Dir, filepath.Base(guid)) }

// place puts a file where there is none yet: by a link, as a rename would replace one that came meanwhile, or else, where the
// file system has no links or the folder is on another one, by a copy.
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

// maxSameName is how many files of one name a folder may get.
const maxSameName = 1000

// Keep moves a file into a folder under a name, or one with a number where that is taken.
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
	return "", fmt.Errorf("the folder has %d files of the name %q", maxSameName, name)
}

// maxFileName is how long the name of a download may be, in bytes.
const maxFileName = 150

// FileName makes a name that a page suggests safe to be one in a folder of ours.
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
