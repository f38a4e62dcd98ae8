package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Download clicks an element and keeps the file that it serves in an existing directory, or with an empty dir in the
// one of the task, under the name that the page suggests, made safe and never that of a file that already exists. It
// returns when the file is complete; at the end of its time the browser cancels the download. The file may come from
// any frame, and from a tab that the click opens for it. The browser must run on this machine. If the task shares its
// browser context, other files that the context downloads until then are put into the directory too. Errors: as
// [Tab.Click]; fault.ErrDownload if the click produced no file, or the file was not completed.
func (t Tab) Download(ctx context.Context, l Locator, dir string) (_ view.Download, err error) {
	defer fault.During("download", &err)
	into, err := filepath.Abs(cmp.Or(dir, t.pages.DownloadDir()))
	if info, statErr := os.Stat(into); err != nil || statErr != nil || !info.IsDir() {
		return view.Download{}, fmt.Errorf("%w: dir %q is not a directory", fault.ErrBadArguments, dir)
	}
	acted, err := t.act(ctx, "download", l, ActionOptions{}, func(a *action) error { return a.download(l, into) })
	for _, d := range acted.Downloads {
		if d.Path != "" {
			return d, nil
		}
	}
	return view.Download{}, err
}

// noFileError says that a click produced no file. It is [fault.ErrDownload], and what ended the wait.
type noFileError struct {
	element string
	within  time.Duration
	cause   error // nil: the wait was long enough
}

func (e *noFileError) Error() string {
	text := fmt.Sprintf("%v: the click on %s produced no file within %s; the click was delivered, and its effects remain", fault.ErrDownload, e.element, fault.Seconds(e.within))
	if e.cause != nil {
		text += "; a download that is slow to start needs a longer timeout"
	}
	return text
}

func (e *noFileError) Unwrap() []error {
	if e.cause == nil {
		return []error{fault.ErrDownload}
	}
	return []error{fault.ErrDownload, e.cause}
}

// downloadStartLimit is how long a click may take to start a download.
const downloadStartLimit = 10 * time.Second

// download clicks and waits until the file is in the directory.
func (a *action) download(l Locator, dir string) error {
	aim, err := a.ready(l, false, input.Pressed)
	if err != nil {
		return err
	}
	leave, err := a.redirectDownloads(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrDownload, err)
	}
	defer leave()
	if err := a.click(aim, input.Left, 1, nil); err != nil {
		return err
	}
	clicked := time.Now()
	file, err := a.awaitFile()
	if errors.Is(err, fault.ErrTimeout) && file.ID == "" {
		return &noFileError{a.out.Element, time.Since(clicked), err}
	}
	if err != nil || filepath.Dir(file.Path) == dir {
		return err
	}
	a.elsewhere, err = download.Keep(file.Path, dir, file.Name) // the directory of the task is another one
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrDownload, err)
	}
	return nil
}

// awaitFile waits until a download starts and completes.
func (a *action) awaitFile() (file view.Download, err error) {
	ended := func(w *pageWatch) bool {
		if list := a.newDownloads(w); len(list) > 0 {
			file = list[0]
		}
		return file.ID != "" && file.State != view.DownloadStarted
	}
	if err := a.waitUntil(downloadStartLimit, func(w *pageWatch) bool { return ended(w) || file.ID != "" }); err != nil {
		return file, err
	}
	if file.ID == "" {
		return file, &noFileError{a.out.Element, downloadStartLimit, nil}
	}
	if err := a.waitUntil(noLimit, ended); err != nil {
		return file, a.abandonDownload(file, err)
	}
	switch {
	case file.State != view.DownloadComplete:
		err := fmt.Errorf("%w: %s: %s after %s: %s", fault.ErrDownload, page.Describe("the file", file.Name), file.State, progress(file), file.Reason)
		if file.State == view.DownloadFailed {
			err = fmt.Errorf("%w; try again", err)
		}
		return file, err
	case file.Path == "":
		return file, fmt.Errorf("%w: the browser does not say where %s is", fault.ErrDownload, page.Describe("the file", file.Name))
	}
	return file, nil
}

// abandonDownload cancels a download when its wait has failed, and adds to the error how far it got.
func (a *action) abandonDownload(file view.Download, err error) error {
	if file.State != view.DownloadStarted {
		return err
	}
	a.pages.Post(supervise.CancelDownload{Task: a.pages.ID(), ID: file.ID, Reason: "the call that waited for it ended"})
	return fmt.Errorf("%s had %s when it was canceled: %w", page.Describe("the file", file.Name), progress(file), err)
}

// progress says how much of a file has been received.
func progress(d view.Download) string {
	if d.Total <= 0 {
		return fmt.Sprintf("%d bytes", d.Bytes)
	}
	return fmt.Sprintf("%d of %d bytes", d.Bytes, d.Total)
}

// newDownloads are those that the tab, or a tab that it opened, started since the action began.
func (a *action) newDownloads(w *pageWatch) (list []view.Download) {
	before := map[string]bool{}
	for _, d := range a.before.Downloads {
		before[d.ID] = true
	}
	for _, d := range a.pages.Snapshot().Downloads {
		if from := target.ID(d.TargetID); !before[d.ID] && (from == w.tab || w.openedTab(from) != nil) {
			list = append(list, d)
		}
	}
	return list
}

// fileLimit is how long an action waits for the files that it started to download: a small one is there when the action
// ends, and a large one is reported when it comes.
const fileLimit = 500 * time.Millisecond

// awaitDownloads waits a moment until the files that the action started to download are there. A frame stops loading
// before the browser announces that what it loaded is a download.
func (a *action) awaitDownloads() error {
	known := func(w *pageWatch) bool {
		for _, stopped := range w.unloaded {
			if stopped {
				return false
			}
		}
		return true
	}
	if err := a.awaitMoment(outcomeLimit, known); err != nil {
		return err
	}
	return a.awaitMoment(fileLimit, func(w *pageWatch) bool {
		return !slices.ContainsFunc(a.newDownloads(w), func(d view.Download) bool { return d.State == view.DownloadStarted })
	})
}

// awaitMoment is waitUntil for what is usually true already.
func (a *action) awaitMoment(limit time.Duration, condition func(*pageWatch) bool) error {
	met := false
	a.d.watch.inspect(func(w *pageWatch) { met = condition(w) })
	if met {
		return nil
	}
	return a.waitUntil(limit, condition)
}

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
