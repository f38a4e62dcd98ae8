package act

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Download clicks an element and keeps the file that it serves in an existing directory, under the name that the page
// suggests, made safe and never that of a file that already exists. It returns when the file is complete; at the end of
// its time the browser cancels the download. The file may come from any frame, and from a tab that the click opens for
// it. The browser must run on this machine. Until then, other files that the same browser context downloads are put
// into the directory too. Errors: as [Tab.Click]; fault.ErrDownload if the click produced no file, or the file was not
// completed.
func (t Tab) Download(ctx context.Context, l Locator, dir string) (_ Download, err error) {
	defer fault.During("download", &err)
	into, err := filepath.Abs(dir)
	if info, statErr := os.Stat(into); err != nil || dir == "" || statErr != nil || !info.IsDir() {
		return Download{}, fmt.Errorf("%w: dir %q is not a directory", fault.ErrBadArguments, dir)
	}
	acted, err := t.act(ctx, "download", l, ActionOptions{}, func(a *action) error { return a.download(l, into) })
	for _, d := range acted.Downloads {
		if d.Path != "" {
			return d, nil
		}
	}
	return Download{}, err
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

// download clicks and moves the downloaded file into the directory.
func (a *action) download(l Locator, dir string) error {
	aim, err := a.ready(l, false, page.Pressed)
	if err != nil {
		return err
	}
	folder, leave, err := a.redirectDownloads(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrDownload, err)
	}
	defer leave()
	if err := aim.Click(a.d, page.Left, 1, nil); err != nil {
		return err
	}
	clicked := time.Now()
	file, err := a.awaitFile()
	if errors.Is(err, fault.ErrTimeout) && file.State == "" {
		return &noFileError{a.out.Element, time.Since(clicked), err}
	}
	if err != nil {
		return err
	}
	kept, err := download.Keep(a.pages.Link.Downloads.Take(folder, file.guid), dir, file.Name)
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrDownload, err)
	}
	a.d.watch.setPath(file.guid, kept)
	return nil
}

// awaitFile waits until a download starts and completes.
func (a *action) awaitFile() (file watchedDownload, err error) {
	if err := a.waitUntil(downloadStartLimit, func(w *pageWatch) bool { return len(w.downloads) > 0 }); err != nil {
		return file, err
	}
	ended := func(w *pageWatch) bool {
		if len(w.downloads) > 0 {
			file = w.downloads[0]
		}
		return file.State != download.Started
	}
	if err := a.waitUntil(noLimit, ended); err != nil {
		return file, a.abandonDownload(file, err)
	}
	switch file.State {
	case download.Complete:
		return file, nil
	case "":
		return file, &noFileError{a.out.Element, downloadStartLimit, nil}
	}
	return file, fmt.Errorf("%w: the browser canceled %s after %s; its server may have broken off, try again",
		fault.ErrDownload, page.Describe("the file", file.Name), file.progress())
}

// abandonDownload cancels a download when its wait has failed, and adds to the error how far it got.
func (a *action) abandonDownload(file watchedDownload, err error) error {
	if file.State != download.Started {
		return err
	}
	a.pages.cancelDownload(file.guid)
	return fmt.Errorf("%s had %s when it was canceled: %w", page.Describe("the file", file.Name), file.progress(), err)
}

// progress says how much of a file has been received.
func (d *watchedDownload) progress() string {
	if d.total <= 0 {
		return fmt.Sprintf("%d bytes", d.Bytes)
	}
	return fmt.Sprintf("%d of %d bytes", d.Bytes, d.total)
}
