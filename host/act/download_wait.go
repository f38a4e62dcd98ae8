package act

import (
	"context"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// enterDownloads makes the browser put the files of the task's context into a folder, below dir if nobody waits for one
// there yet. The caller has to call leave.
func (a *action) redirectDownloads(dir string) (folder *download.Folder, leave func(), err error) {
	l, context := a.task.Link, a.task.Context()
	folder, err = l.Downloads.Enter(context, dir)
	if err != nil {
		return nil, nil, err
	}
	leave = func() { a.task.restoreDownloads() }
	events := true // said again to a browser that knows it: it forgets with a connection that is lost
	err = a.d.op.OnBrowser(cdpbrowser.CommandSetDownloadBehavior, &cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: context, DownloadPath: folder.Dir, EventsEnabled: &events,
	}, nil)
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
func (t *Task) restoreDownloads() {
	l, of := t.Link, t.Context()
	l.Go(func(ends context.Context) {
		select {
		case <-time.After(downloadsLinger):
		case <-ends.Done():
		}
		folder := l.Downloads.Leave(of)
		if folder == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ends, downloadsTimeout)
		defer cancel()
		events := true
		// The events stay: another context may have to hear of its files. A browser that is gone needs none of it.
		_ = l.Call(ctx, cdpbrowser.CommandSetDownloadBehavior, &cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDefault, BrowserContextID: of, EventsEnabled: &events,
		}, nil)
		awaitFolder(ends, l, folder)
		if err := l.Downloads.Empty(folder); err != nil {
			l.Log.Warn("a folder for downloads could not be emptied", "folder", folder.Dir, "error", err)
		}
	})
}

// awaitFolder waits for the files that still come into a folder, as long as there is a connection.
func awaitFolder(ends context.Context, l *engine.Link, folder *download.Folder) {
	for {
		coming, changed := l.Downloads.Coming(folder)
		if !coming {
			return
		}
		select {
		case <-changed:
		case <-ends.Done():
			return
		}
	}
}

// cancelDownload gives up a file that nobody waits for any more. Nobody waits for that, either.
func (t *Task) cancelDownload(guid string) {
	l := t.Link
	l.Go(func(ends context.Context) {
		ctx, cancel := context.WithTimeout(ends, downloadsTimeout)
		defer cancel()
		_ = l.Call(ctx, cdpbrowser.CommandCancelDownload, &cdpbrowser.CancelDownloadParams{GUID: guid, BrowserContextID: t.Context()}, nil)
	})
}
