package supervise_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// bridgeScript is a script that uses pauses and requests.
var bridgeScript = abi.BridgeScript{
	Source: "the script", SourceURL: "shim.js", PauseExpression: "what is it?", RequestPatterns: []string{"https://bridge.invalid/*"},
}

// newBridgedStory is a story whose task has a script from the start.
func newBridgedStory(t *testing.T) *script {
	t.Helper()
	s := newScript(t)
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{
		ID: "task", TargetID: "tab", Bridge: supervise.BridgeOn, PauseToken: "pause secret", RequestToken: "request secret",
	}})
	if sent := s.sent(); len(sent) != 0 {
		t.Fatalf("sent before there is a script: %q", sent)
	}
	s.takeScript()
	s.wantSent("browser attach tab")
	s.on(pageAttached("tab", "page"))
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.on(supervise.ContextCreated{Session: "page", Context: supervise.ExecutionContext{ID: 1, Frame: "tab", Main: true}})
	return s.quiet()
}

func (s *script) takeScript() {
	s.t.Helper()
	ask := only[supervise.AskBridgeScript](s)
	s.quiet().on(supervise.BridgeVerdict{Token: ask.Token, Script: bridgeScript})
}

// only returns the only effect of a kind since the last look.
func only[T supervise.Effect](s *script) T {
	s.t.Helper()
	list := effectsOf[T](s)
	if len(list) != 1 {
		s.t.Fatalf("%d effects of the kind %T: %+v", len(list), *new(T), s.effects)
	}
	return list[0]
}

const (
	evaluateLine = "page Debugger.evaluateOnCallFrame"
	resumeLine   = "page Debugger.resume"
	continueLine = "page Fetch.continueRequest"
	fulfillLine  = "page Fetch.fulfillRequest"
)

func text(s string) supervise.CommandReply { return supervise.CommandReply{Text: &s} }

func requested(frame cdproto.FrameID, id fetch.RequestID) supervise.RequestPaused {
	return supervise.RequestPaused{Session: "page", Request: id, Frame: frame, URL: "https://bridge.invalid/?x", Method: "GET"}
}

// read gives the module's reading of the newest pause or request.
func (s *script) read(r abi.BridgeRequest) *script {
	s.t.Helper()
	ask := only[supervise.AskBridgeRequest](s)
	return s.quiet().on(supervise.BridgeVerdict{Token: ask.Token, Request: r})
}

// pauses is a proven pause, whose dialog has the message well? and the key k.
func (s *script) pauses() *script {
	s.t.Helper()
	s.on(supervise.Paused{Session: "page", CallFrame: "0.1.0", Context: 1}).reply(evaluateLine, text("payload"))
	return s.read(abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypePrompt, Message: "well?", DefaultPrompt: "default", Key: "k"})
}

func (s *script) asks(id fetch.RequestID) *script {
	s.t.Helper()
	s.on(requested("tab", id))
	return s.read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypePrompt, Message: "well?", DefaultPrompt: "default", Key: "k"})
}

func (s *script) words(r abi.BridgeReply) *script {
	s.t.Helper()
	ask := only[supervise.AskBridgeReply](s)
	return s.quiet().on(supervise.BridgeVerdict{Token: ask.Token, Reply: r})
}

func (s *script) holds(v abi.DialogVerdict) *script { return s.verdict(v).quiet() }

var hold = abi.DialogVerdict{Action: abi.DialogActionHold}

func TestTheScriptIsInPlaceBeforeADocumentRuns(t *testing.T) {
	s := newBridgedStory(t)
	s.on(popup("popup", "popup session", "tab"))
	var enable *fetch.EnableParams
	var patterns *debugger.SetBlackboxPatternsParams
	for _, send := range effectsOf[supervise.SendCommand](s) {
		switch p := send.Params.(type) {
		case *fetch.EnableParams:
			enable = p
		case *debugger.SetBlackboxPatternsParams:
			patterns = p
		}
	}
	if enable == nil || enable.Patterns[0].URLPattern != "https://bridge.invalid/*" || patterns == nil || patterns.Patterns[0] != `^(?!shim\.js$)` || !*patterns.SkipAnonymous {
		t.Errorf("fetch %+v, debugger %+v", enable, patterns)
	}
	s.wantSent("popup session Page.enable", "popup session Page.getFrameTree", "popup session Page.setLifecycleEventsEnabled",
		"popup session FedCm.enable", "popup session Runtime.enable", "popup session Log.enable", "popup session Target.setAutoAttach",
		"popup session Debugger.enable", "popup session Debugger.setBlackboxPatterns", "popup session Fetch.enable",
		"popup session Page.addScriptToEvaluateOnNewDocument", "popup session Runtime.runIfWaitingForDebugger")
}

