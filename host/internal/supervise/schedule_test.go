package supervise_test

import (
	"flag"
	"strconv"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/sim"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

var sites = []string{"blank", "a", "b", "c"}

func taskID(i int) string { return "task-" + strconv.Itoa(i) }

// chance is true once in n times.
func (w *world) chance(n int) bool { return w.choose(n) == n-1 }

func (w *world) order() sim.Order { return sim.Order(w.choose(sim.Orders)) }

func pick[T any](w *world, list []T) (T, bool) {
	var none T
	if len(list) == 0 {
		return none, false
	}
	return list[w.choose(len(list))], true
}

// run runs a number of steps of a schedule and then lets everything finish.
func (w *world) run(steps int) {
	w.t.Helper()
	w.shared = w.choose(2) == 1
	for range w.choose(3) {
		w.browser.OpenTabBefore().Private = !w.shared
	}
	w.addTask()
	for range steps {
		w.step()
	}
	w.finish()
}

// step makes one step. The browser and the connection act most often, so that what is started also happens.
func (w *world) step() {
	w.t.Helper()
	switch w.choose(20) {
	case 0, 1, 2:
		for range 1 + w.choose(8) {
			w.browser.Execute()
		}
	case 3, 4, 5:
		for range 1 + w.choose(8) {
			w.deliver()
		}
	case 6:
		w.finishSomething()
	case 7, 8, 9:
		w.pageActs()
	case 10:
		w.dialogActs()
	case 11:
		w.dialogActs()
	case 12:
		w.agentActs()
	case 13:
		w.pluginActs()
	case 14:
		w.timePasses()
	case 15:
		w.rareThing()
	case 16:
		w.bridgeActs()
	case 17:
		w.navigationActs()
	case 18, 19:
		w.callerActs()
	}
	if w.choose(4) == 3 {
		w.reconnect()
	}
	if w.choose(2) == 1 {
		w.settle()
	}
}

func (w *world) deliver() bool {
	w.t.Helper()
	e, ok := w.browser.Deliver()
	switch e := e.(type) {
	case nil:
	case callReply:
		w.plan(e.Replied)
	default:
		w.apply(e)
	}
	return ok
}

// reconnect makes a step towards a new connection if there is none.
func (w *world) reconnect() bool {
	w.t.Helper()
	switch {
	case w.browser.Dead() != "":
	case w.browser.Down():
		w.apply(supervise.Redialing{Attempt: 1 + w.choose(3)})
		w.browser.Return()
		return true
	case w.browser.Returning():
		w.browser.AttachAll()
		return true
	}
	return false
}

func (w *world) finishSomething() {
	if n := w.browser.Later(); n > 0 {
		w.browser.Finish(w.choose(n))
	}
}

// pageActs is something that a page, a user or the network does.
func (w *world) pageActs() {
	t, ok := pick(w, w.browser.Tabs())
	if !ok || w.browser.Dead() != "" {
		return
	}
	f, _ := pick(w, t.Frames())
	site, _ := pick(w, sites)
	switch w.choose(13) {
	case 0, 1, 2:
		if w.browser.Running(f) && len(t.Frames()) < 10 {
			w.browser.AddFrame(f, site, w.order())
		}
	case 3, 4, 5:
		if w.browser.CanNavigate(f) {
			w.browser.Navigate(f, site, w.order())
		}
	case 6:
		if w.browser.CanNavigate(f) {
			w.browser.Abort(f)
		}
	case 7:
		if f.Parent != nil && w.browser.Running(f.Parent) {
			w.browser.Remove(f, w.order())
		}
	case 8:
		if w.browser.CanLeave(t) {
			w.browser.Leave(t, site)
		}
	case 9:
		if w.browser.CanLeave(t) {
			w.browser.Back(t)
		}
	case 10:
		if w.browser.CanLeave(t) && !t.Crashed {
			w.browser.Reload(t)
		}
	case 11:
		if w.browser.Running(f) {
			w.browser.GoWithin(f)
			w.browser.Log(f, "something")
		}
	case 12:
		if len(w.browser.Tabs()) < 5 && w.browser.Running(f) {
			w.browser.OpenTab("", f)
		}
	}
}

// dialogActs opens a dialog, or closes one from elsewhere.
func (w *world) dialogActs() {
	t, ok := pick(w, w.browser.Tabs())
	if !ok || w.browser.Dead() != "" {
		return
	}
	f, _ := pick(w, t.Frames())
	kind := abi.DialogType(1 + w.choose(4))
	switch w.choose(12) {
	case 0:
		w.browser.AnswerElsewhere(t, w.choose(2) == 1)
	case 1:
		w.browser.RepeatClosed(f)
	case 2, 3:
		w.removeUnder(t.DialogFrame())
	case 4:
		if f := t.DialogFrame(); f != nil && f.InOOPIF() && w.browser.CanCrash(f) {
			w.browser.Crash(f)
		}
	default:
		if w.browser.CanOpenDialog(f, kind) {
			trap := kind != abi.DialogTypeBeforeUnload && !f.InOOPIF() && w.chance(4)
			w.browser.OpenDialog(f, kind, trap)
		}
	}
}

// removeUnder removes a frame that shows a dialog, or an ancestor, as a parent can if the dialog does not block it.
func (w *world) removeUnder(f *sim.Frame) {
	for ; f != nil && f.Parent != nil; f = f.Parent {
		if w.browser.Running(f.Parent) {
			w.browser.Remove(f, w.order())
			return
		}
	}
}

// agentActs answers a dialog: usually an open one, with or without its id, sometimes an unknown one. Or it arms an
// answer for the next one, or disarms it.
func (w *world) agentActs() {
	task := taskID(w.choose(w.nextTask + 1))
	dialog := ""
	switch w.choose(4) {
	case 0:
		dialog = "d-0"
	case 1, 2:
		v, _ := w.state.View(task)
		if d, ok := pick(w, append(v.Pending, v.Recent...)); ok {
			dialog = d.ID
		}
	}
	var text *string
	if w.choose(2) == 1 {
		text = new(string)
		*text = "the agent's text"
	}
	accept := w.choose(2) == 1
	switch armed := w.choose(13); armed {
	case 0, 12:
		w.request(func(id supervise.RequestID) supervise.Event {
			return supervise.ArmDialog{Request: id, Task: task, Answer: supervise.Armed{Accept: accept, Text: text, Repeat: armed == 12}}
		})
		return
	case 1:
		w.request(func(id supervise.RequestID) supervise.Event { return supervise.DisarmDialog{Request: id, Task: task} })
		return
	}
	w.request(func(id supervise.RequestID) supervise.Event {
		return supervise.Respond{Request: id, Task: task, Dialog: dialog, Accept: accept, Text: text}
	})
}

// timePasses advances the clock, runs a timer that is due, or delivers a tick of a timer that was stopped.
func (w *world) timePasses() {
	due := w.due()
	switch w.choose(4) {
	case 0:
		steps := []time.Duration{time.Millisecond, time.Second, 5 * time.Second, time.Minute, 5 * time.Minute}
		step, _ := pick(w, steps)
		w.now = w.now.Add(step)
	case 1:
		w.apply(supervise.Tick{Timer: supervise.Token(w.choose(50))})
		delete(w.timers, 0)
	default:
		for _, token := range due {
			if _, armed := w.timers[token]; armed && !w.timers[token].After(w.now) {
				w.fire(token)
			}
		}
	}
}

// rareThing is a rare event in the life of a browser.
func (w *world) rareThing() {
	t, ok := pick(w, w.browser.Tabs())
	if w.browser.Dead() != "" {
		ok = false
	}
	switch w.choose(12) {
	case 0:
		w.addTask()
	case 1:
		w.removeTask()
	case 2, 3:
		if ok {
			if f, _ := pick(w, t.Frames()); w.browser.CanCrash(f) {
				w.browser.Crash(f)
			}
		}
	case 4:
		if ok && !t.Native() {
			w.browser.Close(t)
		}
	case 5:
		if ok && len(w.browser.Tabs()) < 5 {
			w.browser.OpenTab("", nil).Private = !w.shared
		}
	case 6:
		if ok && len(w.browser.Tabs()) < 5 {
			w.browser.OpenTab("context", nil)
		}
	case 7:
		if ok {
			if f, _ := pick(w, t.Frames()); w.browser.Running(f) {
				w.browser.StartWorker(f)
			}
		}
	case 8:
		if ok && w.shared {
			w.browser.StartWorker(nil)
		}
	case 9:
		if ok {
			w.browser.StopWorker()
		}
	case 10:
		switch n := w.choose(12); {
		case !ok:
		case n == 0:
			if parent, _ := pick(w, t.Frames()); w.browser.Running(parent) {
				w.browser.LeakFrame(parent)
			}
		default:
			w.browser.RepeatDetached(t, cdproto.FrameID("frame"+strconv.Itoa(n)))
		}
	case 11:
		if w.chance(16) {
			w.browser.Kill("the socket was closed")
		} else {
			w.browser.Drop("the line broke")
		}
	}
}

func (w *world) addTask() {
	settings := supervise.TaskSettings{ID: taskID(w.nextTask)}
	switch w.choose(4) {
	case 0:
		if t, ok := pick(w, w.browser.Tabs()); ok {
			settings.TargetID = t.ID
			t.Private = false
			for _, popup := range w.browser.Tabs() {
				popup.Private = popup.Private && (popup.Opener == nil || popup.Opener.Tab.Private)
			}
		}
	case 1:
		settings.Scope, settings.BrowserContextID = supervise.ScopeContext, "context"
	case 2:
		if w.shared {
			settings.Scope = supervise.ScopeBrowser
		}
	}
	if settings.TargetID == "" && w.choose(2) == 1 {
		settings.OpenURL = "https://start/"
	}
	if w.choose(2) == 1 {
		settings.DialogTimeout = 30 * time.Second
	}
	w.bridgeOf(&settings)
	w.nextTask++
	w.tasks = append(w.tasks, settings.ID)
	w.request(func(id supervise.RequestID) supervise.Event {
		return supervise.AddTask{Request: id, Settings: settings}
	})
}

func (w *world) removeTask() {
	if len(w.tasks) == 0 {
		return
	}
	i := w.choose(len(w.tasks))
	id := w.tasks[i]
	w.tasks = append(w.tasks[:i:i], w.tasks[i+1:]...)
	w.request(func(request supervise.RequestID) supervise.Event {
		return supervise.RemoveTask{Request: request, Task: id}
	})
}

var (
	logSchedules = flag.Bool("schedule.log", false, "log the events and effects of each schedule")
	newSchedules = flag.Bool("schedule.new", false, "run schedules that nobody has seen, and not those of every run")
)

// scheduleRounds is how many times -rapid.checks schedules are run, each time from another seed.
const scheduleRounds = 20

// TestSchedules runs random schedules, a multiple of -rapid.checks. They are the same in every run, so a failure comes
// from the change; make schedules tries others, and -rapid.seed those of one seed. A failure is shrunk to the shortest
// schedule that still fails. -schedule.log shows its events.
func TestSchedules(t *testing.T) {
	seed := flag.Lookup("rapid.seed")
	if seed.Value.String() != seed.DefValue {
		rapid.Check(t, anySchedule)
		return
	}
	defer func() { _ = seed.Value.Set(seed.DefValue) }()
	for round := range scheduleRounds {
		if !*newSchedules {
			if err := seed.Value.Set(strconv.Itoa(round + 1)); err != nil {
				t.Fatal(err)
			}
		}
		rapid.Check(t, anySchedule)
	}
}

func anySchedule(rt *rapid.T) {
	w := newWorld(rt, func(n int) int { return spread(rapid.Uint32().Draw(rt, "choice"), n) })
	if *logSchedules {
		w.logTo = rt.Logf
	}
	w.run(10 + spread(rapid.Uint32().Draw(rt, "steps"), 300))
}

// spread turns a number that rapid drew into a choice: rapid prefers small numbers, but all choices should be equally
// likely. Zero stays zero, so that a schedule shrinks.
func spread(v uint32, n int) int { return int((v*2654435761)>>8) % n }

// FuzzSchedule turns bytes into a schedule.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte{}, uint8(20))
	f.Add([]byte("the browser, the plugins, the agents and the clock take turns"), uint8(60))
	f.Fuzz(func(t *testing.T, data []byte, steps uint8) {
		w := newWorld(t, func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := int(data[0])
			data = data[1:]
			return b % n
		})
		w.run(int(steps))
	})
}
