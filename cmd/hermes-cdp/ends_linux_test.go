package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
)

// ending is a way in which a browser, or the process that has it, ends.
type ending struct {
	name string
	end  func(t *testing.T, w *endings)
	// crashed says that the process could clean up nothing: what ends its remains is then, in turn, the watcher of the
	// profile, the next start, and hermes-cdp reap.
	crashed bool
}

func signalled(s syscall.Signal) func(t *testing.T, w *endings) {
	return func(_ *testing.T, w *endings) { w.daemon.end(s) }
}

func commanded(args ...string) func(t *testing.T, w *endings) {
	return func(_ *testing.T, w *endings) { w.ok(args...) }
}

// An unrecovered panic ends a Go program as SIGABRT does: with a traceback, and without any deferred call.
var everyEnding = []ending{
	{name: "disconnect", end: commanded("disconnect")},
	{name: "browser_close", end: commanded("browser", "close")},
	{name: "SIGINT", end: signalled(syscall.SIGINT)},
	{name: "SIGTERM", end: signalled(syscall.SIGTERM)},
	{name: "a crash of the host", end: signalled(syscall.SIGABRT), crashed: true},
	{name: "SIGKILL", end: signalled(syscall.SIGKILL), crashed: true},
}

// endings is a daemon that ends, and where it leaves what it leaves.
type endings struct {
	*shell
	daemon *process
	args   []string
}

// profiles lists the temporary profiles.
func (w *endings) profiles() []string {
	list, _ := filepath.Glob(filepath.Join(w.dir, "tmp", "hermes-cdp-profile-*"))
	return list
}

// awaitGone waits until no process, temporary profile or lease is left but those of a daemon that goes on.
func (w *endings) awaitGone(t *testing.T) {
	t.Helper()
	gone := func() bool {
		leases, _ := filepath.Glob(filepath.Join(w.dir, ".local", "state", "hermes-cdp", "leases", "*"))
		for _, line := range w.processes() {
			if !strings.HasPrefix(line, w.binary+" run") {
				return false
			}
		}
		if w.daemon.cmd.ProcessState == nil {
			leases = nil // it keeps its journal, in which the lease is over
		}
		return len(w.profiles()) == 0 && len(leases) == 0
	}
	if !until(gone) {
		t.Fatalf("left are the processes %q, the profiles %q", w.processes(), w.profiles())
	}
}

// until looks again and again, as nobody tells of the end of a process that is not a child; false: in vain.
func until(condition func() bool) bool {
	tick, limit := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-limit:
			return false
		}
	}
	return true
}