// Another process can have begun the navigation, so the request outlives the frame's.
func TestARequestForADocumentGoesOnWhenTheProcessOfItsFrameCrashes(t *testing.T) {
	s := newBridgedStory(t).on(oopif("frame", "tab", "below", "page"))
	s.reply("below Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("frame", "tab", "https://frame/")}}).quiet()
	s.on(supervise.RequestPaused{
		Session: "below", Request: "r1", Frame: "frame", URL: "https://bridge.invalid/", Method: "GET", Document: true,
	}).wantSent()
	s.on(supervise.SessionCrashed{Session: "below"}).wantSent("below Fetch.continueRequest")
}

func TestWithoutAScriptDialogsAreNative(t *testing.T) {
	for name, verdict := range map[string]supervise.BridgeVerdict{
		"the module fails":    {Fault: "it trapped"},
		"no module serves it": {Abstained: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOn}})
			verdict.Token = only[supervise.AskBridgeScript](s).Token
			s.quiet().on(verdict)
			if faults := len(effectsOf[supervise.Notify](s)); (faults == 1) != (verdict.Fault != "") {
				t.Errorf("%d notices", faults)
			}
			s.on(pageAttached("tab", "page")).wantSent(append([]string{"browser attach tab"}, prepared("page")...)...)
		})
	}
}

func TestTheLifeOfABridgedDialog(t *testing.T) {
	for name, c := range map[string]struct {
		story func(s *script)
		want  string
	}{
		"an agent accepts a pause": {func(s *script) {
			s.pauses().holds(hold)
			s.respond("", true)
			reply := only[supervise.AskBridgeReply](s)
			if e := reply.Event; e.Payload != "payload" || !e.Accepted || e.HasText || e.Type != abi.DialogTypePrompt {
				s.t.Errorf("the module is asked to word %+v", e)
			}
			s.words(abi.BridgeReply{Expression: "answer = 1"}).wantSent(evaluateLine)
			s.ok(evaluateLine).wantDialogs("d-1 answering").ok(resumeLine)
		}, "d-1 agent"},
		"an agent accepts a request": {func(s *script) {
			s.asks("r1").holds(hold)
			s.respond("", true)
			s.words(abi.BridgeReply{Status: 200}).wantSent(fulfillLine).wantDialogs("d-1 answering").ok(fulfillLine)
		}, "d-1 agent"},
		"the policy dismisses it": {func(s *script) {
			s.pauses().verdict(abi.DialogVerdict{Action: abi.DialogActionDismiss})
			s.words(abi.BridgeReply{}).ok(evaluateLine).ok(resumeLine)
		}, "d-1 auto_policy"},
		"nobody answers": {func(s *script) {
			s.pauses().holds(hold).pass(300 * time.Second)
			s.words(abi.BridgeReply{}).ok(evaluateLine).ok(resumeLine)
		}, "d-1 watchdog"},
		"the module cannot word the answer": {func(s *script) {
			s.pauses().holds(hold)
			s.respond("", true)
			ask := only[supervise.AskBridgeReply](s)
			s.quiet().on(supervise.BridgeVerdict{Token: ask.Token, Fault: "it trapped"}).wantSent(resumeLine)
		}, "d-1 plugin_fault"},
		"the module does not word the answer in time": {func(s *script) {
			s.asks("r1").holds(hold)
			s.respond("", true)
			s.quiet().pass(5 * time.Second).wantSent(continueLine)
		}, "d-1 remote"},
		"the page does not take the answer": {func(s *script) {
			s.pauses().holds(hold)
			s.respond("", true)
			s.words(abi.BridgeReply{}).refuse(evaluateLine, "the expression threw").wantSent(evaluateLine, resumeLine)
		}, "d-1 remote"},
		"the browser confirms nothing": {func(s *script) {
			s.pauses().holds(hold)
			s.respond("", true)
			s.words(abi.BridgeReply{}).pass(5*time.Second).wantSent(evaluateLine, resumeLine)
		}, "d-1 remote"},
		"somebody else resumes its page": {func(s *script) { s.pauses().on(supervise.Resumed{Session: "page"}) }, "d-1 remote"},
		"its document is left": {func(s *script) {
			s.pauses().on(navigated("page", document("tab", "", "https://next/"))).wantSent()
		}, "d-1 remote"},
		"the document of its request is left": {func(s *script) {
			s.asks("r1").on(navigated("page", document("tab", "", "https://next/"))).wantSent(continueLine)
		}, "d-1 remote"},
		"its tab closes":         {func(s *script) { s.pauses().on(supervise.Detached{Session: "page"}) }, "d-1 remote"},
		"its renderer crashes":   {func(s *script) { s.pauses().on(supervise.SessionCrashed{Session: "page"}) }, "d-1 remote"},
		"the connection is lost": {func(s *script) { s.pauses().on(supervise.ConnectionLost{}) }, "d-1 disconnected"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBridgedStory(t)
			c.story(s)
			s.wantDialogs(c.want)
			if len(s.timers) != 0 {
				t.Errorf("timers are left: %v", s.timers)
			}
		})
	}
}

