package plugincmd

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// signerFlags name who must have signed a module.
type signerFlags signer.Signer

func (f *signerFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.PublicKey, "public-key", "", "the minisign `KEY` that must have signed the module")
	f.addSigstore(cmd)
}

func (f *signerFlags) addSigstore(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Sigstore.Issuer, "sigstore-issuer", "", "the `URL` of the OpenID Connect provider that must have vouched for the identity that signed the module with Sigstore")
	flags.StringVar(&f.Sigstore.Identity, "sigstore-identity", "", "the `IDENTITY` in its certificate, such as an email address or the URL of a workflow")
	flags.StringVar(&f.Sigstore.IdentityPattern, "sigstore-identity-pattern", "", "a regular expression that all of the identity matches")
	flags.StringVar(&f.Sigstore.TrustedRoot, "sigstore-root", "", "the `FILE` with the trusted root of the Sigstore instance")
}

// signer is what the flags ask for together.
func (f *signerFlags) signer() (signer.Signer, error) {
	by := signer.Signer(*f)
	if by.Sigstore == (signer.Sigstore{}) {
		return by, nil
	}
	s := by.Sigstore
	switch {
	case by.PublicKey != "":
		return by, cli.UsageError{Err: errors.New("--public-key and the flags of Sigstore exclude each other")}
	case s.Issuer == "" || s.TrustedRoot == "" || (s.Identity == "") == (s.IdentityPattern == ""):
		return by, cli.UsageError{Err: errors.New("a signer of Sigstore takes --sigstore-issuer, --sigstore-root, and either --sigstore-identity or --sigstore-identity-pattern")}
	}
	return by, nil
}

func verifySigstore(by signer.Sigstore, bundle []byte, contents ...[]byte) error {
	return sigstore.Verify(host.Sigstore(by), bundle, contents...)
}
