// Package sigstore verifies signatures that were made with Sigstore (https://docs.sigstore.dev): without a key, with an
// identity that an OpenID Connect provider vouched for. It is apart from package host because it needs as much code as
// that does.
//
//	h, err := host.New(ctx, host.Options{VerifySigstore: sigstore.Verify, Plugins: map[string]host.PluginOptions{
//		"guard": {PluginSource: host.PluginSource{Path: "guard.wasm"}, Sigstore: host.Sigstore{
//			Identity: "release@example.com", Issuer: "https://accounts.example.com", TrustedRoot: "trusted_root.json",
//		}},
//	}})
package sigstore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// statements are the types of statements whose signers say that they have made what they are about. Others, such as
// reports on vulnerabilities, say only that somebody has looked at it.
var statements = []string{
	"https://sigstore.dev/cosign/sign/v1", // cosign sign
	"https://slsa.dev/provenance/v0.2",    // https://slsa.dev/spec/v0.2/provenance
	"https://slsa.dev/provenance/v1",      // https://slsa.dev/spec/v1.0/provenance
}

// Verify verifies that a bundle is a signature that somebody has made of one of the contents: a signature of it, or a
// statement that they have made it. The certificate has to be of an authority of the trusted root, and to have been
// valid when a log or a timestamp authority of the trusted root saw the signature. If the trusted root has logs, the
// certificate and the signature have to be in them. Nothing is fetched.
func Verify(by host.Sigstore, text []byte, contents ...[]byte) error {
	who, err := identity(by)
	if err != nil {
		return err
	}
	verifier, err := newVerifier(by.TrustedRoot)
	if err != nil {
		return err
	}
	signed, err := parse(text)
	if err != nil {
		return err
	}
	var failed []error
	for _, content := range contents {
		policy := verify.NewPolicy(verify.WithArtifact(bytes.NewReader(content)), verify.WithCertificateIdentity(who))
		result, err := verifier.Verify(signed, policy)
		if err == nil {
			return checkStatement(result)
		}
		failed = append(failed, err)
	}
	return explain(by, failed)
}

// CheckBundle reports whether a text is a bundle at all, whoever has made it.
func CheckBundle(text []byte) error {
	_, err := parse(text)
	return err
}

func parse(text []byte) (*bundle.Bundle, error) {
	signed := new(bundle.Bundle)
	if err := signed.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("this is not a bundle of Sigstore, which cosign sign-blob --bundle makes: %w", err)
	}
	return signed, nil
}

// identity is who must have signed. An empty part would match anybody.
func identity(by host.Sigstore) (verify.CertificateIdentity, error) {
	if by.Issuer == "" || (by.Identity == "") == (by.IdentityPattern == "") {
		return verify.CertificateIdentity{}, errors.New("a signer of Sigstore has an issuer, and either an identity or a pattern of identities")
	}
	if _, err := regexp.Compile(by.IdentityPattern); err != nil { // it could otherwise end the group below
		return verify.CertificateIdentity{}, fmt.Errorf("the pattern of identities is no regular expression: %w", err)
	}
	pattern := by.IdentityPattern
	if pattern != "" {
		pattern = "^(?:" + pattern + ")$"
	}
	return verify.NewShortCertificateIdentity(by.Issuer, "", by.Identity, pattern)
}

// newVerifier asks for all that an instance with such a trusted root gives to a signature.
func newVerifier(file string) (*verify.Verifier, error) {
	trusted, err := root.NewTrustedRootFromPath(file)
	if err != nil {
		return nil, fmt.Errorf("the trusted root %s cannot be read: %w", file, err)
	}
	if len(trusted.RekorLogs()) == 0 && len(trusted.TimestampingAuthorities()) == 0 {
		return nil, fmt.Errorf("the trusted root %s has neither a log nor a timestamp authority, so nobody says when a signature was made", file)
	}
	options := []verify.VerifierOption{verify.WithObserverTimestamps(1)}
	if len(trusted.RekorLogs()) > 0 {
		options = append(options, verify.WithTransparencyLog(1))
	}
	if len(trusted.CTLogs()) > 0 {
		options = append(options, verify.WithSignedCertificateTimestamps(1))
	}
	return verify.NewVerifier(trusted, options...)
}

func checkStatement(r *verify.VerificationResult) error {
	if r.Statement == nil || slices.Contains(statements, r.Statement.GetPredicateType()) {
		return nil
	}
	return fmt.Errorf("the signed statement is a %q, which does not say that its signer has made the module; want one of %s",
		r.Statement.GetPredicateType(), strings.Join(statements, ", "))
}

// explain tells a valid signature of somebody else from one that is not of the contents.
func explain(by host.Sigstore, failed []error) error {
	var other *verify.ErrNoMatchingCertificateIdentity
	if errors.As(errors.Join(failed...), &other) {
		return fmt.Errorf("somebody else has signed it: want the identity %q, for which %q vouched: %w", cmp.Or(by.Identity, by.IdentityPattern), by.Issuer, other)
	}
	return fmt.Errorf("the bundle does not prove who made the module: %w", failed[0])
}
