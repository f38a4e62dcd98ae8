//go:build unix

package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aead.dev/minisign"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore/sigstoretest"
	"github.com/hermes-cdp/hermes-cdp/internal/registry/registrytest"
)

// A module's way through a registry that wants a password: it is pushed with its signature and its components, looked
// at, pulled, and in service by the reference that was printed; also while the registry is down.
func TestAPluginComesFromARegistry(t *testing.T) {
	server := registrytest.StartWithPassword(t)
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.env = []string{"SSL_CERT_FILE=" + server.Authority(t), "SSL_CERT_DIR=" + s.dir, "NO_PROXY=127.0.0.1", "REGISTRY_AUTH_FILE=", "DOCKER_CONFIG=" + server.Login(t, registrytest.Password)}
	wasm := readFixture(t, "dialog_only")
	file, sbom := filepath.Join(s.dir, "mine.wasm"), filepath.Join(s.dir, "sbom.json")
	writeFile(t, file, wasm)
	writeFile(t, file+".minisig", minisign.Sign(private, wasm))
	writeFile(t, sbom, []byte(`{"spdxVersion": "SPDX-2.3"}`))

	at := "oci://" + server.Host() + "/policies/mine"
	var pushed struct {
		Reference, SHA256 string
		Signed            bool
	}
	push := []string{"--json", "plugin", "push", file, at + ":1", "--sbom", sbom, "--annotation", "org.opencontainers.image.source=https://code.example/mine"}
	decode(t, s.ok(push...), &pushed)
	if !strings.HasPrefix(pushed.Reference, at+":1@sha256:") || !pushed.Signed {
		t.Errorf("pushed is %+v", pushed)
	}
	var shown struct {
		SHA256   string
		Artifact plugincmd.ArtifactJSON
	}
	decode(t, s.ok("--json", "plugin", "inspect", at+":1", "--public-key", public.String()), &shown)
	a := shown.Artifact
	if a.Reference != pushed.Reference || shown.SHA256 != pushed.SHA256 || !a.Verified || len(a.Keys) != 1 || len(a.Attached) != 2 ||
		a.Annotations["org.opencontainers.image.source"] != "https://code.example/mine" {
		t.Errorf("shown is %+v", shown)
	}
	if text := s.ok("plugin", "inspect", at+":1"); !strings.Contains(text, "not verified") || !strings.Contains(text, "application/spdx+json") || !strings.Contains(text, "hermes_on_dialog") {
		t.Errorf("shown is\n%s", text)
	}

	out := filepath.Join(s.dir, "pulled.wasm")
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, exit := s.run("plugin", "pull", at+":1", "-o", out, "--public-key", other.String()); exit != exitFailed || !strings.Contains(errs, "was made with the key") {
		t.Errorf("another key: exit %d, %s", exit, errs)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("what could not be verified was written")
	}
	s.ok("plugin", "pull", pushed.Reference, "-o", out, "--public-key", public.String())
	for _, name := range []string{"", ".minisig"} {
		was, err := os.ReadFile(file + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out + name); err != nil || string(got) != string(was) {
			t.Errorf("pulled%s is another file (%v)", name, err)
		}
	}

	config := s.configure("plugins: {mine: {hooks: [dialog], extra_hooks: ignore, url: '" + pushed.Reference + "', public_key: " + public.String() +
		", sources: ['oci://" + server.Host() + "/policies']}}")
	d, address := s.startDaemon("--config", config)
	if p := s.info("mine"); p.SHA256 != pushed.SHA256 || p.Source != pushed.Reference || len(s.problems()) > 0 {
		t.Errorf("in service is %+v, with the problems %v", p, s.problems())
	}
	if code, message := s.refused(exitFailed, "plugin", "swap", "mine", file); code != "plugin_refused" || !strings.Contains(message, "url, public_key, sources") {
		t.Errorf("a swap to a file: %s: %s", code, message)
	}
	s.leavesNothing(d, address, syscall.SIGTERM)
	log := d.stderr.text()

	server.Close()
	d, address = s.startDaemon("--config", config)
	if p, problem := s.info("mine"), s.problems()["mine"]; p.SHA256 != pushed.SHA256 || !strings.Contains(problem, "in its place serves the module from "+pushed.Reference) {
		t.Errorf("without the registry in service is %+v, with the problem %q", p, problem)
	}
	s.leavesNothing(d, address, syscall.SIGTERM)
	if log += d.stderr.text(); strings.Contains(log, "HUNTER2") {
		t.Errorf("the log shows a secret:\n%s", log)
	}
}

