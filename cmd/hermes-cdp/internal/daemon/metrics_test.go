//go:build unix

package daemon

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// What a dialog of a real page, its answer and a call of a tool add is what the next scrape shows.
func TestMetricsShowWhatHasHappened(t *testing.T) {
	d := start(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	api := d.operator()
	if _, err := api.Connect(ctx, control.ConnectRequest{Task: "mine", Launch: true}); err != nil {
		t.Fatal(err)
	}
	d.answered(ctx, "mine", "void setTimeout(() => confirm('secret text'), 0)", func(open host.Dialog) error {
		_, err := api.RespondDialog(ctx, "mine", control.DialogAnswer{DialogID: open.ID, Accept: true})
		return err
	})
	if code := d.statusOf(operatorsSocket, "", "POST", "/v1/agent/tools/browser_tabs/call?task=mine", "{}"); code != 200 {
		t.Fatalf("the call of a tool: %d", code)
	}
	answer := d.ask(ctx, operatorsSocket, "", "GET", "/metrics", "")
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	text := string(content)
	if err != nil || answer.StatusCode != http.StatusOK || strings.Contains(text, "secret") || strings.Contains(text, "mine") {
		t.Fatalf("%s, %v: %s", answer.Status, err, text)
	}
	for _, want := range []string{
		`hermes_cdp_dialogs_total\{type="confirm"\} 1`, `hermes_cdp_dialogs_closed_total\{closed_by="agent"\} 1`,
		`hermes_cdp_dialog_open_seconds_bucket\{closed_by="agent",le="\+Inf"\} 1`, `hermes_cdp_dialog_open_seconds_sum\{closed_by="agent"\} [0-9.e-]*[1-9]`,
		`hermes_cdp_tool_calls_total\{tool="browser_tabs"\} 1`, `hermes_cdp_tasks\{state="connected"\} 1`, `hermes_cdp_frames [1-9]`,
		`hermes_cdp_cdp_sessions [1-9]`, `hermes_cdp_browsers\{kind="local"\} 1`, `hermes_cdp_browser_memory_bytes [1-9]`,
		`hermes_cdp_hook_calls_total\{outcome="decided",plugin="dialog-policy"\} 1`, `hermes_cdp_hook_fuel_total\{plugin="dialog-policy"\} [1-9]`,
		`hermes_cdp_hook_duration_seconds_count\{plugin="dialog-policy"\} 1`, `hermes_cdp_plugin_generation\{plugin="dialog-policy"\} 1`,
	} {
		if !regexp.MustCompile("(?m)^" + want).MatchString(text) {
			t.Errorf("%s is missing", want)
		}
	}
	check := exec.CommandContext(ctx, "promtool", "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}
