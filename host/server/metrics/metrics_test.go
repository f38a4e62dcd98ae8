package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// source gives one status, or an error.
type source struct {
	status control.Status
	err    error
}

func (s *source) Status(context.Context) (control.Status, error) { return s.status, s.err }

func (s *source) PluginHistory(_ context.Context, name string) ([]host.PluginGeneration, error) {
	if name != "dialog-policy" {
		return nil, host.ErrUnknownPlugin
	}
	return []host.PluginGeneration{
		{Number: 4, SHA256: strings.Repeat("ab", 32), Calls: 2, Faults: 1, Fuel: 3000, TotalTime: time.Second},
		{Number: 3}, // it was refused
		{Number: 2, SHA256: strings.Repeat("cd", 32), Calls: 1, Fuel: 2000, TotalTime: time.Second},
		{Number: 1, SHA256: strings.Repeat("ab", 32), Calls: 4, Fuel: 10, TotalTime: time.Second},
	}, nil
}

func scrape(t *testing.T, h http.Handler) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", Path, nil))
	return w.Code, w.Body.String()
}

// full is a status that has something of everything.
func full() control.Status {
	return control.Status{
		Daemon: control.DaemonStatus{Version: "v1.2.3+dirty", StartedAt: time.Unix(1000, 0)},
		Tasks: []control.TaskStatus{
			{ID: "a", Targets: 1, Frames: 3, Sessions: 2, PendingDialogs: 1}, {ID: "b", Disconnected: "it is gone", Frames: 1, Sessions: 1},
		},
		Plugins:  []host.PluginInfo{{Name: "dialog-policy", Generation: 4, SHA256: strings.Repeat("ab", 32), Version: "1.0.0", Outage: "it fails", StoreProblem: "it is full"}},
		Browsers: []host.BrowserInfo{{Provider: "browserbase"}, {Provider: "browserbase"}, {Address: "ws://x"}},
		Counters: host.Counters{
			Dialogs: host.DialogCounters{
				ByType: map[string]uint64{"alert": 3}, ByPolicy: map[string]uint64{"default": 3}, ByClosedBy: map[string]uint64{"agent": 2},
				OpenTimes: map[string]host.DialogTimes{"agent": {TotalNS: 1_500_000_000, Within: []host.DialogTimeCount{{UpToMS: 100, Dialogs: 1}, {UpToMS: 5000, Dialogs: 1}, {}}}},
			},
			Evaluate: host.EvaluateCounters{Calls: 6, Errors: map[string]uint64{"timeout": 2}, Timeouts: 2, Terminations: 1}, Requests: host.RequestCounters{Blocked: 3},
			Bridge: host.BridgeCounters{Proven: map[string]uint64{"pause": 1}, Refused: map[string]uint64{"forged": 1}},
			Events: host.EventCounters{Dropped: 7}, Queues: host.QueueDepths{Held: 2}, Reconnects: 5, ReconnectAttempts: 9,
			Plugins: map[string]host.PluginCounters{"dialog-policy": {
				Calls: 3, Decided: 2, Abstained: 1, Fuel: 5000, TotalTime: time.Second, Faults: map[string]uint64{"trap": 1}, MemoryBytes: 65536,
				StoredBytes: 120, StoredKeys: 7, StoreRefused: 2, StoreEvicted: 1,
				Durations: []host.PluginDurationCount{{UpTo: time.Millisecond, Calls: 2}, {Calls: 1}},
			}},
		},
		Tools: map[string]agent.ToolCounters{"browser_click": {
			Calls: 2, Failures: map[string]uint64{"timeout": 1}, Timeouts: 1, Terminations: 1, Fallbacks: map[string]uint64{"last_known_page": 1},
			TotalNS: int64(time.Second), Durations: []agent.DurationCount{{UpToMS: 10, Calls: 1}, {Calls: 1}},
		}},
		Audit:      control.AuditStatus{Done: map[string]uint64{"plugin.swap": 2}, Failed: map[string]uint64{"plugin.swap": 1}, Lost: 1},
		MCPServers: []upstream.Status{{Name: "files", Restarts: 1}, {Name: "broken", Error: "it ended"}},
	}
}

