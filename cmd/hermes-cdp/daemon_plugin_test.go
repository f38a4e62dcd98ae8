//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// configure writes the configuration of the shell's daemon.
func (s *shell) configure(text string) (file string) {
	s.t.Helper()
	file = filepath.Join(s.dir, "config.yaml")
	writeFile(s.t, file, []byte(text))
	return file
}

// replace puts a module in the place of a file at once, as a careful build does.
func (s *shell) replace(file string, wasm []byte) {
	s.t.Helper()
	writeFile(s.t, file+".new", wasm)
	if err := os.Rename(file+".new", file); err != nil {
		s.t.Fatal(err)
	}
}

// history is what the daemon remembers of a plugin, newest first.
func (s *shell) history(name string) []host.PluginGeneration {
	s.t.Helper()
	return get[plugincmd.HistoryJSON](s, "plugin", "history", name).Generations
}

// newest is the newest generation of a plugin in short.
func (s *shell) newest(name string) string {
	s.t.Helper()
	g := s.history(name)[0]
	return strings.Join([]string{g.State, g.Trigger, filepath.Base(g.Source)}, " ")
}

func (s *shell) info(name string) host.PluginInfo {
	s.t.Helper()
	list := s.status().Plugins
	i := slices.IndexFunc(list, func(p host.PluginInfo) bool { return p.Name == name })
	if i < 0 {
		s.t.Fatalf("there is no plugin %s in %+v", name, list)
	}
	return list[i]
}

func (s *shell) problems() map[string]string {
	s.t.Helper()
	return s.status().Daemon.Config.PluginProblems
}

func TestAPluginFollowsItsFile(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, "mine.wasm")
	accepts, abstains := readFixture(t, "dialog_only"), readFixture(t, "abstain")
	s.replace(file, abstains)
	d, at := s.startDaemon("--config", s.configure("plugins: {mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm}}"))

	s.replace(file, accepts)
	d.stderr.next(t, "trigger=file")
	if list := s.history("mine"); len(list) != 2 || list[0].State != "serving" || list[0].Trigger != "file" || list[0].SHA256 == list[1].SHA256 {
		t.Errorf("after a rename the history is %+v", list)
	}
	serving := s.info("mine").SHA256

	writeFile(t, file, abstains[:len(abstains)/2])
	d.stderr.next(t, "plugin refused")
	if list := s.history("mine"); list[0].State != "refused" || !strings.Contains(list[0].Error, "step parse") {
		t.Errorf("half of a module: the history is %+v", list)
	}
	if p := s.info("mine"); p.SHA256 != serving || p.State != "serving" {
		t.Errorf("half of a module is in service: %+v", p)
	}
	if problem := s.problems()["mine"]; !strings.Contains(problem, "step parse") {
		t.Errorf("the problem is %q", problem)
	}
	out, errs, exit := s.run("status")
	if !strings.Contains(out, "plugin mine is not as configured") || !strings.Contains(errs, "plugin mine is not the configured one") || exit != exitDegraded {
		t.Errorf("exit %d, the status is\n%s%s", exit, out, errs)
	}

	writeFile(t, file, abstains)
	d.stderr.next(t, "plugin in service")
	if p := s.info("mine"); p.SHA256 == serving || len(s.problems()) > 0 {
		t.Errorf("the whole module: %+v", p)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}

