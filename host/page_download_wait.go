package host

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/browser"
)

// enterDownloads makes the browser put the files of the task's context into a folder, below dir if nobody waits for one
// there yet. The caller has to call leave.
func (a *action) enterDownloads(dir string) (folder *downloadFolder, leave func(), err error) {
	l, context := a.task.link, a.task.context
	folder, err = l.downloads.enter(context, dir)
	if err != nil {
		return nil, nil, err
	}
	leave = func() { a.task.leaveDownloads() }
	events := true // said again to a browser that knows it: it forgets with a connection that is lost
	err = a.d.op.onBrowser(browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: context, DownloadPath: folder.dir, EventsEnabled: &events,
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
func (t *actTask) leaveDownloads() {
	l, of := t.link, t.context
	l.inBackground(func(ends context.Context) {
		select {
		case <-time.After(downloadsLinger):
		case <-ends.Done():
		}
		folder := l.downloads.leave(of)
		if folder == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ends, downloadsTimeout)
		defer cancel()
		events := true
		// The events stay: another context may have to hear of its files. A browser that is gone needs none of it.
		_ = l.call(ctx, browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorDefault, BrowserContextID: of, EventsEnabled: &events,
		}, nil)
		awaitFolder(ends, l, folder)
		if err := l.downloads.empty(folder); err != nil {
			l.log.Warn("a folder for downloads could not be emptied", "folder", folder.dir, "error", err)
		}
	})
}

// awaitFolder waits for the files that still come into a folder, as long as there is a connection.
func awaitFolder(ends context.Context, l *link, folder *downloadFolder) {
	for {
		coming, changed := l.downloads.coming(folder)
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
func (t *actTask) cancelDownload(guid string) {
	l := t.link
	l.inBackground(func(ends context.Context) {
		ctx, cancel := context.WithTimeout(ends, downloadsTimeout)
		defer cancel()
		_ = l.call(ctx, browser.CommandCancelDownload, &browser.CancelDownloadParams{GUID: guid, BrowserContextID: t.context}, nil)
	})
}
