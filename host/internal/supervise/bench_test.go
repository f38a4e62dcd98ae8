package supervise_test

import (
	"strconv"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

var benchTime = time.Unix(1000, 0)

// busyState has tasks with one tab each, and in each tab a number of local frames. Every plugin has answered.
func busyState(b *testing.B, tasks, frames int) *supervise.State {
	b.Helper()
	s := supervise.New(supervise.Config{})
	for i := range tasks {
		tab := target.ID(benchName("tab", i))
		session := target.SessionID(benchName("page", i))
		s.Apply(benchTime, supervise.AddTask{Request: supervise.RequestID(i + 1), Settings: supervise.TaskSettings{ID: taskID(i), TargetID: tab}})
		s.Apply(benchTime, pageAttached(tab, session))
		for k := range frames {
			s.Apply(benchTime, supervise.FrameAttached{Session: session, Frame: cdproto.FrameID(benchName(string(tab), k)), Parent: cdproto.FrameID(tab)})
		}
	}
	answerFrames(s)
	if v, ok := s.View(taskID(0)); !ok || len(v.Targets[0].Frames) != frames+1 {
		b.Fatalf("%d frames", len(v.Targets[0].Frames))
	}
	return s
}

func benchName(prefix string, i int) string { return prefix + "-" + strconv.Itoa(i) }

// answerFrames settles and answers every call of the frames hook.
func answerFrames(s *supervise.State) {
	var asked []supervise.Token
	for _, e := range s.Settle(benchTime) {
		if ask, ok := e.(supervise.AskFrames); ok {
			asked = append(asked, ask.Token)
		}
	}
	for _, token := range asked {
		s.Apply(benchTime, supervise.FramesVerdict{Token: token, Verdict: abi.FramesVerdict{Kept: []uint32{0}}})
	}
}

func BenchmarkFrameEvent(b *testing.B) {
	s := busyState(b, 1, 20)
	e := supervise.NavigatedWithinDocument{Session: "page-0", Frame: "tab-0", URL: "https://top/#next"}
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(benchTime, e)
	}
}

// BenchmarkConsole is one message, which nobody is asked about without a module.
func BenchmarkConsole(b *testing.B) {
	for name, served := range map[string]bool{"without a module": false, "with one": true} {
		b.Run(name, func(b *testing.B) {
			s := busyState(b, 1, 20)
			s.Apply(benchTime, supervise.HooksChanged{Console: served})
			e := supervise.ConsoleMessage{Session: "page-0", Entry: supervise.ConsoleEntry{Type: "log", Text: "loaded", Source: "https://top/app.js:1:1"}}
			b.ReportAllocs()
			for b.Loop() {
				s.Apply(benchTime, e)
			}
		})
	}
}

// BenchmarkDialog is one dialog: its opening, the plugin's verdict and the browser's confirmation.
func BenchmarkDialog(b *testing.B) {
	s := busyState(b, 1, 20)
	opening := supervise.DialogOpening{Session: "page-0", Frame: "tab-0", Type: abi.DialogTypeConfirm, Message: "well?", URL: "https://top/"}
	closed := supervise.DialogClosed{Session: "page-0", Frame: "tab-0", Accepted: true}
	accept := abi.DialogVerdict{Action: abi.DialogActionAccept}
	b.ReportAllocs()
	for b.Loop() {
		var ask, command supervise.Token
		for _, e := range s.Apply(benchTime, opening) {
			if a, ok := e.(supervise.AskDialog); ok {
				ask = a.Token
			}
		}
		for _, e := range s.Apply(benchTime, supervise.DialogVerdict{Token: ask, Verdict: accept}) {
			if c, ok := e.(supervise.SendCommand); ok {
				command = c.Token
			}
		}
		s.Apply(benchTime, closed)
		s.Apply(benchTime, supervise.CommandReply{Token: command})
	}
	if n := s.Counters().Closed[abi.ClosedByAutoPolicy.String()]; n == 0 {
		b.Fatal("no dialog was closed by the plugin")
	}
}

// BenchmarkSettleAndView is the cost of one change of a tree until its readers and the frames hook have it.
func BenchmarkSettleAndView(b *testing.B) {
	for name, c := range map[string]struct{ tasks, frames int }{
		"one task of 200 frames": {1, 200}, "one task among 50": {50, 20}, "one task alone": {1, 20},
	} {
		b.Run(name, func(b *testing.B) {
			s := busyState(b, c.tasks, c.frames)
			e := supervise.NavigatedWithinDocument{Session: "page-0", Frame: "tab-0", URL: "https://top/#next"}
			b.ReportAllocs()
			for b.Loop() {
				s.Apply(benchTime, e)
				answerFrames(s)
				s.View(taskID(0))
			}
		})
	}
}

// BenchmarkOOPIF adds and removes an OOPIF, in one task among 50.
func BenchmarkOOPIF(b *testing.B) {
	s := busyState(b, 50, 20)
	for i := range 1000 {
		s.Apply(benchTime, oopif(cdproto.FrameID(benchName("other", i)), "tab-1", target.SessionID(benchName("session", i)), "page-1"))
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(benchTime, oopif("frame", "tab-0", "x", "page-0"))
		s.Apply(benchTime, supervise.FrameDetached{Session: "page-0", Frame: "frame"})
		s.Apply(benchTime, supervise.Detached{Session: "x"})
	}
}
