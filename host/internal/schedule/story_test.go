package schedule_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// browser is what a story says of the browser. Every tab is of the task "task"; its session has the name of the tab in
// upper case, and so has its isolate, unless the story says otherwise.
type browser struct {
	gone, down string
	tabs       []target.ID // the first is the one in use
	crashed    map[target.ID]bool
	dialogs    map[target.ID]int
	busy       map[target.ID]bool
	documents  map[target.ID]cdproto.LoaderID
	isolates   map[target.SessionID]string
	moving     bool // frames have no document
	agents     map[target.SessionID]target.ID
}

func sessionOf(tab target.ID) target.SessionID { return target.SessionID(strings.ToUpper(string(tab))) }

func (b *browser) EndedReason(string) string  { return b.gone }
func (b *browser) DisconnectedReason() string { return b.down }

func (b *browser) Page(_ string, tab target.ID) (target.ID, target.SessionID, bool) {
	if tab == "" && len(b.tabs) > 0 {
		tab = b.tabs[0]
	}
	return tab, sessionOf(tab), slices.Contains(b.tabs, tab)
}

func (b *browser) Crashed(page target.ID) bool                        { return b.crashed[page] }
func (b *browser) Document(_ string, page target.ID) cdproto.LoaderID { return b.documents[page] }
func (b *browser) Attached(_ string, session target.SessionID) bool {
	return b.agents[session] != "" || slices.ContainsFunc(b.tabs, func(tab target.ID) bool { return sessionOf(tab) == session })
}

func (b *browser) BlockingDialogs(_ string, page target.ID) []supervise.Dialog {
	return make([]supervise.Dialog, b.dialogs[page])
}
func (b *browser) MustWait(_ string, page target.ID) bool              { return b.busy[page] }
func (b *browser) Isolate(session target.SessionID) string             { return b.isolates[session] }
func (b *browser) Siblings(string, supervise.ScriptTarget) []target.ID { return b.tabs[1:] }
func (b *browser) AgentPage(session target.SessionID) (string, target.ID) {
	if page := b.agents[session]; page != "" {
		return "task", page
	}
	return "", ""
}

func (b *browser) Locate(_ string, w supervise.FrameSelector) (supervise.ScriptTarget, supervise.LocateResult) {
	switch {
	case b.moving:
		return supervise.ScriptTarget{}, supervise.LocateNotYet
	case !slices.Contains(b.tabs, w.Target):
		return supervise.ScriptTarget{}, supervise.LocateNoTarget
	}
	return *at(w.Target), supervise.Located
}

func at(tab target.ID) *supervise.ScriptTarget {
	return &supervise.ScriptTarget{Page: tab, Session: sessionOf(tab), Target: tab, Frame: cdproto.FrameID(tab), Root: true}
}

// story is a schedule beside the browser that a test plays.
type story struct {
	t     *testing.T
	b     *browser
	state *schedule.State
	now   time.Time
	lines []string
}

func newStory(t *testing.T) *story {
	b := &browser{
		tabs: []target.ID{"a", "b"}, crashed: map[target.ID]bool{}, dialogs: map[target.ID]int{}, busy: map[target.ID]bool{},
		documents: map[target.ID]cdproto.LoaderID{}, isolates: map[target.SessionID]string{}, agents: map[target.SessionID]target.ID{},
	}
	return &story{t: t, b: b, state: schedule.New(b), now: time.Unix(1_000_000, 0)}
}

// on plays events, each to a copy of the state, too: it has to want the same.
func (s *story) on(events ...schedule.Event) *story {
	s.t.Helper()
	for _, e := range events {
		s.now = s.now.Add(time.Millisecond)
		twin := s.state.Clone(s.b)
		effects := s.state.Apply(s.now, e)
		if other := twin.Apply(s.now, e); !reflect.DeepEqual(effects, other) {
			s.t.Fatalf("%T %+v had two outcomes:\n%+v\n%+v", e, e, effects, other)
		}
		s.note(effects)
	}
	return s
}

func (s *story) settle() *story {
	s.note(s.state.Settle(s.now))
	return s
}

func (s *story) note(effects []schedule.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case schedule.SendCall:
			s.lines = append(s.lines, fmt.Sprintf("send %d on %s", e.Call.ID, e.Session))
		case schedule.Finish:
			s.lines = append(s.lines, fmt.Sprintf("finish %d %s", e.Call, ends[e.End]))
		case schedule.Block:
			s.lines = append(s.lines, fmt.Sprintf("block %d", e.Op))
		case schedule.Unblock:
			s.lines = append(s.lines, fmt.Sprintf("unblock %d", e.Op))
		case schedule.Found:
			s.lines = append(s.lines, fmt.Sprintf("found %s %d %s", e.Place.Session, e.How, e.Gone))
		}
	}
}

var ends = map[schedule.End]string{
	schedule.EndReplied: "replied", schedule.EndBrowserGone: "browser gone", schedule.EndDisconnected: "disconnected",
	schedule.EndNoTab: "no tab", schedule.EndUnknownTab: "unknown tab", schedule.EndTabGone: "tab gone", schedule.EndFrameGone: "frame gone",
	schedule.EndCrashed: "crashed", schedule.EndBlocked: "blocked",
}

// wants looks at what was to be done since the last look.
func (s *story) wants(want ...string) *story {
	s.t.Helper()
	if !slices.Equal(s.lines, want) {
		s.t.Fatalf("the schedule wants\n\t%s\nnot\n\t%s", strings.Join(s.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
	s.lines = nil
	return s
}

// idle checks that nothing is left.
func (s *story) idle() {
	s.t.Helper()
	if sent, held := s.state.Waiting(); sent+held > 0 {
		s.t.Fatalf("%d calls are sent and %d held", sent, held)
	}
}

func plain(id schedule.CallID, tab target.ID) schedule.Begin {
	return schedule.Begin{Call: schedule.Call{ID: id, Task: "task", Tab: tab}}
}

func fence(id schedule.CallID, op schedule.OpID, tab target.ID) schedule.Begin {
	return schedule.Begin{Call: schedule.Call{ID: id, Op: op, Task: "task", At: at(tab), Turn: schedule.TakeTurn}}
}

func script(id schedule.CallID, op schedule.OpID, tab target.ID) schedule.Begin {
	return schedule.Begin{Call: schedule.Call{ID: id, Op: op, Task: "task", At: at(tab), HasEffect: true}}
}

func reply(id schedule.CallID) schedule.Replied { return schedule.Replied{Call: id} }

func interrupt(tab target.ID, reason supervise.InterruptReason) schedule.Interrupted {
	return schedule.Interrupted{Interrupt: supervise.Interrupt{Task: "task", Page: tab, Reason: reason}}
}
