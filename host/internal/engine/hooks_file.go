package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// askLimit is how long modules have to decide on a file or on what a page logs, the wait for an instance included.
const askLimit = 5 * time.Second

// AskFile asks the modules of a hook about a file, all of which must allow it. The error is a [*fault.FileDeniedError].
func (g *Group) AskFile(ctx context.Context, hook abi.Hook, e *abi.FileEvent) error {
	wait, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	q, verdict := hooks.File(hook, e, g.options.FileFailOpen)
	q.Wait = wait
	out := g.plugins.Ask(ctx, q)
	denied := verdict(out)
	if denied == nil {
		return nil
	}
	// Neither the name nor the reason: both may repeat what a page said.
	g.log.Info("file denied", "task", e.Header.TaskID, "hook", hook.Word(), "module", denied.Plugin, "call", out.Sequence, "failed_closed", denied.FailedClosed)
	return denied
}

// Receiver is the document that is about to get files.
type Receiver struct{ TargetID, URL, Origin, TopOrigin string }

// AskUpload asks the modules about files of this machine that a document is about to get, one after the other. The
// error is a [*fault.FileDeniedError] for the first that is denied: the document must get none of them.
func (t *Task) AskUpload(ctx context.Context, to Receiver, paths []string) error {
	if !t.Link.group.plugins.Serves(abi.HookUpload) {
		return nil
	}
	for _, path := range paths {
		e := abi.FileEvent{
			Header: abi.Header{TaskID: t.id}, TargetID: to.TargetID, URL: secret.WithoutQuery(to.URL), Origin: to.Origin, TopOrigin: to.TopOrigin,
			Name: filepath.Base(path),
		}
		lookInto(&e, path)
		if err := t.Link.group.AskFile(ctx, abi.HookUpload, &e); err != nil {
			return err
		}
	}
	return nil
}

// DownloadsAsked reports whether modules decide on the files that the task downloads.
func (t *Task) DownloadsAsked() bool { return t.Link.group.plugins.Serves(abi.HookDownload) }

// lookInto adds to an event what can be known of a file that is complete. Nothing is known of one that cannot be read.
func lookInto(e *abi.FileEvent, path string) {
	e.Complete = true
	if info, err := os.Stat(path); err == nil {
		e.Size = uint64(info.Size())
	}
	if kind, err := mimetype.DetectFile(path); err == nil {
		e.MediaType, _, _ = strings.Cut(kind.String(), ";")
	}
}

// fileQuestion is a question about a download that begins. reason is set before done is closed: why it is denied.
type fileQuestion struct {
	done   chan struct{}
	reason string
}

// followDownload asks about a download that begins, and forgets the question when that has ended.
func (l *Link) followDownload(task string, d supervise.Download) {
	switch {
	case d.State != supervise.DownloadRunning:
		delete(l.begun, d.ID)
	case l.group.plugins.Serves(abi.HookDownload):
		l.askBegun(task, d)
	}
}

// askBegun asks about a download that begins.
func (l *Link) askBegun(task string, d supervise.Download) {
	if l.begun == nil {
		l.begun = map[string]*fileQuestion{}
	}
	asked := &fileQuestion{done: make(chan struct{})}
	l.begun[d.ID] = asked
	l.work.Go(func() {
		defer close(asked.done)
		e := downloadEvent(task, d)
		e.Size = uint64(max(d.Total, 0))
		if err := l.group.AskFile(l.ctx, abi.HookDownload, &e); err != nil {
			asked.reason = err.Error()
			l.inbox.put(supervise.Event(supervise.CancelDownload{Task: task, ID: d.ID, Reason: asked.reason}))
		}
	})
}

func downloadEvent(task string, d supervise.Download) abi.FileEvent {
	return abi.FileEvent{
		Header: abi.Header{TaskID: task}, TargetID: string(d.Target), URL: d.URL, Origin: d.Origin, TopOrigin: d.TopOrigin, Name: d.Name,
	}
}

// placeOf returns the first path that has a file; false, and the last one, if none has.
func placeOf(paths ...string) (path string, found bool) {
	for _, path = range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			return path, true
		}
	}
	return path, false
}

// denied asks about a download that is complete, after the question about its beginning has been answered. It returns
// why the file was removed; empty: the task may have it.
func (l *Link) denied(held download.Held, e supervise.KeepDownload, asked *fileQuestion) string {
	if asked == nil && !l.group.plugins.Serves(abi.HookDownload) {
		return ""
	}
	// Where the browser puts the file itself, an agent may have chosen by a raw command before there was a module.
	path, found := placeOf(held.Path(), e.Path)
	reason := ""
	if asked != nil {
		<-asked.done
		reason = asked.reason
	}
	if reason == "" && (found || l.group.options.FileFailOpen || !l.group.plugins.Serves(abi.HookDownload)) {
		event := downloadEvent(e.Task, e.File)
		event.Size = uint64(max(e.File.Bytes, 0))
		lookInto(&event, path)
		if err := l.group.AskFile(l.ctx, abi.HookDownload, &event); err != nil {
			reason = err.Error()
		}
	} else if reason == "" {
		reason = (&fault.FileDeniedError{
			Name: e.File.Name, FailedClosed: true, Reason: "the host does not find the file to look into it, as the browser has put it elsewhere",
		}).Error()
	}
	if reason == "" {
		return ""
	}
	if err := download.Remove(path, e.File.Bytes); err != nil {
		l.Log.Warn("a file that was denied could not be removed", "task", e.Task, "error", err)
		return fmt.Sprintf("%s; but the browser has the file in a directory of its own, from which the host could not remove it", reason)
	}
	return reason
}
