package origin

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// verify fetches the module's signature and checks it.
func verify(ctx context.Context, s Spec, o Options, m Module) ([]byte, error) {
	if s.Signature == "" && ociref.Is(s.URL) {
		return verifyAttached(ctx, s, o, m)
	}
	place, err := s.signature()
	if err != nil {
		return nil, err
	}
	source, err := sourceOf(place, httpsonly.Client(o.Client))
	if err != nil {
		return nil, fmt.Errorf("the signature: %w", err)
	}
	text, err := source.Fetch(ctx, signer.MaxBytes, func(int64, int64) {})
	if err != nil {
		return nil, fmt.Errorf("the signature at %s: %w; sign with: %s", source, err, s.Signer.HowToSign())
	}
	if err := s.Signer.Verify(o.VerifySigstore, m.Wasm, m.Manifest, text); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return text, nil
}

// signature is where the signature is stored.
func (s Spec) signature() (string, error) {
	switch {
	case s.Signature != "":
		return s.Signature, nil
	case s.Path != "":
		return s.Path + s.Signer.Suffix(), nil
	case s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil {
			return "", errors.New("the URL cannot be parsed")
		}
		u.Path += s.Signer.Suffix()
		u.RawPath = ""
		return u.String(), nil
	}
	return "", errors.New("a module given as bytes needs the location of its signature")
}
