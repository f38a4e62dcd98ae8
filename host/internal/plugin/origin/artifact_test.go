package origin

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/registry"
	"github.com/hermes-cdp/hermes-cdp/internal/registry/registrytest"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// stored is a registry with a module that a key has signed, and the digest of its manifest.
func stored(t *testing.T) (s *registrytest.Server, digest string, public minisign.PublicKey) {
	t.Helper()
	s = registrytest.Start(t)
	ref, err := ociref.Parse("oci://" + s.Host() + "/policies/guard:1")
	if err != nil {
		t.Fatal(err)
	}
	repo, err := registry.Open(ref, httpsonly.Client(s.Client()))
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	described, err := repo.Push(t.Context(), registry.Module{Wasm: wasm, File: "guard.wasm", Signature: minisign.Sign(private, wasm)})
	if err != nil {
		t.Fatal(err)
	}
	s.Requests()
	return s, described.Digest.String(), public
}

func TestAModuleOfARegistryIsDownloadedOnceAndKeptByItsHashes(t *testing.T) {
	s, digest, public := stored(t)
	o := Options{Client: s.Client(), Dir: filepath.Join(t.TempDir(), "kept")}
	var last, total int64
	o.Progress = func(_ string, done, of int64) { last, total = done, of }
	spec := Spec{URL: "oci://" + s.Host() + "/policies/guard:1@" + digest, Signer: signer.Signer{PublicKey: public.String()}, Limit: 1000}
	m, err := Fetch(t.Context(), spec, o)
	if err != nil || string(m.Wasm) != string(wasm) || m.SHA256 != hashOf(wasm) || m.Source != spec.URL || m.Signature == nil || "sha256:"+hashOf(m.Manifest) != digest {
		t.Fatalf("got %+v, %v", m, err)
	}
	if last != int64(len(wasm)) || total != last {
		t.Errorf("the progress ended at %d of %d, want %d", last, total, len(wasm))
	}
	s.Close() // it is no longer needed, but for the signature, as with other URLs
	if _, err := Fetch(t.Context(), spec, o); stepOf(t, err).Step != StepSignature {
		t.Errorf("the signature: %v", err)
	}
	spec.Signer.PublicKey = ""
	if m, err = Fetch(t.Context(), spec, o); err != nil || string(m.Wasm) != string(wasm) || "sha256:"+hashOf(m.Manifest) != digest {
		t.Errorf("again: %+v, %v", m, err)
	}
}

func TestRefusalsOfARegistryAreThoseOfOtherURLs(t *testing.T) {
	s, digest, public := stored(t)
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	at := "oci://" + s.Host() + "/policies/guard"
	for _, c := range []struct {
		name string
		spec Spec
		step Step
		want string
	}{
		{"a tag alone", Spec{URL: at + ":1"}, StepRead, "requires the digest of the manifest"},
		{"a tag with the hash of the module", Spec{URL: at + ":1", SHA256: hashOf(wasm)}, StepRead, "requires the digest of the manifest"},
		{"a password in it", Spec{URL: "oci://me:HUNTER2@" + s.Host() + "/a@" + digest}, StepRead, "is not a reference such as"},
		{"another digest", Spec{URL: at + "@sha256:" + strings.Repeat("0", 64)}, StepRead, "the registry does not have it"},
		{"another hash of the module", Spec{URL: at + "@" + digest, SHA256: strings.Repeat("0", 64)}, StepPin, "is pinned"},
		{"another key", Spec{URL: at + "@" + digest, Signer: signer.Signer{PublicKey: other.String()}}, StepSignature, "was made with the key"},
		{"a signature elsewhere, of nothing", Spec{URL: at + "@" + digest, Signer: signer.Signer{PublicKey: public.String()}, Signature: "/none.minisig"}, StepSignature, "/none.minisig"},
		{"too much", Spec{URL: at + "@" + digest, Limit: 8}, StepRead, "the limit is 8; strip its debug sections"},
		{"a registry that is not there", Spec{URL: "oci://127.0.0.1:1/a@" + digest}, StepRead, "refused"},
		{"another repository", Spec{URL: at + "@" + digest, Sources: []string{"oci://" + s.Host() + "/policies/other", "https://" + s.Host()}}, StepSource, "its source is not allowed"},
		{"a file alone", Spec{URL: at + "@" + digest, Sources: []string{"/", "shipped"}}, StepSource, "its source is not allowed"},
	} {
		if c.spec.Limit == 0 {
			c.spec.Limit = 1000
		}
		_, err := Fetch(t.Context(), c.spec, Options{Client: s.Client(), Dir: t.TempDir()})
		if failed := stepOf(t, err); failed.Step != c.step || !strings.Contains(failed.Detail, c.want) || strings.Contains(err.Error(), "HUNTER2") {
			t.Errorf("%s: %v\nwant %s at step %s", c.name, err, c.want, c.step)
		}
	}
}

// Registries redirect to where the contents are. If sources are restricted, that is one of them, too.
func TestARedirectOfARegistryLeadsToAnAllowedPlace(t *testing.T) {
	s, digest, _ := stored(t)
	elsewhere := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("it got the credentials of the registry")
		}
		_, _ = w.Write(wasm)
	}))
	elsewhere.TLS = s.TLS.Clone() // the same certificate, so that the same client trusts it
	elsewhere.StartTLS()
	defer elsewhere.Close()
	spec := Spec{URL: "oci://" + s.Host() + "/policies/guard@" + digest, Limit: 1000}
	o := Options{Client: s.Client(), Dir: t.TempDir()}
	if _, err := Fetch(t.Context(), spec, o); err != nil {
		t.Fatal(err) // it is kept now, which proves nothing of where it came from
	}
	s.Redirect("/v2/policies/guard/blobs/sha256:"+hashOf(wasm), elsewhere.URL+"/storage/1?signature=HUNTER2")
	for _, c := range []struct {
		name    string
		sources []string
		want    Step
	}{
		{"none are restricted", nil, ""},
		{"the registry alone", []string{"oci://" + s.Host()}, StepSource},
		{"the storage, too", []string{"oci://" + s.Host(), elsewhere.URL + "/storage"}, ""},
		{"another place", []string{"oci://" + s.Host(), elsewhere.URL + "/other"}, StepSource},
	} {
		spec.Sources, o.Dir = c.sources, t.TempDir()
		m, err := Fetch(t.Context(), spec, o)
		switch {
		case c.want == "" && (err != nil || string(m.Wasm) != string(wasm)):
			t.Errorf("%s: %+v, %v", c.name, m, err)
		case c.want != "" && (stepOf(t, err).Step != c.want || strings.Contains(err.Error(), "HUNTER2")):
			t.Errorf("%s: %v, want one at %s", c.name, err, c.want)
		}
	}
}