func TestMetricsAreThoseOfTheStatus(t *testing.T) {
	code, text := scrape(t, Handler(Registry(&source{status: full()}), slog.New(slog.DiscardHandler)))
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, text)
	}
	for _, want := range []string{
		`hermes_cdp_tasks{state="connected"} 1`, `hermes_cdp_tasks{state="disconnected"} 1`, `hermes_cdp_frames 4`, `hermes_cdp_cdp_sessions 3`,
		`hermes_cdp_pending_dialogs 1`, `hermes_cdp_provider_sessions{provider="browserbase"} 2`, `hermes_cdp_browsers{kind="attached"} 1`,
		`hermes_cdp_dialogs_total{type="alert"} 3`, `hermes_cdp_dialogs_closed_total{closed_by="agent"} 2`,
		`hermes_cdp_dialog_open_seconds_bucket{closed_by="agent",le="0.1"} 1`, `hermes_cdp_dialog_open_seconds_bucket{closed_by="agent",le="5"} 2`,
		`hermes_cdp_dialog_open_seconds_bucket{closed_by="agent",le="+Inf"} 2`, `hermes_cdp_dialog_open_seconds_sum{closed_by="agent"} 1.5`,
		`hermes_cdp_queue_length{queue="held"} 2`, `hermes_cdp_browser_events_total{outcome="dropped"} 7`, `hermes_cdp_reconnects_total{outcome="restored"} 5`,
		`hermes_cdp_hook_calls_total{outcome="decided",plugin="dialog-policy"} 2`, `hermes_cdp_hook_fuel_total{plugin="dialog-policy"} 5000`,
		`hermes_cdp_hook_faults_total{kind="trap",plugin="dialog-policy"} 1`, `hermes_cdp_plugin_generation{plugin="dialog-policy"} 4`,
		`hermes_cdp_hook_duration_seconds_bucket{plugin="dialog-policy",le="0.001"} 2`, `hermes_cdp_hook_duration_seconds_count{plugin="dialog-policy"} 3`,
		`hermes_cdp_plugin_store_bytes{plugin="dialog-policy"} 120`, `hermes_cdp_plugin_store_keys{plugin="dialog-policy"} 7`,
		`hermes_cdp_plugin_store_refused_total{plugin="dialog-policy"} 2`, `hermes_cdp_plugin_store_evicted_total{plugin="dialog-policy"} 1`,
		`hermes_cdp_plugin_store_problem{plugin="dialog-policy"} 1`,
		`hermes_cdp_plugin_outage{plugin="dialog-policy"} 1`, `hermes_cdp_tool_errors_total{code="timeout",tool="browser_click"} 1`,
		`hermes_cdp_tool_terminations_total{tool="browser_click"} 1`, `hermes_cdp_tool_duration_seconds_count{tool="browser_click"} 2`,
		`hermes_cdp_module_calls_total{module="abababababab",plugin="dialog-policy"} 6`, `hermes_cdp_module_calls_total{module="cdcdcdcdcdcd",plugin="dialog-policy"} 1`,
		`hermes_cdp_module_fuel_total{module="abababababab",plugin="dialog-policy"} 3010`, `hermes_cdp_module_busy_seconds_total{module="abababababab",plugin="dialog-policy"} 2`,
		`hermes_cdp_operator_actions_total{action="plugin.swap",outcome="failed"} 1`, `hermes_cdp_audit_lost_total 1`, `hermes_cdp_requests_total{outcome="blocked"} 3`,
		`hermes_cdp_evaluations_total 6`, `hermes_cdp_evaluation_errors_total{code="timeout"} 2`,
		`hermes_cdp_mcp_server_up{server="broken"} 0`, `hermes_cdp_build_info{go_version=`, `hermes_cdp_start_time_seconds 1000`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// promtool is of Debian's package prometheus; make tools installs it.
func TestMetricsAreNamedAsPrometheusWants(t *testing.T) {
	_, text := scrape(t, Handler(Registry(&source{status: full()}), slog.New(slog.DiscardHandler)))
	check := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
	for _, d := range descriptions {
		name := strings.SplitN(d.String(), `"`, 3)[1]
		if !strings.Contains(text, "# TYPE "+name+" ") {
			t.Errorf("%s is in no answer, so that promtool has not seen it", name)
		}
	}
}

// What others name is no label as it is, and no number of names makes more than a bounded number of series.
func TestLabelsAreBounded(t *testing.T) {
	s := full()
	s.Tools = map[string]agent.ToolCounters{"https://page.example/?token=hunter2": {Calls: 1}, "new\nline": {Calls: 1}, "\xff": {Calls: 1}}
	for i := range 1000 {
		s.Tools[fmt.Sprintf("tool_%d", i)] = agent.ToolCounters{Calls: 1, Failures: map[string]uint64{fmt.Sprintf("code_%d", i): 1}}
	}
	s.Tasks[0].ID, s.Tasks[0].URL = "hunter2", "https://hunter2.example"
	s.Plugins[0].Version = `1.0" hunter2`
	from := &source{status: s}
	h := Handler(Registry(from), slog.New(slog.DiscardHandler))
	count := func(text string) (calls int) {
		for line := range strings.Lines(text) {
			var n float64
			if _, value, ok := strings.Cut(line, "} "); ok && strings.HasPrefix(line, "hermes_cdp_tool_calls_total{") {
				if _, err := fmt.Sscan(value, &n); err != nil {
					t.Fatal(err)
				}
				calls += int(n)
			}
		}
		return calls
	}
	code, first := scrape(t, h)
	if code != http.StatusOK || strings.Contains(first, "hunter2") || strings.Contains(first, "code_") {
		t.Errorf("%d: a name of others is a label", code)
	}
	if n := strings.Count(first, "\nhermes_cdp_tool_calls_total{"); n != maxValues+1 {
		t.Errorf("%d tools have series", n)
	}
	if n := count(first); n != 1003 {
		t.Errorf("%d calls are counted", n)
	}
	for name, n := range s.Tools {
		n.Calls++
		s.Tools[name] = n
	}
	_, second := scrape(t, h)
	if n := count(second); n != 2006 {
		t.Errorf("%d calls are counted the second time", n)
	}
	for line := range strings.Lines(first) { // a series that was shown stays, and does not go back
		series, _, ok := strings.Cut(line, " 1\n")
		if ok && strings.HasPrefix(line, "hermes_cdp_tool_calls_total{tool=\"tool") && !strings.Contains(second, series+" 2\n") {
			t.Errorf("%s has not grown by one", series)
		}
	}
}

func TestOnlyMetricsAreServedAlone(t *testing.T) {
	h := Alone(Handler(Registry(&source{status: full()}), slog.New(slog.DiscardHandler)), "metrics.example", slog.New(slog.DiscardHandler))
	for name, c := range map[string]struct {
		method, path, host string
		want               int
	}{
		"an address":      {"GET", Path, "127.0.0.1:9464", 200},
		"another":         {"GET", Path, "[::1]:9464", 200},
		"localhost":       {"HEAD", Path, "localhost:9464", 200},
		"its name":        {"GET", Path, "metrics.example:9464", 200},
		"a rebound name":  {"GET", Path, "evil.example:9464", 403},
		"another path":    {"GET", "/v1/status", "127.0.0.1:9464", 404},
		"another method":  {"POST", Path, "127.0.0.1:9464", 404},
		"a path below it": {"GET", Path + "/x", "127.0.0.1:9464", 404},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		r.Host = c.host
		h.ServeHTTP(w, r)
		if w.Code != c.want || c.want != 200 && strings.Contains(w.Body.String(), "hermes_cdp_") {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

func TestAScrapeThatFailsIsNoEmptyAnswer(t *testing.T) {
	var log strings.Builder
	code, text := scrape(t, Handler(Registry(&source{err: errors.New("nobody answers")}), slog.New(slog.NewTextHandler(&log, nil))))
	if code != http.StatusInternalServerError || !strings.Contains(log.String(), "nobody answers") {
		t.Errorf("%d: %s; logged %s", code, text, log.String())
	}
}
