package supervise_test

import (
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// adopted is a task that adopts a tab which does not answer.
func adopted(t *testing.T) *script {
	t.Helper()
	s := newScript(t).on(
		supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab"}},
		pageAttached("tab", "page"),
	)
	return s.quiet()
}

func TestAnAdoptedTabThatDoesNotAnswerIsFreed(t *testing.T) {
	adopted(t).pass(3 * time.Second).wantSent("page navigate vbscript:nowhere")
}

func TestAnAdoptedTabThatAnswersIsLeftAlone(t *testing.T) {
	s := adopted(t)
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.pass(time.Minute).wantSent()
}

func TestAnAdoptedTabThatShowsADialogWeKnowIsLeftAlone(t *testing.T) {
	adopted(t).on(opens("tab", abi.DialogTypeConfirm)).pass(3 * time.Second).wantSent()
}
