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

// ReadToken reads the bearer token of a file. A file that others could have read is refused.
func ReadToken(path string) (string, error) {
	token, err := access.ReadSecret(path)
	if err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	return token, nil
}

// MakeToken reads the token of a file, and makes the file with a random one if it is not there.
func MakeToken(path string) (string, error) {
	if path == "" {
		return "", errors.New("control token: set control.token_file: the environment names no home directory for its default")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	// Whoever is first makes it; it appears whole, so that nobody reads half of one.
	file, err := os.CreateTemp(filepath.Dir(path), ".token-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }() // it has its other name then
	_, err = file.WriteString(rand.Text() + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("control token: %w", err)
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("control token: %w", err)
	}
	return ReadToken(path)
}
