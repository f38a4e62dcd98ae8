package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Download clicks an element and keeps the file that it gives in a folder, under the name that the page suggests, made safe
// and never that of a file which is there already. It returns when the file is complete. The browser has to run on this
// machine. While it waits, other downloads of the same browser context go to the folder's part of it, too. Errors: as
// [Task.Click]; ErrDownload where no file came of the click, or it was not completed.
func (t *Task) Download(ctx context.Context, o DownloadOptions) (Download, error) {
	dir, err := filepath.Abs(o.Dir)
	if info, statErr := os.Stat(dir); err != nil || o.Dir == "" || statErr != nil || !info.IsDir() {
		return Download{}, fmt.Errorf("%w: dir %q is no folder", ErrBadCall, o.Dir)
	}
	acted, err := t.act(ctx, "download", o.Locator, ActOptions{Timeout: o.Timeout}, func(a *action) error {
		return a.download(o.Locator, dir)
	})
	for _, d := range acted.Downloads {
		if d.Path != "" {
			return d, nil
		}
	}
	return Download{}, err
}

// ErrDownload says that no file came of a download; the text says why.
var ErrDownload = errors.New("the download failed")

// downloadBegins is how long it is waited for a click to give a file.
const downloadBegins = 10 * time.Second

// download clicks, and moves the file that comes into the folder.
func (a *action) download(l Locator, dir string) error {
	partial, err := os.MkdirTemp(dir, ".download-*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	defer func() { _ = os.RemoveAll(partial) }() // what stays behind is no more than an unfinished file
	_, at, err := a.ready(l, false)
	if err != nil {
		return err
	}
	if err := a.downloadTo(partial); err != nil {
		return err
	}
	defer a.downloadAsBefore()
	if err := page.Click(a.d, at, page.Left, 1); err != nil {
		return err
	}
	file, err := a.awaitFile()
	if err != nil {
		return err
	}
	kept, err := keepFile(filepath.Join(partial, file.guid), dir, file.Name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	a.d.watch.keep(file.guid, kept)
	return nil
}

// downloadTo makes the browser put the files of the task's context into a folder, under names that are no page's.
func (a *action) downloadTo(dir string) error {
	_, err := a.d.op.onBrowser(browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: a.task.context, DownloadPath: dir,
	})
	return err
}

// downloadAsBefore undoes downloadTo. Nobody waits for that.
func (a *action) downloadAsBefore() {
	_, _ = a.task.link.conn.Send("", browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDefault, BrowserContextID: a.task.context,
	}) // a browser that is gone needs it no more
}

// awaitFile waits until a file comes, and until it is complete.
func (a *action) awaitFile() (file watchedDownload, err error) {
	if err := a.until(downloadBegins, func(w *pageWatch) bool { return len(w.downloads) > 0 }); err != nil {
		return file, err
	}
	ended := func(w *pageWatch) bool {
		if len(w.downloads) > 0 {
			file = w.downloads[0]
		}
		return file.State != DownloadStarted
	}
	if err := a.until(noLimit, ended); err != nil {
		return file, err
	}
	switch file.State {
	case DownloadComplete:
		return file, nil
	case "":
		return file, fmt.Errorf("%w: a click on %s gave no file within %v", ErrDownload, a.out.Element, downloadBegins)
	}
	return file, fmt.Errorf("%w: the browser canceled %s", ErrDownload, page.Describe("the file", file.Name))
}

// maxSameName is how many files of one name a folder may get.
const maxSameName = 1000

// keepFile moves a file into a folder under a name, or one with a number where that is taken.
func keepFile(from, dir, name string) (string, error) {
	ext := filepath.Ext(name)
	for i := range maxSameName {
		to := filepath.Join(dir, name)
		if i > 0 {
			to = filepath.Join(dir, fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), i, ext))
		}
		// A link, as a rename would replace a file that came meanwhile.
		err := os.Link(from, to)
		if err == nil {
			return to, os.Remove(from)
		}
		if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("the folder has %d files of the name %q", maxSameName, name)
}
