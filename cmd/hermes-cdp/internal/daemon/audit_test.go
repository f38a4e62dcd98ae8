//go:build unix

package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// audited is what the daemon says that operators did.
func (d *running) audited(f audit.Filter) []audit.Entry {
	d.t.Helper()
	list, err := audit.Read(d.t.Context(), d.operator(), f)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// answered opens a dialog in a task's page and has it answered, from when it is open.
func (d *running) answered(ctx context.Context, task, script string, answer func(host.Dialog) error) {
	d.t.Helper()
	api := d.operator()
	done, began := make(chan error, 1), make(chan struct{})
	go func() {
		watching, stop := context.WithCancel(ctx)
		defer stop()
		done <- api.Events(watching, task, func() { close(began) }, func(e host.Event) error {
			switch e.Kind {
			case host.EventDialogOpened:
				return answer(*e.Dialog)
			case host.EventDialogClosed:
				return io.EOF
			}
			return nil
		})
	}()
	<-began
	_, err := api.Evaluate(ctx, task, control.EvaluateRequest{Expression: script})
	if err != nil && !errors.Is(err, fault.ErrBlockedByDialog) { // it may open before the script is said to end
		d.t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, io.EOF) {
		d.t.Fatal(err)
	}
}

func TestWhatOperatorsDoIsRecorded(t *testing.T) {
	d := start(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	api := d.operator()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(api.Connect(ctx, control.ConnectRequest{Task: "mine", Launch: true}))
	text := "hunter2"
	d.answered(ctx, "mine", "void setTimeout(() => prompt('page text'), 0)", func(open host.Dialog) error {
		_, err := api.RespondDialog(ctx, "mine", control.DialogAnswer{DialogID: open.ID, Accept: true, PromptText: &text})
		return err
	})
	d.answered(ctx, "mine", "void setTimeout(() => confirm('page text'), 0)", func(host.Dialog) error {
		if code := d.statusOf(operatorsSocket, "", "POST", "/v1/agent/tools/browser_dialog/call?task=mine", `{"action":"dismiss"}`); code != http.StatusOK {
			t.Errorf("the answer by the tool: %d", code)
		}
		return nil
	})
	agents := d.token("shopper", []string{"browser"}, "mine")
	d.answered(ctx, "mine", "void setTimeout(() => confirm('page text'), 0)", func(host.Dialog) error {
		if code := d.statusOf(agentsSocket, agents, "POST", "/v1/agent/tools/browser_dialog/call?task=mine", `{"action":"dismiss"}`); code != http.StatusOK {
			t.Errorf("the answer of the agent: %d", code)
		}
		return nil
	})
	must(api.TakeOver(ctx, "mine"))
	must(api.GiveBack(ctx, "mine", "a note with hunter2"))
	module, err := filepath.Abs("../../../../plugins/dist/dialog-policy.wasm")
	must(module, err)
	change := host.PluginChange{PluginSource: host.PluginSource{Path: module}, Config: map[string]any{"policy": "auto_accept"}, Reason: "a better one"}
	must(api.ShadowPlugin(ctx, "dialog-policy", change))
	must(api.DropPlugin(ctx, "dialog-policy"))
	must(api.SwapPlugin(ctx, "dialog-policy", change))
	must(api.RollbackPlugin(ctx, "dialog-policy", "not better"))
	if _, err := api.SwapPlugin(ctx, "dialog-policy", host.PluginChange{PluginSource: host.PluginSource{Path: "/no/such.wasm"}}); err == nil {
		t.Error("a module that is not there is swapped in")
	}
	must(api.Reload(ctx))
	must(api.RevokeToken(ctx, "shopper"))
	d.hangUp("log: {level: loud}\n") // which signals twice
	must(api.Reload(ctx))            // once both are done with
	token, err := control.ReadToken(d.at.TokenFile)
	must(token, err)
	byPort := control.NewClient(d.at.Address, token)
	defer byPort.Close()
	must(byPort.NewLiveLink(ctx))

	got := d.audited(audit.Filter{})
	var lines []string
	for _, e := range got {
		if e.Action == "page.evaluate" && e.Code == string(fault.ErrBlockedByDialog) {
			e.Outcome, e.Code = audit.Done, ""
		}
		lines = append(lines, strings.Join([]string{e.Action, e.Task + e.Plugin, e.Outcome, e.Code}, " "))
	}
	want := []string{
		"task.start mine done ", "page.evaluate mine done ", "dialog.answer mine done ", "page.evaluate mine done ", "dialog.answer mine done ",
		"token.new  done ", "page.evaluate mine done ", "task.takeover mine done ", "task.give_back mine done ", "plugin.shadow dialog-policy done ",
		"plugin.drop dialog-policy done ", "plugin.swap dialog-policy done ", "plugin.rollback dialog-policy done ", "plugin.swap dialog-policy failed plugin_refused",
		"config.reload  done ", "token.revoke  done ", "config.reload  failed degraded", "config.reload  failed degraded", "config.reload  failed degraded", "live.link  done ",
	}
	slices.Sort(want) // a command may end before the event of what it did comes
	sorted := slices.Sorted(slices.Values(lines))
	if !slices.Equal(sorted, want) {
		t.Errorf("the record has\n%s\nwant\n%s", strings.Join(sorted, "\n"), strings.Join(want, "\n"))
	}
	me, err := user.Current()
	must(me, err)
	for _, e := range got {
		vias := map[string]string{"live.link": "address", "config.reload": "signal"}
		switch {
		case e.Via == "socket" && runtime.GOOS == "linux" && (e.Who != me.Username || e.PID != os.Getpid()):
			t.Errorf("by the socket %s, pid %d has done %s", e.Who, e.PID, e.Action)
		case e.Via != "socket" && e.Via != vias[e.Action]:
			t.Errorf("%s came by %s", e.Action, e.Via)
		}
	}
	if s := d.audited(audit.Filter{Action: "plugin", Max: 1}); len(s) != 1 || s[0].Action != "plugin.swap" || s[0].Outcome != audit.Failed || s[0].Error == "" {
		t.Errorf("the last of plugins is %+v", s)
	}
	file := filepath.Join(filepath.Dir(d.file), "audit", "audit.jsonl")
	content, err := os.ReadFile(file)
	must(content, err)
	for _, secret := range []string{"hunter2", "page text", agents} {
		if strings.Contains(string(content), secret) {
			t.Errorf("%q is in the record", secret)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the record has the mode %v, %v", info.Mode(), err)
	}
	if n := d.status(api).Audit; n.Done["plugin.swap"] != 1 || n.Failed["plugin.swap"] != 1 || n.Lost != 0 || n.Problem != "" {
		t.Errorf("the status has %+v", n)
	}
}

// A swap that a change of a file has caused is nobody's command, and is recorded as well.
func TestASwapByAFileIsRecorded(t *testing.T) {
	shipped, err := os.ReadFile("../../../../plugins/dist/dialog-policy.wasm")
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("../../../../plugins/examples/dist/dialog-memory.wasm")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "policy.wasm")
	put := func(content []byte) {
		if err := errors.Join(os.WriteFile(file+".new", content, 0o600), os.Rename(file+".new", file)); err != nil {
			t.Fatal(err)
		}
	}
	put(shipped)
	d := start(t, "plugins: {dialog-policy: {path: "+file+"}}\n")
	put(other)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if list := d.audited(audit.Filter{Action: "plugin.swap"}); len(list) > 0 {
			if e := list[0]; e.Who != "daemon" || e.Via != "file" || e.Outcome != audit.Done || e.Details["generation"] != 2.0 {
				t.Errorf("the record is %+v", e)
			}
			return
		}
		<-tick.C
	}
}

func TestARecordThatCannotBeWrittenIsSaid(t *testing.T) {
	d := start(t, "")
	dir := filepath.Join(filepath.Dir(d.file), "audit")
	if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	api := d.operator()
	if _, err := api.NewToken(t.Context(), access.Request{Name: "a", Tasks: []string{"a"}, Toolsets: []string{"all"}}); err != nil {
		t.Errorf("the action itself fails: %v", err)
	}
	s := d.status(api)
	if s.Audit.Lost != 1 || s.Audit.Problem == "" || !slices.ContainsFunc(s.Deviations(), func(r string) bool { return strings.Contains(r, "operator actions cannot be recorded") }) {
		text, _ := json.Marshal(s.Audit)
		t.Errorf("the status has %s and %v", text, s.Deviations())
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := api.RevokeToken(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if s := d.status(api); s.Audit.Problem != "" || s.Audit.Lost != 1 || len(d.audited(audit.Filter{})) != 1 {
		t.Errorf("once it can be written again: %+v", s.Audit)
	}
}

func TestARecordThatIsOffIsEmpty(t *testing.T) {
	o, file := optionsOf(t, "")
	off := false
	o.Config.Audit.Enabled = &off
	d := startWith(t, o, file)
	d.token("a", []string{"all"}, "a")
	if list := d.audited(audit.Filter{}); len(list) > 0 {
		t.Errorf("the record has %+v", list)
	}
}
