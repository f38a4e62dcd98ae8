package storagestate

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Key encrypts states. The zero value encrypts nothing.
type Key struct {
	aead cipher.AEAD
	head []byte // of its files; it tells keys apart
}

// magic begins an encrypted file, on a line that also has the id of the key.
const magic = "hermes-cdp-state v1 aes-256-gcm "

// ParseKey reads a key: 32 random bytes in base64, as `openssl rand -base64 32` prints them. An empty text is the zero
// Key.
func ParseKey(text string) (Key, error) {
	if text = strings.TrimSpace(text); text == "" {
		return Key{}, nil
	}
	secret, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(secret) != 32 {
		return Key{}, fmt.Errorf("%w: the key must be 32 random bytes in base64, as `openssl rand -base64 32` prints them", fault.ErrStateKey)
	}
	return newKey(secret)
}

// newKey derives what encrypts and what names the key from the secret, so that neither tells of the other.
func newKey(secret []byte) (Key, error) {
	encrypting, err := hkdf.Key(sha256.New, secret, nil, "hermes-cdp state: key", 32)
	if err != nil {
		return Key{}, err
	}
	id, err := hkdf.Key(sha256.New, secret, nil, "hermes-cdp state: id", 8)
	if err != nil {
		return Key{}, err
	}
	block, err := aes.NewCipher(encrypting)
	if err != nil {
		return Key{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return Key{aead: aead, head: []byte(magic + hex.EncodeToString(id) + "\n")}, err
}

// Seal encrypts a file, if there is a key.
func (k Key) Seal(plain []byte) []byte {
	if k.aead == nil {
		return plain
	}
	return k.aead.Seal(bytes.Clone(k.head), nil, plain, k.head)
}

// Open decrypts a file. All of it is authenticated before any of it is returned. With a key, a file that is not
// encrypted is refused: somebody without the key may have put it there. Errors: ErrStateKey, ErrBadState.
func (k Key) Open(file []byte) ([]byte, error) {
	sealed := bytes.HasPrefix(file, []byte(magic))
	switch {
	case k.aead == nil && sealed:
		return nil, fmt.Errorf("%w: it is encrypted, and no key is configured", fault.ErrStateKey)
	case k.aead == nil:
		return file, nil
	case !sealed:
		return nil, fmt.Errorf("%w: it is not encrypted, and a key is configured: whoever wrote it may not have had the key; load it without a key", fault.ErrStateKey)
	case !bytes.HasPrefix(file, k.head) && headIsWhole(file):
		return nil, fmt.Errorf("%w: it is encrypted with another key", fault.ErrStateKey)
	case !bytes.HasPrefix(file, k.head):
		return nil, errDamaged
	}
	plain, err := k.aead.Open(nil, nil, file[len(k.head):], k.head)
	if err != nil {
		return nil, errDamaged
	}
	return plain, nil
}

var errDamaged = fmt.Errorf("%w: it is damaged: not all of it is as it was written", fault.ErrBadState)

// headIsWhole reports whether a file begins with the line of some key.
func headIsWhole(file []byte) bool {
	line, _, whole := bytes.Cut(file, []byte("\n"))
	id, err := hex.DecodeString(strings.TrimPrefix(string(line), magic))
	return whole && err == nil && len(id) == 8
}
