package sigstore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore/sigstoretest"
)

const (
	identity   = "release@acme.example"
	issuer     = "https://accounts.acme.example"
	provenance = "https://slsa.dev/provenance/v1"
)

var wasm, manifest = []byte("\x00asm module"), []byte(`{"layers": []}`)

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func TestASignatureIsOfItsSigner(t *testing.T) {
	s := sigstoretest.New(t)
	signed := s.Sign(t, identity, issuer, wasm)
	by := func(change func(*host.Sigstore)) host.Sigstore {
		who := host.Sigstore{Identity: identity, Issuer: issuer, TrustedRoot: s.TrustedRoot}
		change(&who)
		return who
	}
	pattern := func(text string) func(*host.Sigstore) {
		return func(w *host.Sigstore) { w.Identity, w.IdentityPattern = "", text }
	}
	same := func(*host.Sigstore) {}
	for name, c := range map[string]struct {
		who    func(*host.Sigstore)
		bundle []byte
		want   string // in the error; empty: it is valid
	}{
		"its identity":                      {same, signed, ""},
		"a pattern":                         {pattern(`.*@acme\.example`), signed, ""},
		"the manifest":                      {same, s.Sign(t, identity, issuer, manifest), ""},
		"provenance of the module":          {same, s.Attest(t, identity, issuer, provenance, sumOf(wasm)), ""},
		"a statement of cosign":             {same, s.Attest(t, identity, issuer, "https://sigstore.dev/cosign/sign/v1", sumOf(manifest)), ""},
		"another identity":                  {func(w *host.Sigstore) { w.Identity = "other@acme.example" }, signed, "somebody else has signed it"},
		"another issuer":                    {func(w *host.Sigstore) { w.Issuer = "https://other.example" }, signed, "somebody else has signed it"},
		"a pattern of a part":               {pattern(`acme`), signed, "somebody else has signed it"},
		"alternatives of a pattern":         {pattern(`release|admin`), signed, "somebody else has signed it"},
		"a signature of something else":     {same, s.Sign(t, identity, issuer, []byte("other")), "does not prove who made the module"},
		"provenance of something else":      {same, s.Attest(t, identity, issuer, provenance, sumOf([]byte("other"))), "does not prove who made the module"},
		"a report on it":                    {same, s.Attest(t, identity, issuer, "https://cosign.sigstore.dev/attestation/vuln/v1", sumOf(wasm)), "does not say that its signer has made the module"},
		"another instance":                  {same, sigstoretest.New(t).Sign(t, identity, issuer, wasm), "does not prove who made the module"},
		"a changed bundle":                  {same, []byte(strings.Replace(string(signed), `"integratedTime":"1`, `"integratedTime":"2`, 1)), "does not prove who made the module"},
		"no bundle":                         {same, []byte("untrusted comment: minisign"), "not a bundle of Sigstore"},
		"nothing":                           {same, nil, "not a bundle of Sigstore"},
		"an empty bundle":                   {same, []byte("{}"), "not a bundle of Sigstore"},
		"nobody":                            {func(w *host.Sigstore) { w.Identity = "" }, signed, "either an identity or a pattern"},
		"an identity and a pattern":         {func(w *host.Sigstore) { w.IdentityPattern = ".*" }, signed, "either an identity or a pattern"},
		"an identity that anybody vouches":  {func(w *host.Sigstore) { w.Issuer = "" }, signed, "has an issuer"},
		"a pattern that is none":            {pattern("("), signed, "no regular expression"},
		"a pattern that ends its own group": {pattern("other)|(release"), signed, "no regular expression"},
		"a trusted root that is not there":  {func(w *host.Sigstore) { w.TrustedRoot += ".no" }, signed, "cannot be read"},
		"a trusted root that tells no time": {func(w *host.Sigstore) { w.TrustedRoot = timeless(t, w.TrustedRoot) }, signed, "nobody says when"},
	} {
		t.Run(name, func(t *testing.T) {
			err := sigstore.Verify(by(c.who), c.bundle, wasm, manifest)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// timeless is a trusted root without its log and its timestamp authority.
func timeless(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var trusted map[string]any
	if err := json.Unmarshal(text, &trusted); err != nil {
		t.Fatal(err)
	}
	delete(trusted, "tlogs")
	delete(trusted, "timestampAuthorities")
	text, err = json.Marshal(trusted)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "root.json")
	if err := os.WriteFile(out, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTheProvenanceOfAPackageIsUnderstood verifies what the public instance has signed: a release of the npm package
// sigstore (https://registry.npmjs.org/-/npm/v1/attestations/sigstore@2.0.0), with certificates and signatures in its
// logs.
func TestTheProvenanceOfAPackageIsUnderstood(t *testing.T) {
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	release, bundle := read("sigstore-2.0.0.tgz"), read("sigstore-2.0.0.tgz.sigstore.json")
	by := host.Sigstore{
		IdentityPattern: `https://github\.com/sigstore/sigstore-js/\.github/workflows/release\.yml@refs/heads/main`,
		Issuer:          "https://token.actions.githubusercontent.com", TrustedRoot: "testdata/trusted_root.json",
	}
	if err := sigstore.Verify(by, bundle, release); err != nil {
		t.Error(err)
	}
	if err := sigstore.Verify(by, bundle, release[1:]); err == nil {
		t.Error("it is valid for something else")
	}
	by.IdentityPattern = `https://github\.com/acme/.*`
	if err := sigstore.Verify(by, bundle, release); err == nil || !strings.Contains(err.Error(), "somebody else has signed it") {
		t.Errorf("for somebody else: %v", err)
	}
}
