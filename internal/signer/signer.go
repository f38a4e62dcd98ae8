// Package signer says who must have signed a module, and verifies that they have: with a minisign key
// (https://jedisct1.github.io/minisign), or with an identity that Sigstore vouches for (https://docs.sigstore.dev).
//
// Verifying a bundle of Sigstore takes as much code as all else that a host needs, so a [Verifier] is handed in by the
// programs that want it.
package signer

import "errors"

// Signer is who must have signed a module. At most one of its fields is set. The zero value asks for no signature.
type Signer struct {
	PublicKey string   // of minisign, in base64
	Sigstore  Sigstore `json:",omitzero"`
}

// Sigstore is who a certificate of Sigstore names.
type Sigstore struct {
	Issuer          string // the URL of the OpenID Connect provider that vouched for the identity
	Identity        string // the certificate's subject alternative name
	IdentityPattern string // a regular expression that all of the name matches, in place of Identity
	TrustedRoot     string // the file with the certificates and keys of the Sigstore instance
}

// Verifier verifies that a bundle is a signature that somebody has made of one of the contents.
type Verifier func(by Sigstore, bundle []byte, contents ...[]byte) error

// The suffixes that the names of signatures add to that of their module.
const (
	MinisignSuffix = ".minisig"
	SigstoreSuffix = ".sigstore.json" // as cosign's documentation names bundles
)

// Suffixes are all suffixes of files with signatures.
var Suffixes = []string{MinisignSuffix, SigstoreSuffix}

// MaxBytes is the maximum size of a signature. One of minisign has four short lines; a bundle of Sigstore may contain a
// statement of how a module was built.
const MaxBytes = 1 << 20

// Required reports whether a module must be signed.
func (s Signer) Required() bool { return s != Signer{} }

// Key is the configuration key of what is required; empty: nothing is.
func (s Signer) Key() string {
	switch {
	case s.Sigstore != Sigstore{}:
		return "sigstore"
	case s.PublicKey != "":
		return "public_key"
	}
	return ""
}

// Suffix is what the name of the signature's file adds to that of the module.
func (s Signer) Suffix() string {
	if s.Sigstore != (Sigstore{}) {
		return SigstoreSuffix
	}
	return MinisignSuffix
}

// HowToSign is the command that makes a signature, for people.
func (s Signer) HowToSign() string {
	if s.Sigstore != (Sigstore{}) {
		return "cosign sign-blob --bundle FILE.wasm" + SigstoreSuffix + " FILE.wasm"
	}
	return "minisign -S -m FILE.wasm"
}

// SuffixOf is the suffix of the file of a signature, by its content; empty: there is none.
func SuffixOf(signature []byte) string {
	switch {
	case len(signature) == 0:
		return ""
	case signature[0] == '{':
		return SigstoreSuffix
	}
	return MinisignSuffix
}

// Verify checks a module's signature. A bundle of Sigstore may also be a signature of the manifest that names the
// module in its registry, which may be nil.
func (s Signer) Verify(with Verifier, wasm, manifest, signature []byte) error {
	switch {
	case s.PublicKey != "" && s.Sigstore != Sigstore{}:
		return errors.New("a public key and a signer of Sigstore exclude each other")
	case s.PublicKey != "":
		return verifyMinisign(s.PublicKey, wasm, signature)
	case with == nil:
		return errors.New("this program does not verify signatures of Sigstore")
	}
	contents := [][]byte{wasm}
	if manifest != nil {
		contents = append(contents, manifest)
	}
	return with(s.Sigstore, signature, contents...)
}
