//go:build unix

package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Each thing that matters is one line of JSON with what it is about, and no text of a page.
func TestWhatMattersIsALine(t *testing.T) {
	trap, err := filepath.Abs("../../../../host/internal/e2e/testdata/trap_later.wasm")
	if err != nil {
		t.Fatal(err)
	}
	o, file := optionsOf(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\nplugins: {faulty: {path: '"+trap+"', hooks: [dialog-closed], extra_hooks: ignore}}\n")
	var log lines
	o.Logger = slog.New(logs.NewHandler(&log, true, o.Levels))
	d := startWith(t, o, file)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	api := d.operator()
	if _, err := api.Connect(ctx, control.ConnectRequest{Task: "mine", Launch: true}); err != nil {
		t.Fatal(err)
	}
	d.answered(ctx, "mine", "void setTimeout(() => confirm('page text'), 0)", func(open host.Dialog) error {
		_, err := api.RespondDialog(ctx, "mine", control.DialogAnswer{DialogID: open.ID})
		return err
	})
	if code := d.statusOf(operatorsSocket, "", "POST", "/v1/agent/tools/browser_click/call?task=mine", `{"ref":"e99999"}`); code != http.StatusOK {
		t.Errorf("the call of a tool: %d", code)
	}
	if _, err := api.SwapPlugin(ctx, "dialog-policy", host.PluginChange{Config: map[string]any{"policy": "auto_accept"}, PluginSource: host.PluginSource{Path: shippedPolicy(t)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.Disconnect(ctx, "mine"); err != nil {
		t.Fatal(err)
	}
	d.end()
	found := map[string]map[string]any{}
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		found[fields["msg"].(string)] = fields
	}
	for message, want := range map[string]map[string]any{
		"the task began":    {"task": "mine", "level": "INFO"},
		"dialog opened":     {"task": "mine", "dialog": "d-1", "type": "confirm"},
		"dialog closed":     {"task": "mine", "dialog": "d-1", "plugin": "dialog-policy", "generation": 1.0, "closed_by": "agent"},
		"plugin fault":      {"task": "mine", "dialog": "d-1", "plugin": "faulty", "generation": 1.0, "level": "WARN"},
		"a call failed":     {"task": "mine", "tool": "browser_click", "code": "unknown_ref"},
		"plugin in service": {"plugin": "dialog-policy", "generation": 2.0},
		"operator action":   {"action": "task.end", "task": "mine", "outcome": "done"},
		"the task ended":    {"task": "mine"},
	} {
		for key, value := range want {
			if got := found[message][key]; got != value {
				t.Errorf("%q has %s=%v, want %v: %v", message, key, got, value, found[message])
			}
		}
	}
	if strings.Contains(log.String(), "page text") {
		t.Error("a text of a page is in the log")
	}
}

func shippedPolicy(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("../../../../plugins/dist/dialog-policy.wasm")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheOperatorChangesLevelsWhileItRuns(t *testing.T) {
	o, file := optionsOf(t, "log: {level: warn}\n")
	var log lines
	o.Logger = slog.New(logs.NewHandler(&log, false, o.Levels))
	d := startWith(t, o, file)
	api := d.operator()
	action := func() {
		t.Helper()
		if _, err := api.RollbackPlugin(t.Context(), "nothing", ""); !errors.Is(err, host.ErrUnknownPlugin) {
			t.Error(err)
		}
	}
	action()
	set, err := api.SetLogLevels(t.Context(), logs.Setting{Packages: map[string]string{"audit": "info"}})
	if err != nil || set.Level != "warn" || set.Packages["audit"] != "info" {
		t.Errorf("%+v, %v", set, err)
	}
	action()
	if n := strings.Count(log.String(), "action=plugin.rollback"); n != 1 {
		t.Errorf("%d of two actions are logged: %s", n, log.String())
	}
	if strings.Contains(log.String(), "level=INFO msg=\"the daemon") {
		t.Errorf("other packages log, too: %s", log.String())
	}
	if _, err := api.SetLogLevels(t.Context(), logs.Setting{Level: "loud"}); !errors.Is(err, fault.ErrBadRequest) {
		t.Errorf("a level that is not there: %v", err)
	}
	if got, err := api.LogLevels(t.Context()); err != nil || got.Packages["audit"] != "info" {
		t.Errorf("%+v, %v", got, err)
	}
	list := d.audited(audit.Filter{Action: "log"})
	if len(list) != 2 || list[0].Action != "log.level" || list[0].Outcome != audit.Done || list[1].Code != "bad_request" {
		t.Errorf("the record has %+v", list)
	}
	d.hangUp("log: {level: warn, levels: [engine=debug]}\n")
	if got, err := api.LogLevels(t.Context()); err != nil || got.Packages["audit"] != "" || got.Packages["engine"] != "debug" {
		t.Errorf("after a reload: %+v, %v", got, err)
	}
}
