package act

import (
	"context"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// redirectDownloads makes the browser put the files of the task's context into a directory, which is created below dir
// unless the task, or a wait in progress, has one there. The caller must call leave.
func (a *action) redirectDownloads(dir string) (leave func(), err error) {
	l, context := a.pages.Link, a.pages.Context()
	folder, err := l.Downloads.Enter(context, dir)
	if err != nil {
		return nil, err
	}
	leave = a.pages.restoreDownloads
	// It is repeated for each wait: the browser forgets it when a connection is lost.
	err = a.d.op.OnBrowser(cdpbrowser.CommandSetDownloadBehavior, engine.IntoFolder(context, folder.Dir), nil)
	if err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

const (
	// downloadsTimeout bounds the commands that end a wait for files.
	downloadsTimeout = 10 * time.Second
	// downloadsLinger is how long the directory is kept for further files of the same click.
	downloadsLinger = 2 * time.Second
)

// restoreDownloads lets the browser put files where it did before, once no wait is left. It runs in the background.
func (p *Pages) restoreDownloads() {
	l, of := p.Link, p.Context()
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
		// The events stay enabled: another context may need them. With a browser that is gone the error does not matter.
		_ = l.Call(ctx, cdpbrowser.CommandSetDownloadBehavior, &cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDefault, BrowserContextID: of, EventsEnabled: &events,
		}, nil)
		awaitFolder(ends, l, folder)
		if err := l.Downloads.Empty(folder); err != nil {
			l.Log.Warn("a directory for downloads could not be emptied", "directory", folder.Dir, "error", err)
		}
	})
}

// awaitFolder waits for the files that are still being downloaded into a directory, while there is a connection.
func awaitFolder(ends context.Context, l *engine.Link, folder *download.Directory) {
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
