//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// badDay is a daemon with a guard of navigations in a file, a plugin from a server that is its only source, and one
// that commands swap.
type badDay struct {
	*shell
	guard, mine string // files
	site        string
	remote      *httptest.Server
	configured  string
}

func newBadDay(t *testing.T) *badDay {
	s := newShell(t)
	b := &badDay{shell: s, guard: filepath.Join(s.dir, "guard.wasm"), mine: filepath.Join(s.dir, "mine.wasm")}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) }))
	t.Cleanup(site.Close)
	b.site = site.URL
	b.putGuard()
	s.replace(b.mine, readFixture(t, "abstain"))
	wasm := readFixture(t, "dialog_only")
	b.remote = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(wasm) }))
	t.Cleanup(b.remote.Close)
	authority := filepath.Join(s.dir, "ca.pem")
	writeFile(t, authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.remote.Certificate().Raw}))
	s.env = []string{"SSL_CERT_FILE=" + authority, "SSL_CERT_DIR=" + s.dir, "NO_PROXY=127.0.0.1"}
	sum := sha256.Sum256(wasm)
	b.configured = s.configure(`navigate_fail: closed
plugins:
  guard: {hooks: [navigate], path: guard.wasm, config: {http: allow, allow: ["` + b.site + `"]}}
  mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm, priority: 5}
  remote: {hooks: [dialog], extra_hooks: ignore, url: "` + b.remote.URL + `/remote.wasm", sources: ["` + b.remote.URL + `"], sha256: ` + hex.EncodeToString(sum[:]) + "}\n")
	return b
}

func (b *badDay) putGuard() {
	b.t.Helper()
	wasm, err := os.ReadFile(filepath.Join("..", "..", "plugins", "examples", "dist", "navigate-allowlist.wasm"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.replace(b.guard, wasm)
}

func (b *badDay) run() *process {
	b.t.Helper()
	d, _ := b.startDaemon("--config", b.configured)
	return d
}

// navigates tells whether a page can be opened.
func (b *badDay) navigates() bool {
	b.t.Helper()
	_, errs, exit := b.shell.run("browser", "navigate", b.site)
	if exit != exitOK && !strings.Contains(errs, "denied") {
		b.t.Errorf("the navigation failed otherwise: %s", errs)
	}
	return exit == exitOK
}

func kill(p *process) {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	p.wait()
}

// An operator's bad day: at no moment is a guard off without the daemon saying so.
func TestAnOperatorsBadDay(t *testing.T) {
	b := newBadDay(t)
	d := b.run()
	if !b.navigates() || len(b.problems()) > 0 {
		t.Fatalf("on a good day: problems %v", b.problems())
	}
	other := filepath.Join(b.dir, "other.wasm")
	writeFile(t, other, readFixture(t, "dialog_only"))
	b.ok("plugin", "swap", "mine", other, "--reason", "an emergency")
	swapped := b.info("mine").SHA256
	kill(d) // right after the command was told that it worked

	d = b.run()
	if g := b.history("mine"); g[0].SHA256 != swapped || g[0].Trigger != "restore" || g[0].Reason != "an emergency" || len(g) != 3 {
		t.Errorf("the swap did not survive: %+v", g)
	}
	// Killed at the moment at which the next module begins to serve, whether that is kept already or not.
	third := b.start("plugin", "swap", "mine", b.mine)
	d.stderr.next(t, "trigger=command")
	kill(d)
	third.wait()

	if err := os.Remove(b.guard); err != nil {
		t.Fatal(err)
	}
	b.remote.Close()
	d = b.run()
	if p := b.info("mine"); p.State != "serving" || p.Problem != "" {
		t.Errorf("a kill during a swap left %+v", p)
	}
	for name, why := range map[string]string{"guard": "no such file", "remote": "step read"} {
		if p := b.info(name); p.State != "serving" || p.Outage != "" || !strings.Contains(b.problems()[name], why) {
			t.Errorf("the last good module of %s: %+v, problem %q", name, p, b.problems()[name])
		}
	}
	if text := d.stderr.text(); !strings.Contains(text, "level=ERROR") || !strings.Contains(text, "did not start as it is configured") {
		t.Errorf("the log has no error:\n%s", text)
	}
	if !b.navigates() {
		t.Error("the last good guard denies what it allows")
	}
	if _, errs, _ := b.shell.run("browser", "navigate", "http://localhost.test/"); !strings.Contains(errs, "denied") {
		t.Errorf("the last good guard is off: %s", errs)
	}
	kill(d)

	// Nothing good is left: the guard's place is closed.
	state := filepath.Join(b.dir, ".local", "state", "hermes-cdp", "plugins")
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	b.replace(b.mine, []byte("bad"))
	if code, message := b.refused(exitFailed, "run", "--strict", "--config", b.configured); code != "plugin_refused" || !strings.Contains(message, "guard") {
		t.Errorf("a strict start: %s: %s", code, message)
	}
	d = b.run()
	if p := b.info("guard"); p.State == "serving" || !strings.Contains(p.Outage, "no such file") {
		t.Errorf("the guard is %+v", p)
	}
	if b.navigates() {
		t.Error("without a guard a navigation is allowed, and navigate_fail is closed")
	}
	if _, errs, exit := b.shell.run("status"); exit != exitDegraded || !strings.Contains(errs, "the host decides in place of plugin guard") {
		t.Errorf("status ends with %d: %s", exit, errs)
	}

	if out, _, exit := b.shell.run("doctor", "--config", b.configured); exit != exitFailed || !strings.Contains(out, "fail  daemon: it does not match its configuration") {
		t.Errorf("doctor ends with %d:\n%s", exit, out)
	}

	b.putGuard() // its file is watched
	d.stderr.next(t, `"plugin in service" plugin=guard`)
	if !b.navigates() || b.problems()["guard"] != "" {
		t.Errorf("the guard is back, and its problem is %q", b.problems()["guard"])
	}
	if exit := d.end(syscall.SIGTERM); exit != exitOK {
		t.Errorf("the daemon ended with %d", exit)
	}
}
