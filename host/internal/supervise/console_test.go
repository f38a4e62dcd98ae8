package supervise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// logged are the texts that the task's console has.
func (s *script) logged() (texts []string) {
	v, _ := s.state.View("task")
	for _, e := range v.Console {
		texts = append(texts, e.Text)
	}
	return texts
}

func TestNobodyIsToldOfAMessageBeforeTheModulesHaveDecided(t *testing.T) {
	s := newStory(t).on(supervise.HooksChanged{Console: true}).quiet()
	s.on(supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: "error", From: "network", Text: "a secret", Source: "https://top/:1:1"}})
	ask := only[supervise.AskConsole](s)
	want := abi.ConsoleEvent{
		Header: abi.Header{TaskID: "task"}, Type: "error", From: "network", Text: "a secret", Source: "https://top/:1:1", TargetID: "tab", TargetType: "page",
		TopOrigin: "https://top/",
	}
	if got := ask.Event; got.Text != want.Text || got.Header.TaskID != want.Header.TaskID || got.Type != want.Type || got.From != want.From ||
		got.Source != want.Source || got.TargetID != want.TargetID || got.TargetType != want.TargetType || got.TopOrigin != want.TopOrigin {
		t.Errorf("the event is %+v, want %+v", got, want)
	}
	if got := s.logged(); got != nil || len(effectsOf[supervise.Notify](s)) > 0 {
		t.Errorf("before the verdict the console has %q", got)
	}
	masked := ask.Entry
	masked.Text = "a [masked]"
	s.on(supervise.ConsoleVerdict{Task: "task", Entry: masked}, supervise.ConsoleVerdict{Task: "task", Entry: ask.Entry, Dropped: true})
	s.on(supervise.ConsoleVerdict{Task: "gone", Entry: masked}, supervise.ConsoleVerdict{Task: "task", Entry: ask.Entry, Dropped: true, Fault: "it trapped"})
	if got := s.logged(); !slices.Equal(got, []string{"a [masked]"}) {
		t.Errorf("the console has %q", got)
	}
	var kinds []supervise.NotifyKind
	for _, n := range effectsOf[supervise.Notify](s) {
		kinds = append(kinds, n.Kind)
	}
	if !slices.Equal(kinds, []supervise.NotifyKind{supervise.NotifyConsole, supervise.NotifyFault}) {
		t.Errorf("the notices are %v", kinds)
	}
	s.on(supervise.HooksChanged{}, supervise.ConsoleMessage{Session: "page", Entry: supervise.ConsoleEntry{Type: "log", Text: "later"}})
	if got := s.logged(); !slices.Equal(got, []string{"a [masked]", "later"}) {
		t.Errorf("without a module the console has %q", got)
	}
}

// A denial that comes while the file is being looked at is no second one.
func TestAFileThatIsDeniedIsCanceled(t *testing.T) {
	s := newStory(t).on(began("page", "a"), progress("a", 5, supervise.DownloadCompleted))
	s.on(supervise.CancelDownload{Task: "task", ID: "a", Reason: "late"}).wantSent()
	s.on(supervise.DownloadKept{Task: "task", ID: "a", Denied: "no"})
	v, _ := s.state.View("task")
	if d := v.Downloads[0]; d.State != supervise.DownloadCanceled || d.Reason != "no" || d.Path != "" {
		t.Errorf("the download is %+v", d)
	}
}

// The browser puts the files of a shared context into a directory of its own, and says where.
func TestAFileThatIsCompletedWhileItIsDeniedIsRemovedWhereItIs(t *testing.T) {
	s := newStory(t).on(began("page", "a"), supervise.CancelDownload{Task: "task", ID: "a", Reason: "no"})
	s.wantSent("browser Browser.cancelDownload")
	s.on(supervise.DownloadProgress{ID: "a", Bytes: 5, Total: 5, State: supervise.DownloadCompleted, Path: "/own/a"})
	s.wantDropped("a")
	if k := effectsOf[supervise.KeepDownload](s)[0]; k.Path != "/own/a" || k.File.Bytes != 5 {
		t.Errorf("the file to remove is %+v", k)
	}
	s.on(supervise.DownloadKept{Task: "task", ID: "a", Left: "the disk is read-only"})
	v, _ := s.state.View("task")
	if d := v.Downloads[0]; d.State != supervise.DownloadCanceled || !strings.Contains(d.Reason, "no; but") || !strings.Contains(d.Reason, "read-only") {
		t.Errorf("the download is %+v", d)
	}
}
