package supervise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// script is a short story told to a state machine event by event. Its commands are written as lines: "page Page.enable"
// is a command on the session page, "browser Target.createTarget" one on the browser's own session.
type script struct {
	t        *testing.T
	state    *supervise.State
	now      time.Time
	effects  []supervise.Effect      // since the last look
	sends    []supervise.SendCommand // that have no reply yet
	timers   map[supervise.Token]time.Time
	asked    []supervise.AskDialog // all there were
	requests supervise.RequestID
}

func newScript(t *testing.T) *script { return newScriptWith(t, supervise.Config{}) }

func newScriptWith(t *testing.T, c supervise.Config) *script {
	t.Helper()
	return &script{
		t: t, state: supervise.New(c), now: time.Unix(1000, 0), timers: map[supervise.Token]time.Time{},
	}
}

// on applies events at one time.
func (s *script) on(events ...supervise.Event) *script {
	for _, e := range events {
		s.take(s.state.Apply(s.now, e))
	}
	return s
}

func (s *script) take(effects []supervise.Effect) {
	for _, effect := range effects {
		s.effects = append(s.effects, effect)
		switch e := effect.(type) {
		case supervise.SendCommand:
			s.sends = append(s.sends, e)
		case supervise.AskDialog:
			s.asked = append(s.asked, e)
		case supervise.Arm:
			s.timers[e.Timer] = e.At
		case supervise.Disarm:
			delete(s.timers, e.Timer)
		}
	}
}

func (s *script) settle() *script {
	s.take(s.state.Settle(s.now))
	return s
}

// pass advances the time and runs the timers that become due, each at its time.
func (s *script) pass(d time.Duration) *script {
	end := s.now.Add(d)
	for {
		var next supervise.Token
		for token, at := range s.timers {
			if !at.After(end) && (next == 0 || at.Before(s.timers[next]) || at.Equal(s.timers[next]) && token < next) {
				next = token
			}
		}
		if next == 0 {
			s.now = end
			return s
		}
		if at := s.timers[next]; at.After(s.now) {
			s.now = at
		}
		delete(s.timers, next)
		s.on(supervise.Tick{Timer: next})
	}
}

// reply answers the oldest command with this line that has no reply yet.
func (s *script) reply(line string, r supervise.CommandReply) *script {
	s.t.Helper()
	for i, c := range s.sends {
		if sendLine(c) == line {
			s.sends = slices.Delete(s.sends, i, i+1)
			if c.Token == 0 {
				return s
			}
			r.Token = c.Token
			return s.on(r)
		}
	}
	s.t.Fatalf("nothing like %q waits for a reply: %q", line, s.sent())
	return s
}

func (s *script) ok(line string) *script {
	s.t.Helper()
	return s.reply(line, supervise.CommandReply{})
}

func (s *script) refuse(line, message string) *script {
	s.t.Helper()
	return s.reply(line, supervise.CommandReply{Err: &supervise.CommandError{Code: -32000, Message: message}})
}

func sendLine(c supervise.SendCommand) string {
	session := string(c.Session)
	if session == "" {
		session = "browser"
	}
	switch p := c.Params.(type) {
	case *cdppage.HandleJavaScriptDialogParams:
		verb := "dismiss"
		if p.Accept {
			verb = strings.TrimSpace("accept " + p.PromptText)
		}
		return session + " answer " + verb
	case *cdppage.NavigateParams:
		return session + " navigate " + p.URL
	case *target.DetachFromTargetParams:
		return session + " detach " + string(p.SessionID)
	case *target.CloseTargetParams:
		return session + " close " + string(p.TargetID)
	case *target.AttachToTargetParams:
		return session + " attach " + string(p.TargetID)
	case *target.CreateTargetParams:
		return strings.TrimSpace(session + " create " + p.URL + " " + string(p.BrowserContextID))
	}
	return session + " " + c.Method
}

func (s *script) sent() []string {
	lines := []string{}
	for _, effect := range s.effects {
		if c, ok := effect.(supervise.SendCommand); ok {
			lines = append(lines, sendLine(c))
		}
	}
	return lines
}

