package signer

import (
	"errors"
	"fmt"

	"aead.dev/minisign"
)

// verifyMinisign checks a module's signature (https://jedisct1.github.io/minisign/#signature-format).
func verifyMinisign(publicKey string, wasm, text []byte) error {
	key, err := parsePublicKey(publicKey)
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

// KeyOf is the id of the minisign key that made a signature, for people, who find it in the key's file; empty: it is
// none.
func KeyOf(text []byte) string {
	var signature minisign.Signature
	if err := signature.UnmarshalText(text); err != nil {
		return ""
	}
	return fmt.Sprintf("%016X", signature.KeyID)
}

// parsePublicKey parses a minisign key: the base64 text, or a whole key file.
func parsePublicKey(text string) (minisign.PublicKey, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(text)); err != nil {
		return key, errors.New("this is not a minisign public key: it must be the base64 text that begins with RW")
	}
	return key, nil
}
