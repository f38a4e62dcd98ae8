//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// opens an asynchronous confirm, so that the eval itself can end.
const laterConfirm = `setTimeout(() => { globalThis.said = confirm("to be\u202e answered") }, 0); 0`

func TestTwoTasksAndTheirClients(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon()
	var wait sync.WaitGroup
	for _, task := range []string{"one", "two"} {
		wait.Go(func() { s.ok("connect", "--task", task, "--launch") })
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
	status := s.status()
	if len(status.Tasks) != 2 || status.Tasks[0].ID != "one" || status.Daemon.PID != d.cmd.Process.Pid || len(status.Plugins) == 0 {
		t.Fatalf("the status is %+v", status)
	}
	if code, message := s.refused(exitFailed, "eval", "1"); code != "ambiguous_task" || !strings.Contains(message, "one, two") {
		t.Errorf("without a task: %s: %s", code, message)
	}
	if code, _ := s.refused(exitFailed, "eval", "1", "--task", "three"); code != "unknown_task" {
		t.Errorf("with a task that there is not: %s", code)
	}

	follower := s.start("events", "--follow", "--json", "--task", "one")
	follower.stderr.next(t, "following")
	_, _, exit := s.run("eval", "--task", "one", laterConfirm)
	if exit != exitOK && exit != exitBlocked {
		t.Fatalf("opening a dialog: exit %d", exit)
	}
	var opened host.Event
	if err := json.Unmarshal([]byte(follower.stdout.next(t, "dialog_opened")), &opened); err != nil || opened.Dialog.Type != "confirm" {
		t.Fatalf("the event is %+v, %v", opened, err)
	}

	t.Run("a dialog holds its own task only", func(t *testing.T) {
		_, errs, exit := s.run("eval", "--task", "one", "1+1")
		if exit != exitBlocked || !strings.Contains(errs, opened.Dialog.ID) || !strings.Contains(errs, `"to be\u202e answered"`) {
			t.Errorf("exit %d: %s", exit, errs)
		}
		if got := strings.TrimSpace(s.ok("eval", "--task", "two", "1+1")); got != "2" {
			t.Errorf("the other task gives %s", got)
		}
	})
	t.Run("it is answered from the shell", func(t *testing.T) {
		if list := get[dialogListJSON](s, "dialog", "list", "--task", "one"); len(list.Pending) != 1 || list.Pending[0].ID != opened.Dialog.ID {
			t.Errorf("listed %+v", list)
		}
		if code, _ := s.refused(exitFailed, "dialog", "accept", "d-99", "--task", "one"); code != "unknown_dialog" {
			t.Errorf("an unknown id: %s", code)
		}
		if closed := get[host.Dialog](s, "dialog", "accept", "--task", "one"); closed.ClosedBy != "agent" || !closed.Accepted {
			t.Errorf("closed as %+v", closed)
		}
		follower.stdout.next(t, "dialog_closed")
		if got := strings.TrimSpace(s.ok("eval", "--task", "one", "said")); got != "true" {
			t.Errorf("the page got %s", got)
		}
	})
	t.Run("it is explained", func(t *testing.T) {
		e := get[host.DialogExplanation](s, "dialog", "explain", opened.Dialog.ID, "--task", "one")
		if len(e.Calls) == 0 || e.Calls[0].SHA256 == "" || len(e.Event) == 0 || len(e.Verdict) == 0 || e.Timings.Closed == nil {
			t.Errorf("explained by %+v", e)
		}
		if out := s.ok("dialog", "explain", opened.Dialog.ID, "--task", "one"); !strings.Contains(out, e.Calls[0].SHA256) || strings.Contains(out, "\u202e") {
			t.Errorf("the text is %s", out)
		}
	})
	t.Run("the next one is answered before it opens", func(t *testing.T) {
		s.ok("dialog", "arm", "accept", "--text", "armed", "--type", "prompt", "--expires", "5m", "--task", "two")
		if got := strings.TrimSpace(s.ok("eval", "--task", "two", "prompt('name?')")); got != `"armed"` {
			t.Errorf("the page got %s", got)
		}
		if code, _ := s.refused(exitUsage, "dialog", "arm", "accept", "--type", "popup", "--task", "two"); code != "dialog_type" {
			t.Errorf("a wrong type: %s", code)
		}
	})
	t.Run("everything else can be looked at", func(t *testing.T) {
		s.ok("eval", "--task", "one", "console.log('a\\u202eb'); 0")
		follower.stdout.next(t, `"console"`)
		if c := get[control.Console](s, "console", "--clear", "--task", "one"); c.Total != 1 || len(c.Messages) != 1 {
			t.Errorf("the console is %+v", c)
		}
		if c := get[control.Console](s, "console", "--task", "one"); len(c.Messages) != 0 {
			t.Errorf("after the clearing it is %+v", c)
		}
		if snapshot := get[host.Snapshot](s, "snapshot", "--task", "one"); snapshot.TaskID != "one" || snapshot.Page() == nil {
			t.Errorf("the snapshot is %+v", snapshot)
		}
		for _, args := range [][]string{{"frames"}, {"frames", "--raw"}} {
			if f := get[framesJSON](s, append(args, "--task", "one")...); len(f.Targets) != 1 || f.Targets[0].FrameTree == nil {
				t.Errorf("%v gives %+v", args, f)
			}
		}
		if f := get[framesExplainedJSON](s, "frames", "--explain", "--task", "one"); len(f.Targets) != 1 || len(f.Targets[0].Calls) == 0 {
			t.Errorf("the frames are explained by %+v", f)
		}
		if list := get[plugincmd.RunningJSON](s, "plugin", "list"); !list.Daemon || !slices.ContainsFunc(list.Plugins, func(p host.PluginInfo) bool { return p.Name == "dialog-policy" && p.Calls > 0 }) {
			t.Errorf("the plugins are %+v", list)
		}
		for _, line := range []string{
			"status", "plugin list", "snapshot --task one", "frames --task one", "frames --explain --task one", "console --task one", "dialog list --task one",
		} {
			if out := s.ok(strings.Fields(line)...); strings.ContainsRune(out, '\u202e') {
				t.Errorf("%s shows what turns the writing around: %q", line, out)
			}
		}
		if c := s.status().Counters; c.Dialogs.ByType["confirm"] != 1 || c.Dialogs.ByType["prompt"] != 1 || c.Dialogs.ByClosedBy["agent"] != 2 {
			t.Errorf("the counters are %+v", c)
		}
	})
	t.Run("a client that is killed harms nobody", func(t *testing.T) {
		follower := s.start("events", "--follow", "--task", "two")
		follower.stderr.next(t, "following")
		waiter := s.start("eval", "--task", "two", "console.log('started'); new Promise(() => {})", "--timeout", "10m")
		follower.stdout.next(t, "started")
		waiter.end(syscall.SIGKILL)
		follower.end(syscall.SIGKILL)
		if got := strings.TrimSpace(s.ok("eval", "--task", "two", "2+2")); got != "4" {
			t.Errorf("afterwards an eval gives %s", got)
		}
	})
	t.Run("an eval that takes too long has an exit code of its own", func(t *testing.T) {
		if code, _ := s.refused(exitTimeout, "eval", "--task", "two", "new Promise(() => {})", "--timeout", "100ms"); code != "timeout" {
			t.Errorf("the code is %s", code)
		}
	})
	t.Run("a follower ends with SIGINT", func(t *testing.T) {
		p := s.start("events", "--follow", "--task", "two")
		p.stderr.next(t, "following")
		if exit := p.end(os.Interrupt); exit != exitOK {
			t.Errorf("exit %d", exit)
		}
	})
	t.Run("a task ends", func(t *testing.T) {
		s.ok("disconnect", "two")
		if status := s.status(); len(status.Tasks) != 1 || status.Counters.Dialogs.ByType["prompt"] != 1 {
			t.Errorf("the status is %+v", status)
		}
		s.ok("eval", "1") // the only task left needs no name
	})
	s.run("eval", "--task", "one", laterConfirm)
	follower.stdout.next(t, "dialog_opened")
	if n := len(s.processes()); runtime.GOOS == "linux" && n < 3 {
		t.Errorf("%d processes have the mark: those of the browser are not seen, so what is left of it would not be", n)
	}
	s.leavesNothing(d, at, syscall.SIGTERM) // with a dialog open
	if exit := follower.wait(); exit != exitOK {
		t.Errorf("the follower ended with %d", exit)
	}
}

func TestADaemonReloadsItsConfiguration(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, "config.yaml")
	configure := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	configure("log: {level: info}\n")
	d, at := s.startDaemon("--config", file)
	hangUp := func(text, line string) control.ConfigStatus {
		t.Helper()
		configure(text)
		if err := d.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		d.stderr.next(t, line)
		return s.status().Daemon.Config
	}
	if c := hangUp("log: {level: loud}\n", "the configuration cannot be used"); !strings.Contains(c.Error, "loud") {
		t.Errorf("a bad configuration: %+v", c)
	}
	if c := hangUp("log: {level: info}\nbrowser: {dialog_policy: auto_accept}\nplugin_cache_dir: elsewhere\n", "read again"); c.Error != "" ||
		len(c.NeedRestart) != 1 || c.NeedRestart[0] != "plugin_cache_dir" {
		t.Errorf("a good configuration: %+v", c)
	}
	s.ok("connect", "--launch") // with the policy that was just configured
	if got := strings.TrimSpace(s.ok("eval", "confirm('well?')")); got != "true" {
		t.Errorf("the page got %s", got)
	}
	s.leavesNothing(d, at, syscall.SIGINT)
}

func TestOneDaemonForASocket(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon("--set", "control.address=127.0.0.1:0")
	if code, _ := s.refused(exitFailed, "run"); code != "daemon_running" {
		t.Errorf("a second daemon: %s", code)
	}
	if status := get[control.Status](s, "status", "--set", "control.address="+at.Address); status.Daemon.PID != d.cmd.Process.Pid {
		t.Errorf("by HTTP: %+v", status)
	}
	d.end(syscall.SIGKILL)
	if _, err := os.Stat(at.Socket); err != nil {
		t.Fatalf("a daemon that was killed leaves its socket: %v", err)
	}
	if code, _ := s.refused(exitUnreachable, "status"); code != "no_daemon" {
		t.Errorf("a dead daemon: %s", code)
	}
	again, at := s.startDaemon()
	s.ok("status")
	s.leavesNothing(again, at, syscall.SIGTERM)
}
