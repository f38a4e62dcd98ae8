package origin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hermes-cdp/hermes-cdp/internal/registry"
)

// file is a path on this machine.
type file string

func (f file) String() string { return string(f) }

// Fetch implements [Source].
func (f file) Fetch(_ context.Context, limit int64, _ func(done, total int64)) ([]byte, error) {
	opened, err := os.Open(string(f))
	return readFile(string(f), opened, err, limit)
}

// readFile reads an opened file, or says why it could not be opened.
func readFile(name string, opened *os.File, err error, limit int64) ([]byte, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; check the path, which is relative to the working directory", err)
	} else if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; name the .wasm file in it", name)
	case info.Size() > limit:
		return nil, tooLarge(info.Size(), limit)
	}
	return readAll(opened, limit)
}

// inMemory is a module given as bytes.
type inMemory struct {
	wasm []byte
	name string
}

func (m inMemory) String() string {
	if m.name == "" {
		return "bytes"
	}
	return m.name
}

// Fetch implements [Source].
func (m inMemory) Fetch(_ context.Context, limit int64, _ func(done, total int64)) ([]byte, error) {
	if int64(len(m.wasm)) > limit {
		return nil, tooLarge(int64(len(m.wasm)), limit)
	}
	return bytes.Clone(m.wasm), nil // so that the caller cannot change what was verified
}

var errTooLarge = registry.ErrTooLarge

// readAll reads everything, even if the announced size is wrong (a pipe, a growing file).
func readAll(r io.Reader, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, fmt.Errorf("%w: it has more than %d bytes, which is the limit", errTooLarge, limit)
	}
	return content, nil
}

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%w: it has %d bytes, but the limit is %d", errTooLarge, size, limit)
}