// wantSent checks the commands sent since the last look.
func (s *script) wantSent(want ...string) *script {
	s.t.Helper()
	got := s.sent()
	s.effects = nil
	if !slices.Equal(got, want) {
		s.t.Fatalf("sent\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	return s
}

// quiet forgets the effects so far.
func (s *script) quiet() *script {
	s.effects = nil
	return s
}

// replyTo finds the one reply to a request since the last look.
func (s *script) replyTo(id supervise.RequestID) supervise.Reply {
	s.t.Helper()
	var found []supervise.Reply
	for _, effect := range s.effects {
		if r, ok := effect.(supervise.Reply); ok && r.Request == id {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		s.t.Fatalf("request %d has %d replies", id, len(found))
	}
	return found[0]
}

func effectsOf[T supervise.Effect](s *script) []T {
	var list []T
	for _, effect := range s.effects {
		if e, ok := effect.(T); ok {
			list = append(list, e)
		}
	}
	return list
}

// prepared are the commands that prepare the session of a document. The last one lets it run.
func prepared(session string) []string {
	return []string{
		session + " Page.enable", session + " Page.getFrameTree", session + " Page.setLifecycleEventsEnabled",
		session + " FedCm.enable", session + " Runtime.enable", session + " Log.enable", session + " Target.setAutoAttach", session + " Runtime.runIfWaitingForDebugger",
	}
}

// lastAsk is the newest call of the dialog hook since the last look.
func (s *script) lastAsk() supervise.AskDialog {
	s.t.Helper()
	asks := effectsOf[supervise.AskDialog](s)
	if len(asks) == 0 {
		s.t.Fatal("no plugin was asked")
	}
	return asks[len(asks)-1]
}

// A story has one task, "task", which adopts the tab "tab" on the session "page", unless it says otherwise.
func newStory(t *testing.T) *script { return newStoryWith(t, supervise.Config{}) }

func newStoryWith(t *testing.T, c supervise.Config) *script {
	t.Helper()
	s := newScriptWith(t, c)
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff}})
	s.on(pageAttached("tab", "page"))
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	return s.quiet()
}

func pageAttached(id target.ID, session target.SessionID) supervise.Attached {
	return supervise.Attached{Session: session, Info: target.Info{TargetID: id, Type: "page", URL: "https://top/"}}
}

func popup(id target.ID, session target.SessionID, opener target.ID) supervise.Attached {
	return supervise.Attached{Session: session, Waiting: true, Info: target.Info{TargetID: id, Type: "page", OpenerID: opener}}
}

func oopif(id cdproto.FrameID, parent cdproto.FrameID, session, on target.SessionID) supervise.Attached {
	return supervise.Attached{Parent: on, Session: session, Waiting: true, Info: target.Info{
		TargetID: target.ID(id), Type: "iframe", ParentFrameID: parent,
	}}
}

// document is a frame with a document of its own, whose loader is named after its URL.
func document(id, parent cdproto.FrameID, url string) supervise.FrameInfo {
	return supervise.FrameInfo{ID: id, Parent: parent, URL: url, Loader: cdproto.LoaderID("loader of " + url), Origin: url}
}

func navigated(session target.SessionID, f supervise.FrameInfo) supervise.FrameNavigated {
	return supervise.FrameNavigated{Session: session, Frame: f}
}

func opens(frame cdproto.FrameID, kind abi.DialogType) supervise.DialogOpening {
	return supervise.DialogOpening{Session: "page", Frame: frame, Type: kind, Message: "well?", DefaultPrompt: "default", URL: "https://top/"}
}

func closes(frame cdproto.FrameID, accepted bool) supervise.DialogClosed {
	return supervise.DialogClosed{Session: "page", Frame: frame, Accepted: accepted}
}

// abstain makes the plugins leave all dialogs that they were asked about to the agent, or to its armed answer.
func (s *script) abstain() *script {
	for _, ask := range s.asked {
		v, _ := s.state.View(ask.Task)
		for _, d := range v.Pending {
			if d.ID == ask.Event.DialogID && d.Action == abi.DialogActionUnspecified {
				s.on(supervise.DialogVerdict{Token: ask.Token, Abstained: true})
			}
		}
	}
	return s
}

// respond answers a dialog as an agent, after the plugins have left it to agents. It returns the id of the request.
func (s *script) respond(dialog string, accept bool) supervise.RequestID {
	s.abstain()
	s.requests++
	s.on(supervise.Respond{Request: s.requests, Task: "task", Dialog: dialog, Accept: accept})
	return s.requests
}

func (s *script) removeTask() supervise.RequestID {
	s.requests++
	s.on(supervise.RemoveTask{Request: s.requests, Task: "task"})
	return s.requests
}

// tree prints the frames of the task's tabs: indented, an OOPIF with its session.
func (s *script) tree() string {
	var b strings.Builder
	v, _ := s.state.View("task")
	for _, t := range v.Targets {
		for _, f := range t.Frames {
			fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", f.Depth), f.ID)
			if f.Kind == abi.FrameKindOOPIF {
				fmt.Fprintf(&b, " (%s)", f.Session)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (s *script) wantTree(lines ...string) *script {
	s.t.Helper()
	if got := strings.TrimSpace(s.tree()); got != strings.Join(lines, "\n") {
		s.t.Fatalf("the tree is\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
	return s
}

// wantDialogs checks the dialogs of the task: "d-1 pending", "d-1 answering", "d-1 remote", ...
func (s *script) wantDialogs(want ...string) *script {
	s.t.Helper()
	v, _ := s.state.View("task")
	got := []string{}
	for _, d := range v.Recent {
		got = append(got, d.ID+" "+d.ClosedBy.String())
	}
	for _, d := range v.Pending {
		got = append(got, d.ID+" "+[]string{"pending", "answering"}[d.Phase])
	}
	if !slices.Equal(got, want) {
		s.t.Fatalf("dialogs %q, want %q", got, want)
	}
	return s
}
