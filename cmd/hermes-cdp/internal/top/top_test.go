package top

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

var at = time.Unix(10_000, 0)

func ago(d time.Duration) host.UnixTime { return host.UnixTime{Time: at.Add(-d)} }

// statuses are of a daemon, two seconds apart.
func statuses() (before, now control.Status) {
	counted := func(calls uint64, took time.Duration) host.Counters {
		return host.Counters{Plugins: map[string]host.PluginCounters{
			"dialog-policy": {Calls: calls, TotalTime: took, Faults: map[string]uint64{"trap": 1, "timeout": 2}}, "frame-filter": {Calls: 5},
		}}
	}
	now = control.Status{
		Daemon: control.DaemonStatus{Version: "v1", Uptime: time.Hour, Config: control.ConfigStatus{Error: "wrong"}},
		Tasks: []control.TaskStatus{
			{ID: "a-idle", Began: ago(time.Hour), IdleSince: ago(90 * time.Second), URL: "https://a.example/"},
			{ID: "b-works", Agent: "claude\x1b[2J", Began: ago(time.Minute), URL: "https://b.example/\x1b[2J\u202e"},
			{ID: "c-waits", Began: ago(time.Minute), PendingDialogs: 2},
			{ID: "d-asks", Began: ago(time.Minute), IdleSince: ago(time.Second), Questions: []host.Question{{ID: "q-1"}}},
			{ID: "e-held", Began: ago(time.Minute), Held: &host.Hold{}},
			{ID: "f-gone", Began: ago(time.Minute), Disconnected: "it crashed"},
		},
		Plugins:  []host.PluginInfo{{Name: "dialog-policy", Generation: 3, State: "serving"}, {Name: "frame-filter", Generation: 1, State: "serving"}},
		Counters: counted(30, 60*time.Millisecond),
	}
	return control.Status{Counters: counted(10, 20*time.Millisecond)}, now
}

func view() View {
	before, now := statuses()
	browsers := []host.BrowserInfo{{PID: 7, Tasks: []host.BrowserTask{{ID: "a-idle"}, {ID: "b-works"}}, Memory: 300 << 20, Processes: 9}, {Provider: "browserbase"}}
	return New(before, now, 2*time.Second, browsers, at)
}

func TestWhatWaitsForAPersonIsFirst(t *testing.T) {
	var order []string
	for _, task := range view().Tasks {
		order = append(order, task.Task+" "+task.State)
	}
	want := "d-asks asks a person, c-waits waits for an answer, e-held held by a person, f-gone disconnected: it crashed, a-idle idle, b-works working"
	if got := strings.Join(order, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestAViewIsLinesThatSteerNoTerminal(t *testing.T) {
	var text strings.Builder
	urgent := 0
	for _, line := range view().Lines() {
		if line.Kind == Urgent {
			urgent++
		}
		text.WriteString(line.Text + "\n")
		if strings.ContainsAny(line.Text, "\x1b\n\u202e") {
			t.Errorf("%q steers a terminal", line.Text)
		}
	}
	for _, want := range []string{
		"hermes-cdp v1, up 1h0m0s; tasks: 6, waiting for a person: 4; browsers: 2\n! the last reload was refused\n", "\nTASK ", "1m30s",
		"process 7", "a-idle, b-works", "300 MiB", "rented from browserbase", "dialog-policy  3           30     10.0        2ms   3       serving",
		"frame-filter   1           5      0.0         -     0       serving",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
	if urgent != 6 { // the problem, four tasks, and the plugin that has failed
		t.Errorf("%d lines are urgent", urgent)
	}
}

func TestOneStatusAloneHasNoRates(t *testing.T) {
	before, now := statuses()
	for name, v := range map[string]View{"alone": New(control.Status{}, now, 0, nil, at), "a daemon that began again": New(now, before, time.Second, nil, at)} {
		for _, p := range v.Plugins {
			if p.PerSecond != 0 || p.Mean != 0 {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// shown is what a simulated screen shows.
func shown(screen tcell.SimulationScreen) string {
	cells, width, _ := screen.GetContents()
	var text strings.Builder
	for i, cell := range cells {
		text.WriteString(string(cell.Runes))
		if i%width == width-1 {
			text.WriteString("\n")
		}
	}
	return text.String()
}

func TestTheScreenFollows(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	screen.SetSize(100, 8)
	looks := make(chan string) // what the screen shows; only its own goroutine reads that without a race
	n := 0
	ended := make(chan error, 1)
	go func() {
		ended <- OnScreen(t.Context(), screen, time.Millisecond, func() (View, error) {
			n++
			v := view()
			v.Version = fmt.Sprintf("v%d", n)
			looks <- shown(screen)
			return v, nil
		})
	}()
	<-looks // before the first is on the screen
	if text := <-looks; !strings.Contains(text, "hermes-cdp v") || !strings.Contains(text, "q leaves") || strings.Contains(text, "PLUGIN") {
		t.Errorf("the screen has\n%s", text)
	}
	screen.InjectKey(tcell.KeyEnd, 0, tcell.ModNone)
	text := ""
	for range 1000 {
		if text = <-looks; strings.Contains(text, "frame-filter") {
			break
		}
	}
	if !strings.Contains(text, "frame-filter") || strings.Contains(text, "hermes-cdp v") {
		t.Errorf("at the end the screen has\n%s", text)
	}
	screen.InjectKey(tcell.KeyRune, 'q', tcell.ModNone)
	for {
		select {
		case <-looks:
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

func TestTheScreenEndsWithTheDaemonAndWithTheCommand(t *testing.T) {
	gone := errors.New("nobody answers")
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		look func() (View, error)
		want error
	}{
		"the daemon is gone": {func() (View, error) { return View{}, gone }, gone},
		"it was interrupted": {func() (View, error) { cancel(); return view(), nil }, nil},
	} {
		screen := tcell.NewSimulationScreen("UTF-8")
		if err := screen.Init(); err != nil {
			t.Fatal(err)
		}
		if err := OnScreen(ctx, screen, time.Hour, c.look); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		screen.Fini()
	}
}
