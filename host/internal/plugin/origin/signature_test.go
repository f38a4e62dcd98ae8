package origin

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// signed is a directory with a module and its signature, made by the library.
func signed(t *testing.T) (path string, public minisign.PublicKey, private minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "a.wasm")
	write(t, path, wasm)
	write(t, path+".minisig", minisign.Sign(private, wasm))
	return path, public, private
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestASignatureIsVerified(t *testing.T) {
	path, public, _ := signed(t)
	for name, s := range map[string]Spec{
		"beside the module":     {Path: path},
		"at a place of its own": {Bytes: wasm, Signature: path + ".minisig"},
	} {
		s.Signer.PublicKey, s.Limit = public.String(), 1000
		m, err := Fetch(t.Context(), s, Options{})
		if err != nil || m.Signature == nil {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func TestSignaturesThatProveNothingAreRefused(t *testing.T) {
	path, public, private := signed(t)
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := func(content []byte) string {
		at := filepath.Join(t.TempDir(), "x.minisig")
		write(t, at, content)
		return at
	}
	cases := []struct {
		name string
		spec Spec
		want string
	}{
		{"another key", Spec{Path: path, Signer: signer.Signer{PublicKey: other.String()}}, "was made with the key"},
		{"a changed module", Spec{Bytes: []byte("changed"), Signature: path + ".minisig"}, "does not match this module"},
		{"the signature of another file", Spec{Path: path, Signature: elsewhere(minisign.Sign(private, []byte("x")))}, "does not match this module"},
		{"a changed trusted comment", Spec{Path: path, Signature: elsewhere(bytes.Replace(
			minisign.SignWithComments(private, wasm, "version 1", ""), []byte("version 1"), []byte("version 2"), 1))}, "does not match this module"},
		{"no signature", Spec{Path: path, Signature: path + ".no"}, "sign with: minisign -S"},
		{"bytes without a place", Spec{Bytes: wasm}, "needs the location of its signature"},
		{"something else", Spec{Path: path, Signature: path}, "is not a minisign signature"},
		{"too much", Spec{Path: path, Signature: elsewhere(make([]byte, signer.MaxBytes+1))}, "too large"},
		{"a key that is none", Spec{Path: path, Signer: signer.Signer{PublicKey: "RWabc"}}, "not a minisign public key"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Limit = 1000
			if c.spec.Signer.PublicKey == "" {
				c.spec.Signer.PublicKey = public.String()
			}
			_, err := Fetch(t.Context(), c.spec, Options{})
			if failed := stepOf(t, err); failed.Step != StepSignature || !strings.Contains(failed.Detail, c.want) {
				t.Errorf("error is %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestASignatureOfNobodyIsRefused(t *testing.T) {
	path, _, _ := signed(t)
	_, err := Fetch(t.Context(), Spec{Path: path, Signature: path + ".minisig", Limit: 1000}, Options{})
	if failed := stepOf(t, err); failed.Step != StepSignature || !strings.Contains(failed.Detail, "nobody who must have made it") {
		t.Errorf("error is %v", err)
	}
}

// TestTheCommandsSignaturesAreUnderstood compares with minisign itself (https://jedisct1.github.io/minisign), in both
// directions and for both of its forms: of the hash, which it makes by default, and of the whole file.
func TestTheCommandsSignaturesAreUnderstood(t *testing.T) {
	dir := t.TempDir()
	path, secretKey, publicKey := filepath.Join(dir, "a.wasm"), filepath.Join(dir, "key"), filepath.Join(dir, "key.pub")
	write(t, path, wasm)
	run(t, "-G", "-W", "-s", secretKey, "-p", publicKey)
	public, err := os.ReadFile(publicKey)
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(strings.TrimSpace(string(public)), "\n")
	for name, flags := range map[string][]string{"of the hash": {"-H"}, "of the file": {"-l"}} {
		run(t, append([]string{"-S", "-s", secretKey, "-m", path}, flags...)...)
		for form, key := range map[string]string{"the line": line, "the file": string(public)} {
			if m, err := Fetch(t.Context(), Spec{Path: path, Signer: signer.Signer{PublicKey: key}, Limit: 1000}, Options{}); err != nil || m.Signature == nil {
				t.Errorf("%s, with %s of the key: %v", name, form, err)
			}
		}
	}
	ours, theirs, _ := signed(t)
	run(t, "-V", "-P", theirs.String(), "-m", ours)
}

func run(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("minisign", args...).CombinedOutput(); err != nil {
		t.Fatalf("minisign %v: %v\n%s(make tools installs it)", args, err, out)
	}
}
