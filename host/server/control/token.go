package control

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// ReadToken reads the bearer token in a file. A file that others could have read is refused.
func ReadToken(path string) (string, error) {
	token, err := access.ReadSecret(path)
	if err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	return token, nil
}

// MakeToken reads the token in a file. If the file does not exist, it creates it with a random token.
func MakeToken(path string) (string, error) {
	if path == "" {
		return "", errors.New("control token: set control.token_file: the environment names no home directory for its default")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	// The first process creates it. It appears atomically, so that nobody reads half of it.
	file, err := os.CreateTemp(filepath.Dir(path), ".token-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }() // the link remains
	_, err = file.WriteString(rand.Text() + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("control token: %w", err)
	}
	return ReadToken(path)
}
