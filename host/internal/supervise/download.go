package supervise

import (
	"fmt"
	"slices"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// DownloadState is how far a download is.
type DownloadState string

// The states of a [Download].
const (
	DownloadRunning   DownloadState = "in_progress"
	DownloadCompleted DownloadState = "completed"
	DownloadCanceled  DownloadState = "canceled" // by the host
	DownloadFailed    DownloadState = "failed"
)

// Download is a copy of what is known about a file that a tab downloads.
type Download struct {
	ID     string // the browser's
	Target target.ID
	URL    string
	Name   string // as the page suggests, made safe
	State  DownloadState
	Bytes  int64
	Total  int64  // as the server says; 0: it does not
	Path   string // where the file is; empty until it is completed, and if nobody knows
	Reason string // why it was canceled or failed, or why nobody knows the path

	Origin, TopOrigin string // of the URL, and of the document in the tab's top frame when it began
}

// maxDownloads limits how many downloads a task remembers, and so how many may run at a time.
const maxDownloads = 100

// downloads are those of a task.
type downloads struct {
	list []*Download // oldest first
	kept int64       // the bytes of all files that were completed
}

func (l *downloads) find(id string) *Download {
	if i := slices.IndexFunc(l.list, func(d *Download) bool { return d.ID == id }); i >= 0 {
		return l.list[i]
	}
	return nil
}

// bytes is what the task has downloaded, with what is arriving.
func (l *downloads) bytes() int64 {
	sum := l.kept
	for _, d := range l.list {
		if d.State == DownloadRunning {
			sum += max(d.Bytes, d.Total)
		}
	}
	return sum
}

// makeRoom forgets the oldest download that has ended; false if all are running.
func (l *downloads) makeRoom() bool {
	if len(l.list) < maxDownloads {
		return true
	}
	i := slices.IndexFunc(l.list, func(d *Download) bool { return d.State != DownloadRunning })
	if i >= 0 {
		l.list = slices.Delete(l.list, i, i+1)
	}
	return i >= 0
}

func (l *downloads) views() []Download {
	out := make([]Download, len(l.list))
	for i, d := range l.list {
		out[i] = *d
	}
	return out
}

func (s *State) downloadBegan(e DownloadBegan) {
	ss := s.sessions[e.Session]
	if ss == nil || ss.task == nil || ss.tab == nil || ss.task.downloads.find(e.ID) != nil {
		s.counters.EventsIgnored++
		return
	}
	t := ss.task
	if !t.downloads.makeRoom() {
		s.stopDownload(t, e.ID)
		return
	}
	d := &Download{
		ID: e.ID, Target: ss.tab.id, URL: e.URL, Name: e.Name, State: DownloadRunning, Origin: originOf(e.Owner), TopOrigin: ss.tab.root.origin,
	}
	t.downloads.list = append(t.downloads.list, d)
	s.downloadChanged(t, d)
}

// downloadProgress applies to a download of any task: the browser's own session does not say whose it is, and announces
// the end of one whose tab was closed. Two sessions may announce the same.
func (s *State) downloadProgress(e DownloadProgress) {
	for _, t := range s.taskOrder {
		d := t.downloads.find(e.ID)
		switch {
		case d == nil:
		case d.State == DownloadCanceled && e.State == DownloadCompleted: // it was completed before the command arrived
			s.dropDownload(t, d, e)
			return
		case d.State != DownloadRunning || t.keeping[d.ID]:
			return
		default:
			d.Bytes, d.Total = max(d.Bytes, e.Bytes), e.Total
			t.dirty = true
			s.downloadMoved(t, d, e)
			return
		}
	}
	s.counters.EventsIgnored++
}

// downloadMoved ends a download that has ended, or that is too much.
func (s *State) downloadMoved(t *task, d *Download, e DownloadProgress) {
	tooMuch := t.DownloadLimit > 0 && t.downloads.bytes() > t.DownloadLimit
	switch {
	case e.State == DownloadFailed:
		s.endDownload(t, d, DownloadFailed, "the browser gave it up: the server broke off, or somebody canceled it")
	case tooMuch && e.State == DownloadCompleted:
		s.dropDownload(t, d, e)
		s.endDownload(t, d, DownloadCanceled, tooLarge(t))
	case tooMuch:
		s.stopDownload(t, d.ID)
		s.endDownload(t, d, DownloadCanceled, tooLarge(t))
	case e.State == DownloadCompleted:
		if t.keeping == nil {
			t.keeping = map[string]bool{}
		}
		t.keeping[d.ID] = true
		s.do(KeepDownload{Task: t.ID, ID: d.ID, Name: d.Name, Path: e.Path, File: *d})
	}
}

func tooLarge(t *task) string {
	return fmt.Sprintf("the downloads of the task would have more than %d bytes together (browser.download_limit_mb)", t.DownloadLimit)
}

// downloadKept ends a download whose file is where it is to stay.
func (s *State) downloadKept(e DownloadKept) {
	t := s.tasks[e.Task]
	if t != nil && e.Left != "" {
		if d := t.downloads.find(e.ID); d != nil {
			s.endDownload(t, d, d.State, d.Reason+"; but the browser had completed the file, which the host could not remove: "+e.Left)
		}
		return
	}
	if t == nil || !t.keeping[e.ID] {
		s.counters.EventsIgnored++
		return
	}
	delete(t.keeping, e.ID)
	d := t.downloads.find(e.ID)
	if d == nil {
		return
	}
	if e.Denied != "" {
		s.endDownload(t, d, DownloadCanceled, e.Denied)
		return
	}
	if e.Fault != "" {
		s.endDownload(t, d, DownloadFailed, e.Fault)
		return
	}
	reason := ""
	if e.Path == "" {
		reason = "the browser put it into its own directory, as the task shares its browser context; browser_download gets the file"
	}
	d.Path = e.Path
	t.downloads.kept += d.Bytes
	s.endDownload(t, d, DownloadCompleted, reason)
}

func (s *State) cancelDownload(e CancelDownload) {
	t := s.tasks[e.Task]
	if t == nil {
		return
	}
	if d := t.downloads.find(e.ID); d != nil && d.State == DownloadRunning && !t.keeping[d.ID] {
		s.stopDownload(t, d.ID)
		s.endDownload(t, d, DownloadCanceled, e.Reason)
	}
}

// dropDownload removes the file of a download that was completed, though the task is not to have it.
func (s *State) dropDownload(t *task, d *Download, e DownloadProgress) {
	d.Bytes = max(d.Bytes, e.Bytes)
	s.do(KeepDownload{Task: t.ID, ID: d.ID, Path: e.Path, Drop: true, File: *d})
}

// stopDownload makes the browser cancel a download and remove what it has of it.
func (s *State) stopDownload(t *task, id string) {
	s.send("", cdpbrowser.CommandCancelDownload, &cdpbrowser.CancelDownloadParams{GUID: id, BrowserContextID: t.BrowserContextID})
}

func (s *State) endDownload(t *task, d *Download, state DownloadState, reason string) {
	d.State, d.Reason = state, reason
	s.downloadChanged(t, d)
}

func (s *State) downloadChanged(t *task, d *Download) {
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyDownload, Download: *d})
}

// loseDownloads ends the downloads of a lost connection, as nobody will announce their ends.
func (s *State) loseDownloads(t *task, reason string) {
	for _, d := range t.downloads.list {
		if d.State == DownloadRunning && !t.keeping[d.ID] {
			s.endDownload(t, d, DownloadFailed, "the connection to the browser was lost: "+reason)
		}
	}
}
