package web

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
)

// busy is a daemon with more to do at times.
type busy struct {
	looks, dialogs, fast, slow uint64
	plugins                    map[string]host.PluginCounters
}

func (b *busy) Status(context.Context) (control.Status, error) {
	b.looks++
	load := uint64(6 + 5*math.Sin(float64(b.looks)/20))
	b.dialogs, b.fast, b.slow = b.dialogs+load/4, b.fast+load, b.slow+load/5
	for i := range 8 { // more than can be told apart
		name := fmt.Sprintf("plugin-%d", i)
		n := b.plugins[name]
		n.Calls += load
		n.TotalTime += time.Duration(load) * time.Duration(9-i) * time.Millisecond
		n.MemoryBytes, n.Durations = 4<<20, []host.PluginDurationCount{{UpTo: time.Second, Calls: n.Calls}, {}}
		b.plugins[name] = n
	}
	return control.Status{
		Tasks: []control.TaskStatus{{ID: "a", PendingDialogs: int(load / 5)}},
		Counters: host.Counters{
			Dialogs: host.DialogCounters{ByType: map[string]uint64{"alert": b.dialogs}, ByClosedBy: map[string]uint64{"agent": b.dialogs}},
			Queues:  host.QueueDepths{Inbox: int(load), InFlight: int(load / 2)}, Plugins: b.plugins,
		},
		Tools: map[string]agent.ToolCounters{"browser_click": {
			Calls: b.fast + b.slow, Failures: map[string]uint64{"timeout": b.slow},
			Durations: []agent.DurationCount{{UpToMS: 100, Calls: b.fast}, {UpToMS: 1000, Calls: b.slow}, {}},
		}},
	}, nil
}

func (b *busy) PluginHistory(context.Context, string) ([]host.PluginGeneration, error) {
	return nil, host.ErrUnknownPlugin
}

func newCharts() *charts.Charts {
	return charts.New(metrics.Registry(&busy{plugins: map[string]host.PluginCounters{}}), slog.New(slog.DiscardHandler))
}

// hour has the samples of one hour.
func hour(t *testing.T) *charts.Charts {
	t.Helper()
	lately := newCharts()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour+time.Second)
		defer cancel()
		lately.Run(ctx)
	})
	return lately
}

// lines counts the colours of a chart's lines in its picture, which is not of one colour alone if something is drawn.
const lines = `(() => {
	const c = document.querySelector('[aria-label="Time in plugins"] canvas');
	const all = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
	for (let i = 0; i < all.length; i += 4) if (all[i + 3] === 255) seen.add(all[i] + "," + all[i + 1] + "," + all[i + 2]);
	return %s.every(i => seen.has(getComputedStyle(document.querySelector('[aria-label="Time in plugins"] .line-' + i)).color.match(/\d+/g).join()));
})()`

// The charts draw what is counted, and say it in words and numbers; the keyboard chooses the moment.
func TestChartsOfTheLastHour(t *testing.T) {
	s := newStage(t)
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.press("link", "Charts")
	s.shows("Charts of the last hour")
	s.must("drawing", s.page().WaitTrue(s.ctx, fmt.Sprintf(lines, "[0, 1, 2, 3, 4, 5]"), ""))
	s.shows("3 others")
	const said = `document.querySelector('[aria-label="Memory"] [role=img]').getAttribute("aria-label")`
	if got := s.evaluate(s.person, said, ""); !strings.Contains(got, "Memory: daemon ") || !strings.Contains(got, " MB, least ") {
		t.Errorf("the text of a chart is %s", got)
	}
	s.accessible("charts")
	s.picture("charts")
	in := s.screen
	in.ColorScheme = "dark"
	s.must("emulating", s.person.Emulate(s.ctx, in))
	s.must("drawing in dark", s.page().WaitTrue(s.ctx, fmt.Sprintf(lines, "[0, 1, 2, 3, 4, 5]"), ""))
	s.picture("charts-dark")
	s.must("emulating", s.person.Emulate(s.ctx, s.screen))

	const moment = `document.querySelector("input[type=range]").getAttribute("aria-valuetext")`
	newest := s.evaluate(s.person, moment, "")
	s.evaluate(s.person, `document.querySelector("input[type=range]").focus(); 0`, "")
	_, err = s.page().Press(s.ctx, "Home", nil)
	s.must("pressing Home", err)
	s.must("choosing the first moment", s.page().WaitTrue(s.ctx, moment+` !== `+newest+` && document.querySelector('[aria-label="Queues"] th:nth-child(2)').textContent === `+moment, ""))

	for _, m := range s.person.Snapshot().Console {
		if !strings.Contains(m.Text, "emulat") && !strings.Contains(m.Text, "getImageData") { // which this test does itself
			t.Errorf("the page's console has %+v", m)
		}
	}
}

// A page that is open gets what is counted from then on; nothing of it is drawn while the page is hidden.
func TestChartsGrowWhileThePageIsOpen(t *testing.T) {
	lately := newCharts()
	s := newStageWith(t, lately)
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.press("link", "Charts")
	s.shows("There are no samples yet")
	s.accessible("charts without samples")

	// The page reads a sample by this function, and then draws in the frame that follows.
	s.evaluate(s.person, `(() => { const parse = JSON.parse; JSON.parse = text => { globalThis.came ||= text.includes("plugin_seconds"); return parse(text); }; })(); 0`, "")
	const hide = `Object.defineProperty(document, "hidden", {value: %v, configurable: true}); document.dispatchEvent(new Event("visibilitychange")); 0`
	s.evaluate(s.person, fmt.Sprintf(hide, true), "")
	ctx, cancel := context.WithCancel(s.ctx)
	done := make(chan struct{})
	go func() { defer close(done); lately.Run(ctx) }()
	defer func() { cancel(); <-done }()
	s.must("receiving a sample", s.page().WaitTrue(s.ctx, `globalThis.came`, ""))
	s.evaluate(s.person, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)`, "")
	if got := s.evaluate(s.person, `document.querySelectorAll("canvas").length`, ""); got != "0" {
		t.Errorf("a page that is hidden draws %s charts", got)
	}
	s.evaluate(s.person, fmt.Sprintf(hide, false), "")
	s.must("showing a sample", s.page().WaitTrue(s.ctx, `document.querySelectorAll("canvas").length === 6`, ""))
	s.accessible("charts with one sample")
}