// A module is signed without a key, and its manifest by the service that has built it: each is pushed, verified, and a
// reason to serve, also at the next start while the registry is down. The identity of somebody else is none.
func TestAPluginIsSignedWithSigstore(t *testing.T) {
	const identity, issuer = "release@acme.example", "https://accounts.acme.example"
	instance := sigstoretest.New(t)
	server := registrytest.Start(t)
	s := newShell(t)
	s.env = []string{"SSL_CERT_FILE=" + server.Authority(t), "SSL_CERT_DIR=" + s.dir, "NO_PROXY=127.0.0.1"}
	wasm := readFixture(t, "dialog_only")
	file, out := filepath.Join(s.dir, "mine.wasm"), filepath.Join(s.dir, "pulled.wasm")
	writeFile(t, file, wasm)
	at := "oci://" + server.Host() + "/policies/mine"
	var pushed struct {
		Reference, Digest string
		Signed            bool
	}
	decode(t, s.ok("--json", "plugin", "push", file, at+":1"), &pushed)
	by := func(who string) []string {
		return []string{"--sigstore-issuer", issuer, "--sigstore-identity", who, "--sigstore-root", instance.TrustedRoot}
	}
	pull := append([]string{"plugin", "pull", at + ":1", "-o", out}, by(identity)...)
	if _, errs, exit := s.run(pull...); exit != exitFailed || !strings.Contains(errs, "no signature is attached; sign with cosign sign-blob") {
		t.Errorf("unsigned: exit %d, %s", exit, errs)
	}

	writeFile(t, file+".sigstore.json", []byte("untrusted comment: x"))
	if _, errs, exit := s.run("plugin", "push", file, at+":1"); exit != exitFailed || !strings.Contains(errs, "not a bundle of Sigstore") {
		t.Errorf("something else is pushed as a bundle: exit %d, %s", exit, errs)
	}
	var config string
	for i, bundle := range [][]byte{
		instance.Sign(t, identity, issuer, wasm),
		instance.Attest(t, identity, issuer, "https://slsa.dev/provenance/v1", strings.TrimPrefix(pushed.Digest, "sha256:")),
	} {
		writeFile(t, file+".sigstore.json", bundle)
		repository := fmt.Sprint(at, i) // one for each, or the first would do for both
		decode(t, s.ok("--json", "plugin", "push", file, repository+":1"), &pushed)
		if !pushed.Signed {
			t.Errorf("pushed is %+v", pushed)
		}
		if text := s.ok(append([]string{"plugin", "inspect", pushed.Reference}, by(identity)...)...); !strings.Contains(text, "verified") {
			t.Errorf("shown is\n%s", text)
		}
		if _, errs, exit := s.run(append([]string{"plugin", "inspect", pushed.Reference}, by("eve@acme.example")...)...); exit != exitFailed || !strings.Contains(errs, "somebody else has signed it") {
			t.Errorf("somebody else: exit %d, %s", exit, errs)
		}
		s.ok(append([]string{"plugin", "pull", pushed.Reference, "-o", out}, by(identity)...)...)
		if got, err := os.ReadFile(out + ".sigstore.json"); err != nil || string(got) != string(bundle) {
			t.Errorf("pulled is another bundle (%v)", err)
		}

		config = s.configure("plugin_state_dir: '" + filepath.Join(s.dir, fmt.Sprint("state", i)) + "'\nplugins: {mine: {hooks: [dialog], extra_hooks: ignore, url: '" + pushed.Reference +
			"', sigstore: {issuer: '" + issuer + "', identity_pattern: '.*@acme\\.example', trusted_root: '" + instance.TrustedRoot + "'}}}")
		d, address := s.startDaemon("--config", config)
		if p := s.info("mine"); p.Source != pushed.Reference || len(s.problems()) > 0 {
			t.Errorf("in service is %+v, with the problems %v", p, s.problems())
		}
		if code, message := s.refused(exitFailed, "plugin", "swap", "mine", file, "--public-key", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"); code != "plugin_refused" || !strings.Contains(message, "sigstore") {
			t.Errorf("a swap with a key: %s: %s", code, message)
		}
		if i == 0 {
			signedAddition(s, file, by)
		}
		s.leavesNothing(d, address, syscall.SIGTERM)
	}
	server.Close()
	d, address := s.startDaemon("--config", config)
	if p, problem := s.info("mine"), s.problems()["mine"]; p.Source != pushed.Reference || !strings.Contains(problem, "in its place serves the module") {
		t.Errorf("without the registry in service is %+v, with the problem %q", p, problem)
	}
	s.leavesNothing(d, address, syscall.SIGTERM)

	writeFile(t, file+".sigstore.json", instance.Sign(t, "eve@other.example", issuer, wasm))
	_, errs, exit := s.run("run", "--strict", "--set", "plugins.mine.path="+file, "--set", "plugins.mine.hooks=dialog", "--set", "plugins.mine.extra_hooks=ignore",
		"--set", "plugins.mine.sigstore.issuer="+issuer, "--set", "plugins.mine.sigstore.identity="+identity, "--set", "plugins.mine.sigstore.trusted_root="+instance.TrustedRoot)
	if exit == 0 || !strings.Contains(errs, "somebody else has signed it") {
		t.Errorf("a daemon with somebody else's module: exit %d, %s", exit, errs)
	}
}

// signedAddition adds a plugin of which every module must be signed, while a daemon runs.
func signedAddition(s *shell, file string, by func(string) []string) {
	s.t.Helper()
	add := []string{"plugin", "add", "added", file, "--hooks", "dialog", "--ignore-extra-hooks", "--store", "disk"}
	if _, message := s.refused(exitFailed, append(add, by("eve@acme.example")...)...); !strings.Contains(message, "somebody else has signed it") {
		s.t.Errorf("somebody else's: %s", message)
	}
	s.ok(append(add, by("release@acme.example")...)...)
	moved := filepath.Join(s.dir, "moved.wasm")
	wasm, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	writeFile(s.t, moved, wasm)
	if _, message := s.refused(exitFailed, "plugin", "swap", "added", moved); !strings.Contains(message, "moved.wasm.sigstore.json") {
		s.t.Errorf("without a signature: %s", message)
	}
	s.ok("plugin", "swap", "added", moved, "--signature", file+".sigstore.json")
	if _, message := s.refused(exitFailed, "plugin", "add", "other", moved, "--hooks", "dialog", "--signature", file+".sigstore.json"); !strings.Contains(message, "nobody who must have made it") {
		s.t.Errorf("a signature of nobody: %s", message)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