func TestWhatIsNotProvenGoesOnAtOnce(t *testing.T) {
	dialog := abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypeAlert}
	for name, c := range map[string]struct {
		story  func(s *script)
		sent   string
		reason string
	}{
		"a pause with another token": {func(s *script) {
			s.reply(evaluateLine, text("x")).read(abi.BridgeRequest{Token: "guessed", Type: abi.DialogTypeAlert})
		}, resumeLine, "forged"},
		"a pause without a token": {func(s *script) { s.reply(evaluateLine, text("x")).read(abi.BridgeRequest{Type: abi.DialogTypeAlert}) }, resumeLine, "forged"},
		"a pause with the token of requests": {func(s *script) {
			s.reply(evaluateLine, text("x")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeAlert})
		}, resumeLine, "forged"},
		"a pause for no dialog that there is": {func(s *script) {
			s.reply(evaluateLine, text("x")).read(abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypeBeforeUnload})
		}, resumeLine, "unparsed"},
		"a pause that the page says nothing about": {func(s *script) { s.ok(evaluateLine) }, resumeLine, "unparsed"},
		"a pause where the expression throws":      {func(s *script) { s.refuse(evaluateLine, "it threw") }, resumeLine, "unparsed"},
		"a pause with a text without end":          {func(s *script) { s.reply(evaluateLine, text(strings.Repeat("x", 200_000))) }, resumeLine, "unparsed"},
		"a pause that the module does not know": {func(s *script) {
			s.reply(evaluateLine, text("x"))
			s.on(supervise.BridgeVerdict{Token: only[supervise.AskBridgeRequest](s).Token, Abstained: true, Request: dialog})
		}, resumeLine, "unparsed"},
		"a pause that the module fails at": {func(s *script) {
			s.reply(evaluateLine, text("x"))
			s.on(supervise.BridgeVerdict{Token: only[supervise.AskBridgeRequest](s).Token, Fault: "it trapped"})
		}, resumeLine, "fault"},
		"a pause that the browser says nothing about": {func(s *script) { s.pass(5 * time.Second) }, resumeLine, "fault"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBridgedStory(t)
			s.on(supervise.Paused{Session: "page", CallFrame: "0.1.0", Context: 1})
			c.story(s)
			if sent := s.sent(); len(sent) == 0 || sent[len(sent)-1] != c.sent {
				t.Errorf("sent %q", sent)
			}
			s.wantDialogs()
			if n := s.state.Counters().BridgeRefused[c.reason]; n != 1 || len(s.timers) != 0 {
				t.Errorf("%s: %d, timers %v", c.reason, n, s.timers)
			}
		})
	}
}