// killWatchers ends the watchers of profiles, as whoever kills everything would.
func (w *endings) killWatchers() {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, _ := os.ReadFile(file)
		if strings.HasPrefix(string(line), "hermes-cdp-profile-watcher\x00"+w.dir) {
			var pid int
			if err := json.Unmarshal([]byte(filepath.Base(filepath.Dir(file))), &pid); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

func newEndings(t *testing.T, s *shell, connect string, args ...string) *endings {
	t.Helper()
	if err := os.Mkdir(filepath.Join(s.dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "TMPDIR="+filepath.Join(s.dir, "tmp"))
	w := &endings{shell: s, args: append([]string{"run"}, args...)}
	w.daemon = s.start(w.args...)
	w.daemon.stdout.next(t, "ready at")
	s.ok(strings.Fields(connect)...)
	return w
}

func psOf(s *shell) []host.BrowserInfo { return get[psJSON](s, "ps", "--json").Browsers }

func reapedBy(s *shell, args ...string) []host.Reaped {
	return get[reapJSON](s, append([]string{"reap", "--json"}, args...)...).Reaped
}

// However a browser or its host ends, the processes of a local browser and its profile are gone.
func TestNoEndLeavesALocalBrowser(t *testing.T) {
	browser := "browser.executable=" + hosttest.Executable(t)
	for _, e := range everyEnding {
		t.Run(e.name, func(t *testing.T) {
			w := newEndings(t, newShell(t), "connect --launch", "--set", browser, "--set", "browser.record_sessions=true")
			list := psOf(w.shell)
			if len(list) != 1 || list[0].PID == 0 || list[0].HostPID != w.daemon.cmd.Process.Pid || len(list[0].Tasks) != 1 || list[0].Tasks[0].ID != "default" ||
				list[0].Processes < 2 || list[0].Memory < 50<<20 || !list[0].Temporary || list[0].Left || list[0].Age() <= 0 {
				t.Fatalf("ps shows %+v", list)
			}
			if got := reapedBy(w.shell); len(got) != 0 {
				t.Fatalf("reap ended what a living host has: %+v", got)
			}
			e.end(t, w)
			w.awaitGone(t)
			if list := psOf(w.shell); len(list) != 0 {
				t.Errorf("ps still shows %+v", list)
			}
		})
	}
}

// Without its watcher the profile of a killed host stays until the next start of a browser, or hermes-cdp reap.
func TestWhatAKilledHostLeftIsReaped(t *testing.T) {
	browser := "browser.executable=" + hosttest.Executable(t)
	left := func(t *testing.T) *endings {
		t.Helper()
		w := newEndings(t, newShell(t), "connect --launch", "--set", browser)
		w.ok("record", "start")
		w.ok("browser", "navigate", "data:text/html,<h1>recorded")
		w.killWatchers()
		w.daemon.end(syscall.SIGKILL)
		if !until(func() bool { return len(w.processes()) == 0 }) { // the browser ends with its pipe
			t.Fatalf("the processes %q are left", w.processes())
		}
		if list := psOf(w.shell); len(list) != 1 || !list[0].Left || list[0].HostPID != w.daemon.cmd.Process.Pid || list[0].For != "the task default" {
			t.Fatalf("ps shows %+v", list)
		}
		return w
	}
	t.Run("by the next start", func(t *testing.T) {
		w := left(t)
		next := w.start(w.args...)
		next.stdout.next(t, "ready at")
		w.ok("connect", "--launch")
		if got := w.profiles(); len(got) != 1 {
			t.Errorf("the profiles are %v", got)
		}
		next.end(syscall.SIGTERM)
		w.awaitGone(t)
	})
	t.Run("by hermes-cdp doctor", func(t *testing.T) {
		w := left(t)
		// It starts no browser, which would do the same.
		args := []string{"doctor", "--set", "browser.cdp_url=127.0.0.1:1"}
		if out := w.ok(args...); !strings.Contains(out, "warn  leftovers: hosts that are gone have left 1 profile, 1 recording") ||
			!strings.Contains(out, "fix: run: hermes-cdp reap (hermes-cdp doctor --fix does it)") {
			t.Errorf("it says %s", out)
		}
		if out := w.ok(append(args, "--fix")...); !strings.Contains(out, "fixed  leftovers: ended 3\n") || !strings.Contains(out, "ok    leftovers") {
			t.Errorf("then it says %s", out)
		}
		w.awaitGone(t)
	})
	t.Run("by hermes-cdp reap", func(t *testing.T) {
		w := left(t)
		profile := w.profiles()[0]
		kinds := func(list []host.Reaped, done bool) (text string) {
			for _, r := range list {
				if r.Done != done || r.Error != "" {
					t.Errorf("it is %+v", r)
				}
				text += string(r.Kind) + " "
			}
			return text
		}
		for range 2 {
			if got := kinds(reapedBy(w.shell, "--dry-run"), false); got != "profile downloads recording " {
				t.Errorf("a dry run says %s", got)
			}
		}
		if out := w.ok("reap"); !strings.Contains(out, "removed the profile "+profile) || !strings.Contains(out, "completed the recording") {
			t.Errorf("reap says %s", out)
		}
		w.awaitGone(t)
		if out := w.ok("recordings", "list"); !strings.Contains(out, "finished") {
			t.Errorf("the recordings are %s", out)
		}
		if out := w.ok("reap"); out != "nothing is left\n" {
			t.Errorf("then it says %s", out)
		}
	})
}

// However the host ends, a rented session is released: at once, or by the next start, or by hermes-cdp reap.
func TestNoEndLeavesARentedBrowser(t *testing.T) {
	expiry := ending{name: "the end of the session", end: func(t *testing.T, w *endings) { // which the service says
		w.daemon.stderr.next(t, "was released")
	}}
	for _, e := range append(everyEnding, expiry) {
		t.Run(e.name, func(t *testing.T) {
			service := providertest.New(t, hosttest.Browser(t, hosttest.WithPort()).WebSocketURL())
			w := newEndings(t, rents(t, service), "connect")
			if list := psOf(w.shell); len(list) != 1 || list[0].Provider != "browserbase" || list[0].SessionID != service.Running()[0] || len(list[0].Tasks) != 1 {
				t.Fatalf("ps shows %+v", list)
			}
			if e.name == expiry.name {
				service.End()
			}
			e.end(t, w)
			if e.crashed {
				if running := service.Running(); len(running) != 1 {
					t.Fatalf("the service runs %v", running)
				}
				for _, dry := range []bool{true, false} {
					args := []string{"--dry-run"}[:map[bool]int{true: 1, false: 0}[dry]]
					got := slices.DeleteFunc(reapedBy(w.shell, args...), func(r host.Reaped) bool { return r.Kind == host.ReapedDownloads })
					if len(got) != 1 || got[0].Kind != host.ReapedSession || got[0].Done == dry || got[0].Error != "" || len(service.Running()) != map[bool]int{true: 1, false: 0}[dry] {
						t.Errorf("reap ended %+v, the service runs %v", got, service.Running())
					}
				}
			}
			service.Await(func() bool { return len(service.Running()) == 0 })
			w.awaitGone(t)
		})
	}
}
