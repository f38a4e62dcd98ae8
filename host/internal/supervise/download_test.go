package supervise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func began(session target.SessionID, id string) supervise.DownloadBegan {
	return supervise.DownloadBegan{Session: session, ID: id, Name: id + ".txt"}
}

func progress(id string, bytes int64, state supervise.DownloadState) supervise.DownloadProgress {
	return supervise.DownloadProgress{ID: id, Bytes: bytes, State: state}
}

// wantDownloads checks the downloads of the task: "a completed /dir/a.txt", "b failed".
func (s *script) wantDownloads(want ...string) {
	s.t.Helper()
	v, _ := s.state.View("task")
	var got []string
	for _, d := range v.Downloads {
		got = append(got, strings.TrimSpace(fmt.Sprint(d.ID, " ", d.State, " ", d.Path)))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		s.t.Errorf("the downloads are %q, want %q", got, want)
	}
}

// Two sessions may announce the same, also the browser's own after the tab was closed.
func TestADownloadIsCompletedOnceItsFileIsInPlace(t *testing.T) {
	s := newStory(t).on(began("page", "a"), progress("a", 5, supervise.DownloadRunning), progress("a", 6, supervise.DownloadCompleted), progress("a", 6, supervise.DownloadCompleted))
	s.wantDownloads("a in_progress")
	if keeps := effectsOf[supervise.KeepDownload](s); len(keeps) != 1 || keeps[0].File.Bytes != 6 ||
		keeps[0] != (supervise.KeepDownload{Task: "task", ID: "a", Name: "a.txt", File: keeps[0].File}) {
		t.Errorf("the file is moved as %+v", keeps)
	}
	s.on(supervise.DownloadKept{Task: "task", ID: "a", Path: "/dir/a.txt"}, supervise.DownloadKept{Task: "task", ID: "a", Path: "/other"})
	s.on(began("page", "b"), progress("b", 1, supervise.DownloadFailed), began("page", "c"), progress("c", 1, supervise.DownloadCompleted))
	s.on(supervise.DownloadKept{Task: "task", ID: "c", Fault: "the disk is full"}, began("unknown", "d"))
	s.wantDownloads("a completed /dir/a.txt", "b failed", "c failed")
	notices := 0
	for _, n := range effectsOf[supervise.Notify](s) {
		if n.Kind == supervise.NotifyDownload {
			notices++
		}
	}
	if notices != 6 {
		t.Errorf("there were %d notices", notices)
	}
}

func TestTheDownloadsOfATaskAreLimitedTogether(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{Scope: supervise.ScopeContext, BrowserContextID: "own", DownloadLimit: 100}))
	s.reply("browser create about:blank own", supervise.CommandReply{Target: "tab"})
	s.on(supervise.Attached{Session: "page", Info: target.Info{TargetID: "tab", Type: "page", BrowserContextID: "own"}}).quiet()
	s.on(began("page", "a"), progress("a", 60, supervise.DownloadCompleted), supervise.DownloadKept{Task: "task", ID: "a", Path: "/a"})
	s.wantSent()
	s.on(began("page", "b"), progress("b", 41, supervise.DownloadRunning)).wantSent("browser Browser.cancelDownload")
	s.on(progress("b", 42, supervise.DownloadFailed)) // the browser confirms
	s.on(began("page", "c"), supervise.DownloadProgress{ID: "c", Bytes: 1, Total: 41, State: supervise.DownloadRunning}).wantSent("browser Browser.cancelDownload")
	s.on(progress("c", 41, supervise.DownloadCompleted)) // before the browser got the command
	s.on(began("page", "d"), progress("d", 41, supervise.DownloadCompleted))
	s.wantDropped("c", "d").wantSent()
	s.on(began("page", "e"), progress("e", 40, supervise.DownloadCompleted), supervise.DownloadKept{Task: "task", ID: "e", Path: "/e"})
	s.wantDownloads("a completed /a", "b canceled", "c canceled", "d canceled", "e completed /e")
}

// wantDropped checks which files were to be removed.
func (s *script) wantDropped(want ...string) *script {
	s.t.Helper()
	var got []string
	for _, k := range effectsOf[supervise.KeepDownload](s) {
		if k.Drop {
			got = append(got, k.ID)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the files of %q were removed, want %q", got, want)
	}
	return s
}

func TestDownloadsOfALostConnectionHaveFailed(t *testing.T) {
	s := newStory(t).on(began("page", "a"), began("page", "b"), progress("b", 1, supervise.DownloadCompleted), began("page", "c"), progress("c", 1, supervise.DownloadFailed))
	s.on(supervise.ConnectionLost{Reason: "gone", Reconnecting: true}, supervise.DownloadKept{Task: "task", ID: "b", Path: "/b"})
	s.wantDownloads("a failed", "b completed /b", "c failed")
}

func TestTheNumberOfDownloadsIsLimited(t *testing.T) {
	s := newStory(t)
	for i := range 100 {
		s.on(began("page", fmt.Sprint(i)))
	}
	s.wantSent()
	s.on(began("page", "one more")).wantSent("browser Browser.cancelDownload")
	s.on(progress("0", 1, supervise.DownloadFailed), began("page", "another")).wantSent()
	v, _ := s.state.View("task")
	if n := len(v.Downloads); n != 100 || v.Downloads[n-1].ID != "another" {
		t.Errorf("there are %d: %+v", n, v.Downloads)
	}
	s.on(supervise.CancelDownload{Task: "task", ID: "another", Reason: "enough"}).wantSent("browser Browser.cancelDownload")
}