// A ConfigMap is mounted as links into a directory that is replaced by the rename of a link.
func TestAPluginOfAConfigMapIsSwapped(t *testing.T) {
	s := newShell(t)
	mount := filepath.Join(s.dir, "mount")
	writeFile(t, filepath.Join(mount, "..1", "mine.wasm"), readFixture(t, "abstain"))
	writeFile(t, filepath.Join(mount, "..2", "mine.wasm"), readFixture(t, "dialog_only"))
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(mount, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("..1", "..data")
	link("..data/mine.wasm", "mine.wasm")
	d, at := s.startDaemon("--set", "plugins.mine.path="+filepath.Join(mount, "mine.wasm"), "--set", "plugins.mine.hooks=dialog", "--set", "plugins.mine.extra_hooks=ignore")
	link("..2", "..data_tmp")
	if err := os.Rename(filepath.Join(mount, "..data_tmp"), filepath.Join(mount, "..data")); err != nil {
		t.Fatal(err)
	}
	d.stderr.next(t, "trigger=file")
	if list := s.history("mine"); len(list) != 2 || list[0].State != "serving" {
		t.Errorf("the history is %+v", list)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}

func TestPluginsFollowTheConfiguration(t *testing.T) {
	s := newShell(t)
	s.replace(filepath.Join(s.dir, "mine.wasm"), readFixture(t, "abstain"))
	d, at := s.startDaemon("--config", s.configure("plugin_watch: false"))
	hangUp := func(text string) control.ConfigStatus {
		t.Helper()
		s.configure("plugin_watch: false\n" + text)
		if err := d.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		d.stderr.next(t, "read again")
		return s.status().Daemon.Config
	}
	before := s.info("dialog-policy")

	c := hangUp("plugins: {dialog-policy: {config: {policy: auto_dismiss}}, mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm, priority: 5}}")
	after := s.info("dialog-policy")
	if len(c.NeedRestart) > 0 || len(c.PluginProblems) > 0 || after.ConfigHash == before.ConfigHash || after.SHA256 != before.SHA256 || after.Generation != 2 {
		t.Errorf("another configuration: %+v, %+v", c, after)
	}
	if first := s.status().Plugins[0]; first.Name != "mine" || first.Generation != 1 {
		t.Errorf("the first to be asked is %+v", first)
	}

	c = hangUp("plugins: {dialog-policy: {config: {policy: whatever}}, mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm}}")
	if p := s.info("dialog-policy"); p.Generation != after.Generation || p.ConfigHash != after.ConfigHash {
		t.Errorf("a configuration that the module's schema does not allow is in service: %+v", p)
	}
	if problem := c.PluginProblems["dialog-policy"]; len(c.PluginProblems) != 1 || !strings.Contains(problem, "step config") {
		t.Errorf("the problems are %v", c.PluginProblems)
	}
	if got := s.newest("dialog-policy"); got != "refused reload shipped" {
		t.Errorf("the newest is %s", got)
	}

	s.replace(filepath.Join(s.dir, "mine.wasm"), readFixture(t, "dialog_only"))
	c = hangUp("plugins: {mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm}}")
	if p := s.info("dialog-policy"); len(c.PluginProblems) > 0 || p.ConfigHash != before.ConfigHash {
		t.Errorf("the shipped one with its defaults again: %+v, %+v", c, p)
	}
	if got := s.newest("mine"); got != "serving reload mine.wasm" {
		t.Errorf("a file that is not watched: %s", got)
	}

	hangUp("")
	if code, _ := s.refused(exitFailed, "plugin", "history", "mine"); code != "unknown_plugin" {
		t.Errorf("a plugin that is no longer configured: %s", code)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}

// The configuration is as it was, and what it names is not: SIGHUP takes nothing out of service, and status tells until
// it is fixed.
func TestAPluginFileThatAReloadRefusesShowsInTheExitCodeOfStatus(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, "mine.wasm")
	good := readFixture(t, "dialog_only")
	s.replace(file, good)
	one := "plugin_watch: false\nplugins: {mine: {hooks: [dialog], path: mine.wasm}"
	d, at := s.startDaemon("--config", s.configure(one+"}"))
	serving := s.info("mine")
	wantStatus := func(exit int, stderr string) {
		t.Helper()
		if _, errs, got := s.run("status"); got != exit || !strings.Contains(errs, stderr) || (stderr == "") != (errs == "") {
			t.Errorf("status ends with %d, want %d, and says %q, want %q", got, exit, errs, stderr)
		}
		if p := s.info("mine"); p.Generation < serving.Generation || p.SHA256 != serving.SHA256 || p.State != "serving" {
			t.Errorf("in service is %+v, which is not what was: %+v", p, serving)
		}
	}
	hangUp := func(exit int, stderr string) {
		t.Helper()
		if err := d.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		d.stderr.next(t, "read again")
		wantStatus(exit, stderr)
	}
	wantStatus(exitOK, "")

	s.replace(file, good[:len(good)/2])
	wantStatus(exitOK, "") // nobody has looked at it
	hangUp(exitDegraded, "plugin mine is not the configured one")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	hangUp(exitDegraded, "plugin mine is not the configured one")
	s.replace(file, good)
	hangUp(exitOK, "")

	writeFile(t, filepath.Join(s.dir, "other.wasm"), []byte("no module"))
	s.configure(one + ", other: {hooks: [dialog], path: other.wasm}}")
	hangUp(exitDegraded, "plugin other is not the configured one")
	s.configure(one + "}")
	hangUp(exitOK, "")
	s.leavesNothing(d, at, syscall.SIGTERM)
}

func TestTheLifeOfAPluginFromTheShell(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon("--launch", "--set", "plugins.dialog-policy.config.policy=auto_dismiss", "--log-level", "info")
	asks := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(s.ok("eval", "confirm('well?')")); got != want {
			t.Errorf("the page got %s, want %s", got, want)
		}
	}
	module := filepath.Join(fixtures, "dialog_only.wasm") // a relative path: the daemon could be anywhere
	asks("false")

	g := get[host.PluginGeneration](s, "plugin", "swap", "dialog-policy", module, "--config-json", "{}", "--reason", "to accept")
	if g.Number != 2 || g.State != "serving" || g.Trigger != "command" || g.Reason != "to accept" || !filepath.IsAbs(g.Source) || g.Differences == 0 {
		t.Errorf("swapped to %+v", g)
	}
	asks("true")
	if out := s.ok("plugin", "rollback", "dialog-policy", "--reason", "enough"); !strings.Contains(out, "generation 3 is serving") || !strings.Contains(out, "from shipped") {
		t.Errorf("rolled back: %s", out)
	}
	asks("false")
	if code, _ := s.refused(exitFailed, "plugin", "swap", "dialog-policy", module, "--config-json", "{}", "--require-same"); code != "plugin_refused" {
		t.Errorf("a module that decides otherwise: %s", code)
	}
	asks("false")

	t.Run("a candidate", func(t *testing.T) {
		if shadow := get[host.PluginShadow](s, "plugin", "shadow", "dialog-policy", module, "--config-json", "{}"); shadow.Generation.State != "candidate" {
			t.Errorf("the candidate is %+v", shadow)
		}
		asks("false")
		shadow := get[host.PluginShadow](s, "plugin", "shadow", "dialog-policy")
		if shadow.Compared+shadow.Skipped == 0 {
			t.Errorf("the candidate has seen nothing: %+v", shadow)
		}
		if out := s.ok("plugin", "shadow", "dialog-policy"); !strings.Contains(out, "serves for real: no task") {
			t.Errorf("the text is %s", out)
		}
		if out := s.ok("status"); !strings.Contains(out, "candidate") {
			t.Errorf("the status is %s", out)
		}
		s.ok("plugin", "promote", "dialog-policy", "--reason", "it is good")
		asks("true")
		s.ok("plugin", "rollback", "dialog-policy")
		s.ok("plugin", "shadow", "dialog-policy", module, "--config-json", "{}", "--task", "default")
		asks("true")
		s.ok("plugin", "drop", "dialog-policy")
		asks("false")
	})
	t.Run("what is refused", func(t *testing.T) {
		secret := filepath.Join(s.dir, "secret.txt")
		writeFile(t, secret, []byte("hunter2 is the password"))
		_, errs, exit := s.run("plugin", "swap", "dialog-policy", secret, "--json")
		var e cli.ErrorJSON
		if err := json.Unmarshal([]byte(errs), &e); err != nil || exit != exitFailed || e.Error.Code != "plugin_refused" || e.Error.Step == "" {
			t.Errorf("exit %d, %v: %s", exit, err, errs)
		}
		if strings.Contains(errs, "hunter2") {
			t.Errorf("the error shows what is in the file: %s", errs)
		}
		for name, c := range map[string]struct {
			code string
			args []string
		}{
			"no plugin":     {"unknown_plugin", []string{"plugin", "swap", "nobody", module}},
			"no candidate":  {"no_candidate", []string{"plugin", "promote", "dialog-policy"}},
			"nothing older": {"no_generation", []string{"plugin", "rollback", "frame-filter"}},
			"no server": {"plugin_refused", []string{
				"plugin", "swap", "dialog-policy", "https://ada:hunter2@127.0.0.1:1/p.wasm?token=hunter2", "--sha256", strings.Repeat("0", 64),
			}},
			"no file": {"plugin_refused", []string{"plugin", "swap", "dialog-policy", filepath.Join(s.dir, "gone.wasm")}},
		} {
			if code, message := s.refused(exitFailed, c.args...); code != c.code || strings.Contains(message, "hunter2") {
				t.Errorf("%s: %s: %s", name, code, message)
			}
		}
		asks("false")
	})
	t.Run("the history", func(t *testing.T) {
		list := s.history("dialog-policy")
		if last := list[len(list)-1]; last.Number != 1 || last.Trigger != "start" || last.Source != "shipped" || last.State == "serving" {
			t.Errorf("the oldest is %+v", last)
		}
		if out := s.ok("plugin", "history", "dialog-policy"); !strings.Contains(out, "to accept") || !strings.Contains(out, "refused") || strings.Contains(out, "hunter2") {
			t.Errorf("the table is\n%s", out)
		}
	})
	if strings.Contains(d.stderr.text(), "hunter2") {
		t.Error("the log shows a secret")
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
