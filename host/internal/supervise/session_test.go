package supervise_test

import (
	"slices"
	"strings"
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

// Pages of a browser that nobody sees get the environment of virtual authenticators, in which nobody is asked for a
// passkey. Their frames have it from them.
func TestOnlyPagesOfABrowserWithoutAWindowAskNobodyForAPasskey(t *testing.T) {
	for windowless, want := range map[bool][]string{true: {"page WebAuthn.enable", "popped WebAuthn.enable"}, false: nil} {
		s := newScript(t).on(add(supervise.TaskSettings{TargetID: "tab", Windowless: windowless}), pageAttached("tab", "page"), oopif("frame", "tab", "below", "page"), popup("window", "popped", "tab"))
		var got []string
		for _, line := range s.sent() {
			if strings.HasSuffix(line, " WebAuthn.enable") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("without a window %t: %q", windowless, got)
		}
	}
}
