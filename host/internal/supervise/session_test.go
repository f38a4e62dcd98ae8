package supervise_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// foreignPopup is a story with a popup that can access its opener and belongs to no task.
func foreignPopup(t *testing.T) *script {
	e := popup("popup", "left", "stranger")
	e.Info.CanAccessOpener = true
	return newStory(t).on(e).wantSent("browser detach left", "browser Target.getTargetInfo")
}

func letGo(s *script, session target.SessionID) {
	s.t.Helper()
	s.on(pageAttached("popup", session)).wantSent(string(session)+" Runtime.runIfWaitingForDebugger", "browser detach "+string(session))
}

func TestAForeignPopupThatNobodyElseHoldsIsResumed(t *testing.T) {
	s := foreignPopup(t)
	s.reply("browser Target.getTargetInfo", supervise.CommandReply{Info: target.Info{}}).wantSent("browser attach popup")
	letGo(s, "again")
	s.pass(time.Minute).wantSent()
}

func TestAForeignPopupIsLeftToTheClientThatHoldsIt(t *testing.T) {
	s := foreignPopup(t)
	s.reply("browser Target.getTargetInfo", supervise.CommandReply{Info: target.Info{Attached: true}}).wantSent()
	s.pass(4 * time.Second).wantSent()
	s.pass(2 * time.Second).wantSent("browser attach popup") // the other client does not resume it
	letGo(s, "again")
}

func TestAForeignPopupThatIsGoneIsForgotten(t *testing.T) {
	s := foreignPopup(t)
	s.refuse("browser Target.getTargetInfo", "No target with given id found").wantSent()
	s.pass(time.Minute).wantSent()
}

// Every other page waits in Chromium until each of its clients has resumed it.
func TestAForeignPageThatKnowsNoOpenerIsResumedAtOnce(t *testing.T) {
	newStory(t).on(popup("popup", "left", "stranger")).wantSent("left Runtime.runIfWaitingForDebugger", "browser detach left")
}
