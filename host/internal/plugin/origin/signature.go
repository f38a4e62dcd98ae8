package origin

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"aead.dev/minisign"
)

// maxSignature is the size in bytes up to which a file can be a minisign signature: four short lines.
const maxSignature = 16 << 10

// verify checks the module's signature (https://jedisct1.github.io/minisign/#signature-format).
func verify(ctx context.Context, s Spec, o Options, wasm []byte) error {
	key, err := ParsePublicKey(s.PublicKey)
	if err != nil {
		return err
	}
	place, err := s.signature()
	if err != nil {
		return err
	}
	source, err := sourceOf(place, o.client())
	if err != nil {
		return fmt.Errorf("the signature: %w", err)
	}
	text, err := source.Fetch(ctx, maxSignature, func(int64, int64) {})
	if err != nil {
		return fmt.Errorf("the signature at %s: %w; sign with: minisign -S -m FILE.wasm", source, err)
	}
	var signature minisign.Signature
	if err := signature.UnmarshalText(text); err != nil {
		return fmt.Errorf("%s is not a minisign signature", source)
	}
	if signature.KeyID != key.ID() {
		return fmt.Errorf("the signature was made with the key %016X, and %016X is configured", signature.KeyID, key.ID())
	}
	if !minisign.Verify(key, wasm, text) {
		return errors.New("the signature is not of this module: it was changed after it was signed, or the signature is another file's")
	}
	return nil
}

// ParsePublicKey reads a minisign key: the base64 text, or a whole key file.
func ParsePublicKey(text string) (minisign.PublicKey, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(text)); err != nil {
		return key, errors.New("the public key is not one of minisign: want the base64 text that begins with RW")
	}
	return key, nil
}

// signature is where the signature is kept.
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
			return "", errors.New("the address can not be parsed")
		}
		u.Path += suffix
		u.RawPath = ""
		return u.String(), nil
	}
	return "", errors.New("a module that is given as bytes needs the place of its signature")
}