// The end of its session closes the last dialog that a leaving task waits for. It then asks the sessions that are left.
func TestATaskThatLeavesAsksNothingOfTheSessionWhoseEndClosesItsLastDialog(t *testing.T) {
	s := newBridgedStory(t).on(oopif("frame", "tab", "x", "page"), navigated("x", document("frame", "tab", "https://frame/")))
	s.on(supervise.ContextCreated{Session: "x", Context: supervise.ExecutionContext{ID: 1, Frame: "frame", Main: true}}).quiet()
	s.on(supervise.Paused{Session: "x", CallFrame: "0.1.0", Context: 1}).reply("x Debugger.evaluateOnCallFrame", text("payload"))
	s.read(abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypePrompt, Key: "k"})
	s.pass(time.Second).wantDialogs("d-1 pending").removeTask()
	s.quiet().on(supervise.Detached{Session: "x"}).wantDialogs("d-1 remote")
	if sent := s.sent(); !slices.Contains(sent, "page Page.getFrameTree") || slices.Contains(sent, "x Page.getFrameTree") {
		t.Errorf("sent %q", sent)
	}
}

func TestAFrameHasOnlySoManyTries(t *testing.T) {
	s := newBridgedStory(t)
	try := func(frame cdproto.FrameID, i int) { s.quiet().on(requested(frame, fetch.RequestID(strconv.Itoa(i)))) }
	asked := 0
	for i := range 1000 {
		try("tab", i)
		if asks := effectsOf[supervise.AskBridgeRequest](s); len(asks) == 1 {
			asked++
			s.on(supervise.BridgeVerdict{Token: asks[0].Token, Abstained: true})
		}
	}
	refused := s.state.Counters().BridgeRefused
	if asked != 50 || refused["limited"] != 950 || refused["unparsed"] != 50 {
		t.Errorf("the module was asked %d times of 1000; refused %v", asked, refused)
	}
	s.pass(time.Second)
	try("tab", 1000)
	only[supervise.AskBridgeRequest](s)
	s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"})
	try("child", 1001)
	only[supervise.AskBridgeRequest](s)
}

func TestWhatIsProvenIsNoTry(t *testing.T) {
	s := newBridgedStory(t)
	for range 200 {
		s.pauses().verdict(abi.DialogVerdict{Action: abi.DialogActionAccept}).words(abi.BridgeReply{}).ok(evaluateLine).ok(resumeLine).quiet()
	}
	if c := s.state.Counters(); c.BridgeProven["pause"] != 200 || c.Closed["auto_policy"] != 200 || len(c.BridgeRefused) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestAFrameHoldsOnlySoManyRequestsAtATime(t *testing.T) {
	s := newBridgedStory(t)
	for i := range 10 {
		s.on(requested("tab", fetch.RequestID(strconv.Itoa(i))))
	}
	if n := len(effectsOf[supervise.AskBridgeRequest](s)); n != 4 {
		t.Errorf("the module was asked about %d requests at a time", n)
	}
}

func TestARequestThatAsksOnceMoreIsTheSameDialog(t *testing.T) {
	s := newBridgedStory(t)
	s.asks("r1").holds(hold).asks("r2").wantDialogs("d-1 pending")
	s.respond("d-1", true)
	s.words(abi.BridgeReply{Status: 200})
	if p := effectsOf[supervise.SendCommand](s)[0].Params.(*fetch.FulfillRequestParams); p.RequestID != "r2" {
		t.Errorf("the answer went to %s", p.RequestID)
	}
	s.asks("r3").wantDialogs("d-1 answering").words(abi.BridgeReply{Status: 200})
	s.refuse(fulfillLine, "Invalid InterceptionId.").wantDialogs("d-1 answering").ok(fulfillLine).wantDialogs("d-1 agent")
	if n := s.state.Counters().Dialogs["prompt"]; n != 1 {
		t.Errorf("%d dialogs", n)
	}
}

func TestTheFrameOfAPauseIsThatOfItsContext(t *testing.T) {
	s := newBridgedStory(t)
	s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/")),
		supervise.ContextCreated{Session: "page", Context: supervise.ExecutionContext{ID: 2, Frame: "child", Main: true}}, supervise.ContextCreated{Session: "page", Context: supervise.ExecutionContext{ID: 3, Frame: "child"}})
	s.learns("child", nil)
	s.on(supervise.Paused{Session: "page", CallFrame: "0.2.0", Context: 2}).reply(evaluateLine, text("x"))
	if e := only[supervise.AskBridgeRequest](s).Event; e.FrameURL != "https://child/" || e.Payload != "x" || e.Via != abi.BridgeViaPause {
		t.Errorf("the module is asked about %+v", e)
	}
	s.read(abi.BridgeRequest{Token: "pause secret", Type: abi.DialogTypeAlert})
	v, _ := s.state.View("task")
	if d := v.Pending[0]; d.Frame != "child" || d.FrameKind != abi.FrameKindLocal || d.Via != "pause" || d.URL != "https://child/" {
		t.Errorf("the dialog is %+v", d)
	}
}

