package origin

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/minisig"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

// verify fetches the module's signature and checks it.
func verify(ctx context.Context, s Spec, o Options, wasm []byte) ([]byte, error) {
	if s.Signature == "" && ociref.Is(s.URL) {
		return verifyAttached(ctx, s, o, wasm)
	}
	place, err := s.signature()
	if err != nil {
		return nil, err
	}
	source, err := sourceOf(place, httpsonly.Client(o.Client))
	if err != nil {
		return nil, fmt.Errorf("the signature: %w", err)
	}
	text, err := source.Fetch(ctx, minisig.MaxBytes, func(int64, int64) {})
	if err != nil {
		return nil, fmt.Errorf("the signature at %s: %w; sign with: minisign -S -m FILE.wasm", source, err)
	}
	if err := minisig.Verify(s.PublicKey, wasm, text); err != nil {
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
		return s.Path + minisig.Suffix, nil
	case s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil {
			return "", errors.New("the URL cannot be parsed")
		}
		u.Path += minisig.Suffix
		u.RawPath = ""
		return u.String(), nil
	}
	return "", errors.New("a module given as bytes needs the location of its signature")
}
