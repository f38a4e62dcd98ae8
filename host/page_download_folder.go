package host

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
)

// downloadFolders are the folders into which a browser puts files while somebody waits for one: a setting of a whole browser
// context. So those who wait in one context at the same time share a folder, and files in it that nobody waited for, a
// person's perhaps, are kept beside it, under their own names. The zero value is ready.
//
// The owner of the connection notes what the browser tells, and a disk may hang: nothing is done on it under mu.
type downloadFolders struct {
	mu      sync.Mutex
	open    map[cdp.BrowserContextID]*downloadFolder
	closing map[*downloadFolder]bool // that nobody waits in any more, but files still come
}

// downloadFolder is one of them. Its fields are guarded by downloadFolders.mu.
type downloadFolder struct {
	dir   string // with files named by their ids, which are no page's
	users int
	files map[string]*folderFile // that began since it is there, by id

	changed chan struct{} // closed and replaced when the state of a file changes
}

type folderFile struct {
	name  string // made safe
	state string
	taken bool // somebody waited for it
}

// maxFolderFiles bounds what is known of a folder; files beyond that are removed with it.
const maxFolderFiles = 1000

// note takes an event of the browser's own session. It tells of all contexts alike; whose file it is shows in the folders.
func (f *downloadFolders) note(method string, params []byte) {
	var e struct {
		GUID  string `json:"guid"`
		Name  string `json:"suggestedFilename"`
		State string `json:"state"`
	}
	if unmarshal(params, &e) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, folder := range f.open {
		if method == eventAnyDownload && len(folder.files) < maxFolderFiles {
			folder.files[e.GUID] = &folderFile{name: fileName(e.Name), state: DownloadStarted}
		}
		folder.note(e.GUID, e.State)
	}
	for folder := range f.closing {
		folder.note(e.GUID, e.State)
	}
}

func (d *downloadFolder) note(guid, state string) {
	ended, ok := map[string]string{"completed": DownloadComplete, "canceled": DownloadCanceled}[state]
	if file := d.files[guid]; ok && file != nil {
		file.state = ended
		close(d.changed)
		d.changed = make(chan struct{})
	}
}

// enter gives the folder of a context, below dir where there is none yet.
func (f *downloadFolders) enter(context cdp.BrowserContextID, dir string) (*downloadFolder, error) {
	if folder := f.join(context, ""); folder != nil {
		return folder, nil
	}
	partial, err := os.MkdirTemp(dir, ".download-*")
	if err != nil {
		return nil, err
	}
	folder := f.join(context, partial)
	if folder.dir != partial { // another was faster
		return folder, os.Remove(partial)
	}
	return folder, nil
}

// join adds one who waits to the folder of a context. Where there is none yet, it is made of dir; nil if that is empty.
func (f *downloadFolders) join(context cdp.BrowserContextID, dir string) *downloadFolder {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder == nil {
		if dir == "" {
			return nil
		}
		folder = &downloadFolder{dir: dir, files: map[string]*folderFile{}, changed: make(chan struct{})}
		if f.open == nil {
			f.open = map[cdp.BrowserContextID]*downloadFolder{}
		}
		f.open[context] = folder
	}
	folder.users++
	return folder
}

// leave is the other end of enter. The last who leaves gets the folder, for emptying it.
func (f *downloadFolders) leave(context cdp.BrowserContextID) (last *downloadFolder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	folder := f.open[context]
	if folder.users--; folder.users > 0 {
		return nil
	}
	delete(f.open, context)
	if f.closing == nil {
		f.closing = map[*downloadFolder]bool{}
	}
	f.closing[folder] = true
	return folder
}

// coming tells whether files still come into a folder, and gives a channel that is closed when that may have changed.
func (f *downloadFolders) coming(folder *downloadFolder) (bool, <-chan struct{}) {
	files, changed := f.known(folder)
	names, err := os.ReadDir(folder.dir)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist), changed // what cannot be seen must not be removed
	}
	for guid, file := range files {
		begun := func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), guid) }
		if file.state == DownloadStarted && slices.ContainsFunc(names, begun) {
			return true, changed
		}
	}
	return false, changed
}

