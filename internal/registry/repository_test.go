package registry_test

import (
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"
	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/registry"
	"github.com/hermes-cdp/hermes-cdp/internal/registry/registrytest"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var wasm = []byte("\x00asm, or so it says, and nobody looks at it here")

func open(t *testing.T, s *registrytest.Server, rest string) *registry.Repository {
	t.Helper()
	ref, err := ociref.Parse("oci://" + s.Host() + "/" + rest)
	if err != nil {
		t.Fatal(err)
	}
	r, err := registry.Open(ref, httpsonly.Client(s.Client()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pushed is a module with all that can be attached, and the digest of its manifest.
func pushed(t *testing.T, s *registrytest.Server) (digest string, public minisign.PublicKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	described, err := open(t, s, "policies/guard:1.0").Push(t.Context(), registry.Module{
		Wasm: wasm, File: "guard.wasm", Annotations: map[string]string{"org.opencontainers.image.version": "1.0"},
		Signature: minisign.Sign(private, wasm), SBOM: []byte(`{"bomFormat": "CycloneDX", "specVersion": "1.6"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	return described.Digest.String(), public
}

func module(t *testing.T, r *registry.Repository, limit int64) ([]byte, error) {
	t.Helper()
	m, err := r.Manifest(t.Context())
	if err != nil {
		return nil, err
	}
	layer, err := m.Module()
	if err != nil {
		return nil, err
	}
	return r.Blob(t.Context(), layer, limit, nil)
}

func TestAModuleIsPushedAndFetched(t *testing.T) {
	s := registrytest.Start(t)
	digest, public := pushed(t, s)
	for _, name := range []string{":1.0", "@" + digest, ":1.0@" + digest} {
		r := open(t, s, "policies/guard"+name)
		m, err := r.Manifest(t.Context())
		if err != nil || m.Descriptor.Digest.String() != digest || m.Annotations()["org.opencontainers.image.version"] != "1.0" {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		if got, err := module(t, r, 1000); err != nil || string(got) != string(wasm) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	r := open(t, s, "policies/guard@"+digest)
	m, err := r.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	attached, err := r.Attached(t.Context(), m.Descriptor.Digest)
	var types []string
	for _, a := range attached {
		types = append(types, a.ArtifactType)
	}
	slices.Sort(types)
	if want := []string{"application/vnd.cyclonedx+json", "application/vnd.hermes-cdp.minisign.v1"}; err != nil || !slices.Equal(types, want) {
		t.Errorf("attached are %v (%v), want %v", types, err, want)
	}
	if text, err := r.Verified(t.Context(), signer.Signer{PublicKey: public.String()}, nil, m.Text, wasm); err != nil || len(text) == 0 {
		t.Errorf("the signature is %q, %v", text, err)
	}
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verified(t.Context(), signer.Signer{PublicKey: other.String()}, nil, m.Text, wasm); err == nil || !strings.Contains(err.Error(), "was made with the key") {
		t.Errorf("another key: %v", err)
	}
	if _, err := r.Verified(t.Context(), signer.Signer{PublicKey: public.String()}, nil, m.Text, []byte("changed")); err == nil || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("another module: %v", err)
	}
}

func TestTheSameModuleHasTheSameDigestAndNewSignaturesDoNotChangeIt(t *testing.T) {
	s := registrytest.Start(t)
	first, _ := pushed(t, s)
	second, public := pushed(t, s) // signed with another key
	if first != second {
		t.Errorf("the digests are %s and %s", first, second)
	}
	r := open(t, s, "policies/guard@"+second)
	m, err := r.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if texts, err := r.Signatures(t.Context(), m.Descriptor.Digest); err != nil || len(texts) != 2 {
		t.Errorf("%d signatures, %v", len(texts), err)
	}
	if _, err := r.Verified(t.Context(), signer.Signer{PublicKey: public.String()}, nil, m.Text, wasm); err != nil {
		t.Errorf("the second key: %v", err)
	}
}

func TestWhatIsNoModuleIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":   "is not JSON",
		"{}": "has 0 layers",
		`{"mediaType": "application/vnd.oci.image.index.v1+json"}`:                                             "no single artifact",
		`{"layers": [{"mediaType": "application/wasm"}, {"mediaType": "application/wasm"}]}`:                   "has 2 layers",
		`{"layers": [{"mediaType": "application/wasm", "digest": "sha512:` + strings.Repeat("00", 64) + `"}]}`: "is not a sha256",
	} {
		m, err := registry.ParseManifest([]byte(text))
		if err == nil {
			_, err = m.Module()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	s := registrytest.Start(t)
	if _, err := open(t, s, "a").Push(t.Context(), registry.Module{Wasm: wasm, SBOM: []byte(`{"name": "x"}`)}); err == nil || !strings.Contains(err.Error(), "neither CycloneDX nor SPDX") {
		t.Errorf("an SBOM of no known kind: %v", err)
	}
	if requests := s.Requests(); len(requests) > 0 {
		t.Errorf("it was pushed before that was known: %v", requests)
	}
}

func TestWhatARegistrySendsIsCompared(t *testing.T) {
	s := registrytest.Start(t)
	digest, _ := pushed(t, s)
	r := open(t, s, "policies/guard@"+digest)
	m, err := r.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	layer, err := m.Module()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := module(t, r, layer.Size-1); !errors.Is(err, registry.ErrTooLarge) {
		t.Errorf("a module over the limit: %v", err)
	}
	for _, line := range s.Requests() {
		if strings.HasPrefix(line, "GET") && strings.Contains(line, "/blobs/"+layer.Digest.String()) {
			t.Errorf("it was asked for, though its size is known: %s", line)
		}
	}
	for _, content := range []string{strings.Repeat("x", len(wasm)), "short", strings.Repeat("long", 1000)} {
		s.Tamper(t, layer.Digest.String(), content)
		if got, err := module(t, r, 1000); err == nil {
			t.Errorf("%d bytes of another module are taken: %q", len(content), got)
		}
	}
	s.Tamper(t, digest, strings.Replace(string(m.Text), "1.0", "2.0", 1))
	if _, err := r.Manifest(t.Context()); err == nil {
		t.Error("another manifest is taken")
	}
	s.Intercept(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		w.Header().Set("Docker-Content-Digest", digest)
		w.Header().Set("Content-Length", "1000000000000")
		w.(http.Flusher).Flush()
	})
	if _, err := r.Manifest(t.Context()); err == nil || !strings.Contains(err.Error(), "the manifest has 1000000000000 bytes, but the limit is") {
		t.Errorf("a manifest of absurd size: %v", err)
	}
}

func TestARegistryGetsTheCredentialsOfTheUsualFiles(t *testing.T) {
	s := registrytest.StartWithPassword(t)
	docker := s.Login(t, registrytest.Password)
	t.Setenv("REGISTRY_AUTH_FILE", "")
	t.Setenv("DOCKER_CONFIG", docker)
	digest, _ := pushed(t, s)

	broken := filepath.Join(t.TempDir(), "auth.json")
	if err := os.WriteFile(broken, []byte(`{"auths": "HUNTER2`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, docker, file, want string }{
		{"Docker's", docker, "", ""},
		{"podman's, which comes first", t.TempDir(), filepath.Join(docker, "config.json"), ""},
		{"none", t.TempDir(), "", "wants credentials; log in with docker login " + s.Host()},
		{"a wrong password", s.Login(t, "HUNTER2-wrong"), "", "answered 401 Unauthorized (UNAUTHORIZED); log in with docker login"},
		{"a broken file", docker, broken, "the credentials of the registry cannot be read"},
	} {
		t.Setenv("DOCKER_CONFIG", c.docker)
		t.Setenv("REGISTRY_AUTH_FILE", c.file)
		got, err := module(t, open(t, s, "policies/guard@"+digest), 1000)
		switch {
		case c.want == "" && (err != nil || string(got) != string(wasm)):
			t.Errorf("%s: %q, %v", c.name, got, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "HUNTER2")):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// A server can choose where the next request goes, and what its errors say.
func TestAnErrorShowsNoSignedURLAndNoTextOfTheServer(t *testing.T) {
	s := registrytest.Start(t)
	digest, _ := pushed(t, s)
	r := open(t, s, "policies/guard@"+digest)
	for name, answer := range map[string]http.HandlerFunc{
		"a refusal": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"errors": [{"code": "DENIED", "message": "HUNTER2", "detail": "HUNTER2"}, {"code": "HUNTER2 x"}]}`)
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("signature") {
				w.Header().Set("Docker-Content-Digest", "sha256:"+strings.Repeat("0", 64))
				_, _ = io.WriteString(w, "{}")
				return
			}
			http.Redirect(w, r, "/elsewhere?signature=HUNTER2", http.StatusTemporaryRedirect)
		},
		"a redirect to nowhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1:1/?signature=HUNTER2", http.StatusTemporaryRedirect)
		},
		"a redirect without TLS": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/?signature=HUNTER2", http.StatusTemporaryRedirect)
		},
		"a token from elsewhere": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://tokens.example/?x=HUNTER2",service="s"`)
			w.WriteHeader(http.StatusUnauthorized)
		},
	} {
		s.Intercept(answer)
		if _, err := r.Manifest(t.Context()); err == nil || strings.Contains(err.Error(), "HUNTER2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
