//go:build unix

package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"aead.dev/minisign"
)

// A module comes from an https address whose certificate authority is the system's, with a signature beside it; what
// was downloaded once is not downloaded again.
func TestAPluginComesFromAnAddress(t *testing.T) {
	wasm := readFixture(t, "dialog_only")
	sum := sha256.Sum256(wasm)
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var downloads atomic.Int64
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/dl/HUNTER2-x9/mine.wasm":
			downloads.Add(1)
			_, _ = w.Write(wasm)
		case "/dl/HUNTER2-x9/mine.wasm.minisig":
			_, _ = w.Write(minisign.Sign(private, wasm))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()

	s := newShell(t)
	authority := filepath.Join(s.dir, "ca.pem")
	writeFile(t, authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	s.env = []string{"SSL_CERT_FILE=" + authority, "SSL_CERT_DIR=" + s.dir, "NO_PROXY=127.0.0.1"}
	module := filepath.Join(s.dir, "first.wasm")
	writeFile(t, module, readFixture(t, "abstain"))
	d, at := s.startDaemon("--set", "plugins.mine.path="+module, "--set", "plugins.mine.hooks=dialog", "--set", "plugins.mine.extra_hooks=ignore")

	address := server.URL + "/dl/HUNTER2-x9/mine.wasm?signature=HUNTER2"
	swap := []string{"plugin", "swap", "mine", address, "--sha256", hex.EncodeToString(sum[:]), "--public-key", public.String()}
	s.ok(swap...)
	d.stderr.next(t, "downloading a plugin")
	if g := s.history("mine")[0]; g.State != "serving" || g.Source != server.URL+"/dl/[redacted]/mine.wasm" || g.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("in service is %+v", g)
	}
	s.ok("plugin", "rollback", "mine")
	s.ok(swap...)
	if n := downloads.Load(); n != 1 {
		t.Errorf("%d downloads of one module", n)
	}

	// A signature of somebody else refuses the module, and what served goes on.
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	swap[len(swap)-1] = other.String()
	if code, message := s.refused(exitFailed, swap...); code != "plugin_refused" || !strings.Contains(message, "step signature") {
		t.Errorf("the refusal is %s: %s", code, message)
	}
	if list := s.history("mine"); list[0].State != "refused" || list[1].State != "serving" {
		t.Errorf("the history is %+v", list)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
	if text := d.stderr.text(); strings.Contains(text, "HUNTER2") {
		t.Errorf("the log shows a secret:\n%s", text)
	}
}

// Whoever can write the file of a signed module, and does not have the key, changes nothing but what operators are
// told.
func TestASignedFileThatIsChangedOnTheDiskDoesNotServe(t *testing.T) {
	s := newShell(t)
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.dir, "mine.wasm")
	accepts, abstains := readFixture(t, "dialog_only"), readFixture(t, "abstain")
	s.replace(file, accepts)
	s.replace(file+".minisig", minisign.Sign(private, accepts))
	d, at := s.startDaemon("--launch", "--set", "browser.dialog_policy=auto_dismiss", "--config", s.configure(
		"plugins: {mine: {hooks: [dialog], extra_hooks: ignore, path: mine.wasm, public_key: "+public.String()+"}}"))
	serving := s.info("mine").SHA256
	confirmed := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(s.ok("eval", "confirm('well?')")); got != want {
			t.Errorf("the page got %s, want %s", got, want)
		}
	}
	confirmed("true")

	refused := func(what string) {
		t.Helper()
		if line := d.stderr.next(t, "level=ERROR"); !strings.Contains(line, "plugin=mine") || !strings.Contains(line, "step signature") {
			t.Errorf("%s: the log has %s", what, line)
		}
		if p := s.info("mine"); p.SHA256 != serving || p.State != "serving" || p.Generation != 1 {
			t.Errorf("%s: in service is %+v", what, p)
		}
		if problem := s.problems()["mine"]; !strings.Contains(problem, "step signature") {
			t.Errorf("%s: the problem is %q", what, problem)
		}
		if _, errs, exit := s.run("status"); exit != exitDegraded || !strings.Contains(errs, "plugin mine is not the configured one") {
			t.Errorf("%s: status ends with %d: %s", what, exit, errs)
		}
		confirmed("true")
	}
	s.replace(file, abstains) // which would serve, if it were signed
	refused("the signature of the module before")
	_, another, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s.replace(file+".minisig", minisign.Sign(another, abstains))
	refused("the signature of another key")

	s.replace(file+".minisig", minisign.Sign(private, abstains))
	d.stderr.next(t, "plugin in service")
	if p := s.info("mine"); p.SHA256 == serving || len(s.problems()) > 0 {
		t.Errorf("a signed change: in service is %+v, and the problems are %v", p, s.problems())
	}
	confirmed("false")
	s.leavesNothing(d, at, syscall.SIGTERM)
}
