package origin

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"aead.dev/minisign"
)

// maxSignature is the maximum size of a minisign signature file, in bytes: four short lines.
const maxSignature = 16 << 10

// verify fetches the module's signature and checks it.
func verify(ctx context.Context, s Spec, o Options, wasm []byte) ([]byte, error) {
	place, err := s.signature()
	if err != nil {
		return nil, err
	}
	source, err := sourceOf(place, o.client())
	if err != nil {
		return nil, fmt.Errorf("the signature: %w", err)
	}
	text, err := source.Fetch(ctx, maxSignature, func(int64, int64) {})
	if err != nil {
		return nil, fmt.Errorf("the signature at %s: %w; sign with: minisign -S -m FILE.wasm", source, err)
	}
	if err := Verify(s.PublicKey, wasm, text); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return text, nil
}

// Verify checks a module's signature (https://jedisct1.github.io/minisign/#signature-format).
func Verify(publicKey string, wasm, text []byte) error {
	key, err := ParsePublicKey(publicKey)
	if err != nil {
		return err
	}
	var signature minisign.Signature
	if err := signature.UnmarshalText(text); err != nil {
		return errors.New("this is not a minisign signature")
	}
	if signature.KeyID != key.ID() {
		return fmt.Errorf("the signature was made with the key %016X, but %016X is configured", signature.KeyID, key.ID())
	}
	if !minisign.Verify(key, wasm, text) {
		return errors.New("the signature does not match this module: the module was changed after signing, or the signature belongs to another file")
	}
	return nil
}

// ParsePublicKey parses a minisign key: the base64 text, or a whole key file.
func ParsePublicKey(text string) (minisign.PublicKey, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(text)); err != nil {
		return key, errors.New("this is not a minisign public key: it must be the base64 text that begins with RW")
	}
	return key, nil
}

// signature is where the signature is stored.
func (s Spec) signature() (string, error) {
	const suffix = ".minisig"
	switch {
	case s.Signature != "":
		return s.Signature, nil
	case s.Path != "":
		return s.Path + suffix, nil
	case s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil {
			return "", errors.New("the URL cannot be parsed")
		}
		u.Path += suffix
		u.RawPath = ""
		return u.String(), nil
	}
	return "", errors.New("a module given as bytes needs the location of its signature")
}