// known copies what is known of a folder's files, with the channel that is closed when it changes.
func (f *downloadFolders) known(folder *downloadFolder) (map[string]folderFile, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := make(map[string]folderFile, len(folder.files))
	for guid, file := range folder.files {
		files[guid] = *file
	}
	return files, folder.changed
}

// forget ends the notes about a folder.
func (f *downloadFolders) forget(folder *downloadFolder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.closing, folder)
}

// empty keeps the files that nobody waited for beside the folder, and removes it with what else is there.
func (f *downloadFolders) empty(folder *downloadFolder) error {
	f.forget(folder)
	files, _ := f.known(folder)
	var failed []error
	for guid, file := range files {
		from := folder.path(guid)
		if _, err := os.Stat(from); err != nil || file.taken || file.state != DownloadComplete {
			continue
		}
		_, err := keepFile(from, filepath.Dir(folder.dir), file.name)
		failed = append(failed, err)
	}
	return errors.Join(append(failed, os.RemoveAll(folder.dir))...)
}

// take marks a file as one that somebody waited for, and gives its path.
func (f *downloadFolders) take(folder *downloadFolder, guid string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file := folder.files[guid]; file != nil {
		file.taken = true
	}
	return folder.path(guid)
}

// path is where the browser puts a file. The id is the browser's word, which may not lead out of the folder.
func (d *downloadFolder) path(guid string) string { return filepath.Join(d.dir, filepath.Base(guid)) }

// enterDownloads makes the browser put the files of the task's context into a folder, below dir if nobody waits for one
// there yet. The caller has to call leave.
func (a *action) enterDownloads(dir string) (folder *downloadFolder, leave func(), err error) {
	l, context := a.task.link, a.task.context
	folder, err = l.downloads.enter(context, dir)
	if err != nil {
		return nil, nil, err
	}
	leave = func() { l.leaveDownloads(context) }
	events := true // said again to a browser that knows it: it forgets with a connection that is lost
	_, err = a.d.op.onBrowser(browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: context, DownloadPath: folder.dir, EventsEnabled: &events,
	})
	if err != nil {
		leave()
		return nil, nil, err
	}
	return folder, leave, nil
}

const (
	// downloadsTimeout bounds the commands that end a wait for files.
	downloadsTimeout = 10 * time.Second
	// downloadsLinger is how long the folder is still there for further files of the same click.
	downloadsLinger = 2 * time.Second
)

// leaveDownloads lets the browser put files where it did before, once nobody waits for one any more. Nobody waits for that.
func (l *link) leaveDownloads(of cdp.BrowserContextID) {
	l.work.Go(func() {
		select {
		case <-time.After(downloadsLinger):
		case <-l.ctx.Done():
		}
		folder := l.downloads.leave(of)
		if folder == nil {
			return
		}
		ctx, cancel := context.WithTimeout(l.ctx, downloadsTimeout)
		defer cancel()
		events := true
		// The events stay: another context may have to hear of its files. A browser that is gone needs none of it.
		_ = l.call(ctx, browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorDefault, BrowserContextID: of, EventsEnabled: &events,
		}, nil)
		l.awaitFolder(folder)
		if err := l.downloads.empty(folder); err != nil {
			l.log.Warn("a folder for downloads could not be emptied", "folder", folder.dir, "error", err)
		}
	})
}

// awaitFolder waits for the files that still come into a folder, as long as there is a connection.
func (l *link) awaitFolder(folder *downloadFolder) {
	for {
		coming, changed := l.downloads.coming(folder)
		if !coming {
			return
		}
		select {
		case <-changed:
		case <-l.ctx.Done():
			return
		}
	}
}

// cancelDownload gives up a file that nobody waits for any more. Nobody waits for that, either.
func (l *link) cancelDownload(of cdp.BrowserContextID, guid string) {
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.ctx, downloadsTimeout)
		defer cancel()
		_ = l.call(ctx, browser.CommandCancelDownload, &browser.CancelDownloadParams{GUID: guid, BrowserContextID: of}, nil)
	})
}

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
