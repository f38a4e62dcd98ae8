package supervise

import (
	"regexp"
	"time"

	"github.com/chromedp/cdproto/debugger"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The dialog bridge is for backends that close native dialogs by themselves. A script of the bridge's module replaces
// alert, confirm and prompt in every document. It stops its page in one of two ways, which also tell which dialog it
// wants: with a debugger statement (a pause) or, where that does not work, with a synchronous request that is
// intercepted (a request). Each is a [bridgeStop]. A stop that is proven to be the script's becomes a dialog, like a
// native one.
//
// The module supplies the script, parses what the page says and encodes the answers. The state machine only knows how
// to stop a page and how to resume it.

// BridgeMode says whether a task's dialogs go through the bridge.
type BridgeMode int

const (
	// BridgeAuto is off until the backend is seen to close a native dialog.
	BridgeAuto BridgeMode = iota
	// BridgeOn is on from the start.
	BridgeOn
	// BridgeOff is never on.
	BridgeOff
)

// bridge is the bridge of a task.
type bridge struct {
	script         *abi.BridgeScript // the last good script; nil: dialogs are native
	begin          func()            // runs after the first script has arrived
	reason         string            // why BridgeAuto switched it on
	asked          Token             // the ask for a script; 0: none
	suspicionTimer Token             // see [State.suspectBackend]
}

// beginBridge asks for the task's script before its first tab is opened or adopted. If the bridge is off, begin runs at
// once.
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

// bridgeScript installs a new script in every document of the task. If there is none, the last good script stays in
// use; without one dialogs are native.
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

// bridgeSession prepares a session of documents for the script. The script is installed last, because it may ask as
// soon as it runs.
//
// All other scripts are blackboxed, so debugger statements of the page cost nothing and never pause.
func (s *State) bridgeSession(ss *session) {
	if ss.bridged || ss.task == nil || !s.owns(ss) || isWorker(ss.info.Type) || ss.task.bridge.script == nil {
		return
	}
	if !ss.prepared {
		return // a tab that came back is freed first; see [State.rebind]
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
	s.send(ss.id, cdppage.CommandAddScriptToEvaluateOnNewDocument, &cdppage.AddScriptToEvaluateOnNewDocumentParams{
		Source: script.Source, RunImmediately: &yes,
	})
	for _, f := range s.framesOf(ss) {
		s.readSandbox(f)
	}
}

// endBridge forgets what the bridge of a task still waits for.
func (s *State) endBridge(t *task) {
	s.forgetBridgeAsk(&t.bridge.asked)
	s.disarm(&t.bridge.suspicionTimer)
	t.bridge.begin = nil
}

// bridgeAsk is a call of one of the bridge's hooks without an outcome yet.
type bridgeAsk struct {
	decided func(BridgeVerdict)
	timer   Token
}

// askBridge registers an ask. If the plugin runtime misses its own deadline too, it ends with a fault.
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

// Some backends close every native dialog within milliseconds, before anyone can decide. If that is seen and the task
// uses BridgeAuto, its dialogs go through the bridge from then on.

const (
	// backendSpeed is how quickly a dialog must be closed to be attributed to the backend. A person takes longer.
	backendSpeed = time.Second
	// pageEnd is how long to wait for a sign that the dialog was closed because its page ended.
	pageEnd = 500 * time.Millisecond
)

// suspectBackend looks at a native dialog that was closed from outside. The end of a page closes its dialogs too, and
// is reported afterwards.
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
