package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	launcher "github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// taskDownloads is where the files of a task go. It is set before the task starts, then unchanged.
type taskDownloads struct {
	dir       string
	temporary bool // it is removed with the task
	remove    func() error
	contained bool // the browser puts every file of the task's context there
}

// KeepDownloads says where the files of a task go that has not started: into a directory, which is created if it is
// missing, or without one into a new one that is removed with the task. If the task has its browser context for itself
// (alone), the browser puts all files of the context there from now on. The setting is one of a whole context, so a
// person's downloads would go there, too, from one that the task shares.
func (t *Task) KeepDownloads(ctx context.Context, dir string, alone bool) (err error) {
	t.downloads = taskDownloads{dir: dir, temporary: dir == ""}
	if t.downloads.temporary {
		t.downloads.dir, t.downloads.remove, err = launcher.TemporaryDownloads("the task " + t.id)
	} else {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: the directory for downloads: %w", fault.ErrTask, t.id, err)
	}
	if !alone {
		return nil
	}
	folder, err := t.Link.Downloads.Enter(t.context, t.downloads.dir)
	if err != nil {
		return fmt.Errorf("%w: %s: the directory for downloads: %w", fault.ErrTask, t.id, err)
	}
	t.downloads.contained = true
	if err := t.Link.Call(ctx, cdpbrowser.CommandSetDownloadBehavior, IntoFolder(t.context, folder.Dir), nil); err != nil {
		t.Link.Log.Warn("downloads go to the browser's own directory", "task", t.id, "reason", err)
	}
	return nil
}

// IntoFolder makes the browser put the files of a context into a directory, under names that no page chooses.
func IntoFolder(of cdproto.BrowserContextID, dir string) *cdpbrowser.SetDownloadBehaviorParams {
	events := true
	return &cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: of, DownloadPath: dir, EventsEnabled: &events,
	}
}

// DownloadDir is the directory that keeps the files of the task.
func (t *Task) DownloadDir() string { return t.downloads.dir }

// TemporaryDownloads is that directory if it is the task's alone; empty if it is not.
func (t *Task) TemporaryDownloads() string {
	if t.downloads.temporary {
		return t.downloads.dir
	}
	return ""
}

// endDownloads removes what the task leaves in its directory and does not keep.
func (t *Task) endDownloads() error {
	var errs []error
	if t.downloads.contained {
		t.downloads.contained = false
		if folder := t.Link.Downloads.Leave(t.context); folder != nil {
			errs = append(errs, t.Link.Downloads.Empty(folder))
		}
	}
	if t.downloads.remove != nil {
		errs = append(errs, t.downloads.remove())
	}
	return errors.Join(errs...)
}

// redirectAgain repeats for a new connection what the browser has forgotten with the last one, before anything is
// attached to that could download a file.
func (l *Link) redirectAgain(ctx context.Context, conn *cdp.Conn) {
	for of, dir := range l.Downloads.Open() {
		if err := conn.Call(ctx, "", cdpbrowser.CommandSetDownloadBehavior, IntoFolder(of, dir), nil); err != nil {
			l.Log.Warn("downloads go to the browser's own directory", "reason", err)
		}
	}
}

// keepDownload moves a completed file, or removes it. It does so in the background, as a disk may hang; from now on
// nobody else moves the file.
func (l *Link) keepDownload(e supervise.KeepDownload) {
	var of cdproto.BrowserContextID
	if t := l.tasks[e.Task]; t != nil {
		of = t.context
	}
	file, asked := l.Downloads.Hold(of, e.ID), l.begun[e.ID]
	l.work.Go(func() {
		defer file.Release()
		if e.Drop {
			if err := dropDownload(file, e); err != nil {
				l.Log.Warn("a file that was canceled could not be removed", "task", e.Task, "error", err)
				l.inbox.put(supervise.Event(supervise.DownloadKept{Task: e.Task, ID: e.ID, Left: err.Error()}))
			}
			return
		}
		kept := supervise.DownloadKept{Task: e.Task, ID: e.ID, Path: e.Path}
		if kept.Denied = l.denied(file, e, asked); kept.Denied != "" {
			kept.Path = ""
			l.inbox.put(supervise.Event(kept))
			return
		}
		path, err := file.Keep(e.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Path != "": // a raw command of the agent's chose another directory
		case errors.Is(err, fs.ErrNotExist):
			kept.Fault = "the file is not on this machine, on which the browser must run"
		case err != nil:
			kept.Fault = "the file could not be kept: " + err.Error()
		case path != "":
			kept.Path = path
		}
		l.inbox.put(supervise.Event(kept))
	})
}

// dropDownload removes a file that was completed before the browser could cancel it.
func dropDownload(held download.Held, e supervise.KeepDownload) error {
	path, found := placeOf(held.Path(), e.Path)
	if !found {
		return errors.New("it is in a directory of the browser's own")
	}
	return download.Remove(path, e.File.Bytes)
}
