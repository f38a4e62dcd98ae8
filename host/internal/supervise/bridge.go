package supervise

import (
	"regexp"
	"time"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The dialog bridge is for backends that close native dialogs by themselves. A script of the bridge's module stands in for
// alert, confirm and prompt in every document. It stops its page in one of two ways, and says by that which dialog it
// wants: by a debugger statement (a pause), or where that is not possible by a synchronous request that is intercepted (a
// request). What stops is a [bridgeHold]; one that is proven to be the script's becomes a dialog as a native one would.
//
// The module supplies the script, reads what the page says, and words the answers. The state machine knows only the ways.

// BridgeMode is whether a task's dialogs go through the bridge.
type BridgeMode int

const (
	// BridgeAuto is off until a native dialog is seen to be closed by the backend.
	BridgeAuto BridgeMode = iota
	// BridgeOn is on from the beginning.
	BridgeOn
	// BridgeOff is off for good.
	BridgeOff
)

// bridge is what a task has of it.
type bridge struct {
	script         *abi.BridgeScript // the last good one; nil: dialogs are native
	begin          func()            // what waits for the first script
	reason         string            // why it was switched on later
	asked          Token             // the ask for a script that is awaited
	suspicionTimer Token             // the timer of a suspicion; see bridge_auto.go
}

// beginBridge asks for the task's script before its first tab is opened or adopted, and goes on without one where the
// bridge is off.
func (s *State) beginBridge(t *task, begin func()) {
	if t.Bridge != BridgeOn {
		begin()
		return
	}
	t.bridge.begin = begin
	s.askBridgeScript(t)
}

func (s *State) askBridgeScript(t *task) {
	t.bridge.asked = s.askBridge(func(v BridgeVerdict) {
		t.bridge.asked = 0
		s.bridgeScript(t, v)
	})
	s.do(AskBridgeScript{Token: t.bridge.asked, Until: s.askUntil(), Task: t.ID, Event: abi.BridgeScriptEvent{
		Header: abi.Header{TaskID: t.ID}, PauseToken: t.PauseToken, RequestToken: t.RequestToken,
	}})
}

// bridgeScript puts a new script into every document of the task. Without one the last good script stays in use, and
// where there is none dialogs are native.
func (s *State) bridgeScript(t *task, v BridgeVerdict) {
	switch {
	case v.Fault != "":
		s.do(Notify{Task: t.ID, Kind: NotifyFault, Fault: "no bridge script: " + v.Fault})
	case !v.Abstained:
		t.bridge.script = &v.Script
		if t.bridge.reason != "" {
			s.do(Notify{Task: t.ID, Kind: NotifyBridged, Fault: t.bridge.reason})
		}
		for _, tb := range t.tabs {
			tb.session.walk(s.bridgeSession)
		}
	}
	if begin := t.bridge.begin; begin != nil {
		t.bridge.begin = nil
		begin()
	}
}

// bridgeSession prepares a session of documents for the script. The script comes last: it may ask as soon as it runs.
//
// All scripts but the bridge's are blackboxed, so that a debugger statement of the page costs nothing and never pauses.
func (s *State) bridgeSession(ss *session) {
	if ss.bridged || ss.task == nil || !s.owns(ss) || isWorker(ss.info.Type) || ss.task.bridge.script == nil {
		return
	}
	ss.bridged = true
	script, yes := ss.task.bridge.script, true
	if script.SourceURL != "" {
		s.send(ss.id, debugger.CommandEnable, nil)
		s.send(ss.id, debugger.CommandSetBlackboxPatterns, &debugger.SetBlackboxPatternsParams{
			Patterns: []string{"^(?!" + regexp.QuoteMeta(script.SourceURL) + "$)"}, SkipAnonymous: &yes,
		})
	}
	s.intercept(ss)
	s.send(ss.id, page.CommandAddScriptToEvaluateOnNewDocument, &page.AddScriptToEvaluateOnNewDocumentParams{
		Source: script.Source, RunImmediately: &yes,
	})
	for _, f := range s.framesOf(ss) {
		s.readSandbox(f)
	}
}

// endBridge forgets what a task still waits for.
func (s *State) endBridge(t *task) {
	s.forgetBridgeAsk(&t.bridge.asked)
	s.disarm(&t.bridge.suspicionTimer)
	t.bridge.begin = nil
}

// bridgeAsk is a call of one of the bridge's hooks whose outcome has not come yet.
type bridgeAsk struct {
	decided func(BridgeVerdict)
	timer   Token
}

// askBridge awaits the outcome of an ask. Should even the plugin runtime's own deadline fail, it is a fault.
func (s *State) askBridge(decided func(BridgeVerdict)) Token {
	token := s.nextToken()
	s.bridgeAsks[token] = bridgeAsk{decided: decided, timer: s.after(s.config.AskTimeout, func() {
		s.bridgeVerdict(BridgeVerdict{Token: token, Fault: "the plugin did not answer in time"})
	})}
	return token
}

func (s *State) bridgeVerdict(v BridgeVerdict) {
	a, ok := s.bridgeAsks[v.Token]
	if !ok {
		s.counters.VerdictsDropped++
		return
	}
	s.forgetBridgeAsk(&v.Token)
	a.decided(v)
}

func (s *State) forgetBridgeAsk(token *Token) {
	if a, ok := s.bridgeAsks[*token]; ok {
		s.disarm(&a.timer)
		s.withdraw(*token)
	}
	*token = 0
}

// Some backends close every native dialog by themselves, within milliseconds and before anybody can decide. Where that is
// seen and the task leaves it to us, its dialogs go through the bridge from then on.

const (
	// backendSpeed is how soon a dialog has to be closed to be taken for the backend's doing; a person needs longer.
	backendSpeed = time.Second
	// pageEnd is how long after that a page shows that it was its own end that closed the dialog.
	pageEnd = 500 * time.Millisecond
)

// suspectBackend looks at a native dialog that somebody else closed. Its page's end closes one as well, and is told
// afterwards.
func (s *State) suspectBackend(d *dialog) {
	t, f := d.tab.task, s.frames[d.Frame]
	if t.Bridge != BridgeAuto || t.bridge.script != nil || t.bridge.suspicionTimer != 0 || t.bridge.asked != 0 || t.removal != nil ||
		d.Type == abi.DialogTypeBeforeUnload || f == nil || d.ClosedAt.Sub(d.OpenedAt) > backendSpeed {
		return
	}
	loader := f.loader
	t.bridge.suspicionTimer = s.after(pageEnd, func() {
		t.bridge.suspicionTimer = 0
		if s.frames[f.id] != f || f.loader != loader || f.tab.crashed {
			return
		}
		t.bridge.reason = "the backend closes native dialogs by itself: " + d.ID
		s.askBridgeScript(t)
	})
}