// learns replies to the questions about a frame's element.
func (s *script) learns(frame cdproto.FrameID, attributes []string) *script {
	s.t.Helper()
	return s.reply("page DOM.getFrameOwner", supervise.CommandReply{Owner: 7}).reply("page DOM.describeNode", supervise.CommandReply{Attributes: attributes})
}

func TestADialogThatABrowserWouldNotShowIsDismissedAndMarked(t *testing.T) {
	child := func(s *script, attributes []string) *script {
		s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/"))).learns("child", attributes)
		return s.on(requested("child", "r1")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeConfirm})
	}
	for name, c := range map[string]struct {
		story      func(s *script)
		suppressed abi.BridgeSuppressed
	}{
		"in a sandbox": {func(s *script) { child(s, []string{"id", "x", "sandbox", "allow-scripts"}) }, abi.BridgeSuppressedSandbox},
		"in a sandbox that is learned later": {func(s *script) {
			s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/")))
			s.on(requested("child", "r1")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeConfirm}).wantDialogs()
			s.learns("child", []string{"sandbox", ""})
		}, abi.BridgeSuppressedSandbox},
		"below a sandbox": {func(s *script) {
			s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/"))).learns("child", []string{"sandbox", "allow-scripts"})
			s.on(supervise.FrameAttached{Session: "page", Frame: "grandchild", Parent: "child"}, navigated("page", document("grandchild", "child", "https://grandchild/"))).learns("grandchild", nil)
			s.on(requested("grandchild", "r1")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeConfirm})
		}, abi.BridgeSuppressedSandbox},
		"in a beforeunload handler": {func(s *script) {
			s.on(requested("tab", "r1")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeAlert, Suppressed: abi.BridgeSuppressedBeforeUnload})
		}, abi.BridgeSuppressedBeforeUnload},
		"not in a sandbox that allows it": {func(s *script) { child(s, []string{"sandbox", "Allow-Scripts ALLOW-MODALS"}) }, 0},
		"not where nobody tells in time": {func(s *script) {
			s.on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}, navigated("page", document("child", "tab", "https://child/")))
			s.on(requested("child", "r1")).read(abi.BridgeRequest{Token: "request secret", Type: abi.DialogTypeConfirm}).wantDialogs().pass(time.Second)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBridgedStory(t)
			c.story(s)
			if c.suppressed == 0 {
				s.lastAsk()
				s.wantDialogs("d-1 pending")
				return
			}
			if asks := effectsOf[supervise.AskDialog](s); len(asks) != 0 {
				t.Error("the policy was asked")
			}
			s.words(abi.BridgeReply{Status: 200}).ok(fulfillLine).wantDialogs("d-1 auto_policy")
			v, _ := s.state.View("task")
			if d := v.Recent[0]; d.Suppressed != c.suppressed || d.Accepted || !strings.HasPrefix(d.Decision.Rule, "suppressed by") {
				t.Errorf("the dialog is %+v", d)
			}
		})
	}
}

func TestABridgedDialogIsNotInTheWayOfANativeOne(t *testing.T) {
	s := newBridgedStory(t)
	s.pauses().holds(hold)
	s.on(opens("child", abi.DialogTypeConfirm)).wantSent()
	s.on(closes("", true)).wantDialogs("d-2 remote", "d-1 pending")
	s.on(supervise.FrameDetached{Session: "page", Frame: "child"}).wantSent()
}

