package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// maxBytes is more than any module has. What comes after it is not read, so that no file keeps the reader busy for
// long.
const maxBytes = 1<<30 + 1

// Digest returns the sha256 of a regular file in hexadecimal: that of the beginning if the file is over 1 GiB. It reads
// nothing from other files, such as a pipe.
func Digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, maxBytes)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