func TestLeavingAnswersWhatTheBridgeHolds(t *testing.T) {
	s := newBridgedStory(t)
	s.pauses().holds(hold)
	s.removeTask()
	s.words(abi.BridgeReply{}).ok(evaluateLine).ok(resumeLine).wantDialogs("d-1 disconnected")
	if !slices.Contains(s.sent(), "page Page.getFrameTree") {
		t.Errorf("no fence: %q", s.sent())
	}
}

func TestTheEndOfATaskForgetsItsScript(t *testing.T) {
	s := newScript(t)
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOn}})
	ask := only[supervise.AskBridgeScript](s)
	s.removeTask()
	s.on(supervise.BridgeVerdict{Token: ask.Token, Script: bridgeScript}).wantSent()
	if left := s.state.Left(); left != "" || len(s.timers) != 0 {
		t.Errorf("left: %s, %v", left, s.timers)
	}
}

func TestTheBridgeIsSwitchedOnWhereTheBackendAnswersDialogs(t *testing.T) {
	for name, c := range map[string]struct {
		story func(s *script)
		on    bool
	}{
		"a dialog is closed at once and its page lives on": {func(s *script) { s.pass(time.Millisecond).on(closes("tab", false)).pass(time.Second) }, true},
		"a dialog is closed by its page's end": {func(s *script) {
			s.on(closes("tab", false), navigated("page", document("tab", "", "https://next/"))).pass(time.Second)
		}, false},
		"a dialog is closed by its tab's end": {func(s *script) { s.on(closes("tab", false), supervise.Detached{Session: "page"}).pass(time.Second) }, false},
		"a person closes a dialog":            {func(s *script) { s.pass(2 * time.Second).on(closes("tab", false)).pass(time.Second) }, false},
		"we close it": {func(s *script) {
			s.respond("", true)
			s.on(closes("tab", true)).ok("page answer accept").pass(time.Second)
		}, false},
		"the task ends meanwhile": {func(s *script) {
			s.on(closes("tab", false))
			s.removeTask()
			s.pass(time.Second)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab"}}, pageAttached("tab", "page"))
			s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
			s.on(opens("tab", abi.DialogTypeConfirm))
			c.story(s)
			if asks := effectsOf[supervise.AskBridgeScript](s); (len(asks) == 1) != c.on {
				t.Fatalf("%d scripts were asked for", len(asks))
			}
			if !c.on {
				return
			}
			s.takeScript()
			if n := only[supervise.Notify](s); n.Kind != supervise.NotifyBridged || !strings.Contains(n.Fault, "d-1") {
				t.Errorf("the notice is %+v", n)
			}
			s.wantSent("page Debugger.enable", "page Debugger.setBlackboxPatterns", "page Fetch.enable", "page Page.addScriptToEvaluateOnNewDocument")
		})
	}
}

// The script goes with the Page domain, which is disabled to heal a tab.
func TestAHealedTabGetsTheScriptAgain(t *testing.T) {
	s := newBridgedStory(t).on(opens("unknown", abi.DialogTypeConfirm), supervise.FrameDetached{Session: "page", Frame: "unknown"}).quiet()
	s.ok("page Page.getNavigationHistory").ok(release)
	s.wantSent("page Page.disable", release, "page Page.enable", "page Page.setLifecycleEventsEnabled", "page Debugger.enable",
		"page Debugger.setBlackboxPatterns", "page Page.addScriptToEvaluateOnNewDocument", "page Page.getFrameTree")
}

// The Page domain of a tab that came back under a lost dialog stays disabled until the tab is freed, with all else.
func TestAScriptThatComesBeforeATabIsFreedWaitsForIt(t *testing.T) {
	s := newScript(t).on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab"}}, pageAttached("tab", "page"))
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	s.on(oopif("frame", "tab", "x", "page"), opens("tab", abi.DialogTypeConfirm), closes("tab", false)).pass(time.Second)
	ask := only[supervise.AskBridgeScript](s)
	s.on(opens("frame", abi.DialogTypeConfirm)).drop().back().quiet()
	s.on(supervise.BridgeVerdict{Token: ask.Token, Script: bridgeScript}).wantSent()
	s.ok("again " + releaseLine)
	if sent := s.sent(); sent[1] != "again Page.enable" || !slices.Contains(sent, "again Page.addScriptToEvaluateOnNewDocument") {
		t.Errorf("sent %q", sent)
	}
}
