// Package keep keeps on disk what plugins have served with, for the next process: each module under its hash, with its
// signature beside it, and one record per plugin, whose content is its caller's.
package keep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
	"github.com/hermes-cdp/hermes-cdp/host/internal/privatedir"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

const (
	moduleSuffix = ".wasm"
	recordSuffix = ".json"
)

// Store is a directory of kept modules and records. One process has it at a time. Methods may be called concurrently;
// those about one name must not be.
type Store struct {
	dir  string
	lock *os.File
}

// Open takes a directory, which is created with mode 0700. It is refused if others can write to it, because what is in
// it is run, and if another process has it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := privatedir.Check(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(lock); err != nil {
		return nil, errors.Join(fmt.Errorf("another process has %s; give each daemon a directory of its own (plugin_state_dir)", dir), lock.Close())
	}
	return &Store{dir, lock}, nil
}

// Close gives the directory up.
func (s *Store) Close() error { return filelock.Close(s.lock) }

// Module returns a kept module, which still has the hash, and its signature in the file with the suffix
// ([signer.SuffixOf]); nil: it had none.
func (s *Store) Module(digest, suffix string) (wasm, signature []byte, err error) {
	wasm, err = os.ReadFile(s.file(digest, moduleSuffix))
	if err != nil {
		return nil, nil, err
	}
	if got := hashOf(wasm); got != digest {
		return nil, nil, fmt.Errorf("the kept module %s has the sha256 %s: it was changed", s.file(digest, moduleSuffix), got)
	}
	if suffix == "" {
		return wasm, nil, nil
	}
	signature, err = os.ReadFile(s.file(digest, moduleSuffix+suffix))
	if errors.Is(err, fs.ErrNotExist) {
		return wasm, nil, nil
	}
	return wasm, signature, err
}

// AddModule keeps a module under its hash, and its signature if it has one, in a file as its command names it, which
// can then verify it.
func (s *Store) AddModule(digest string, wasm, signature []byte) error {
	if signature != nil {
		if err := wholefile.Write(s.file(digest, moduleSuffix+signer.SuffixOf(signature)), signature, 0o600); err != nil {
			return err
		}
	}
	if _, _, err := s.Module(digest, ""); err == nil {
		return nil
	}
	return wholefile.Write(s.file(digest, moduleSuffix), wasm, 0o600)
}

// Record returns what was recorded last under a name; nil: nothing was.
func (s *Store) Record(name string) ([]byte, error) {
	text, err := os.ReadFile(s.file(name, recordSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// SetRecord replaces the record of a name in one step; nil removes it.
func (s *Store) SetRecord(name string, text []byte) error {
	if text != nil {
		return wholefile.Write(s.file(name, recordSuffix), text, 0o600)
	}
	if err := os.Remove(s.file(name, recordSuffix)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Names are those that have a record.
func (s *Store) Names() ([]string, error) { return s.list(recordSuffix) }

// Sweep removes the modules that are not in use.
func (s *Store) Sweep(used map[string]bool) error {
	kept, err := s.list(moduleSuffix)
	for _, digest := range kept {
		if used[digest] {
			continue
		}
		for _, suffix := range append([]string{""}, signer.Suffixes...) {
			if failed := os.Remove(s.file(digest, moduleSuffix+suffix)); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}

func (s *Store) list(suffix string) ([]string, error) {
	files, err := os.ReadDir(s.dir)
	var names []string
	for _, file := range files {
		if name, is := strings.CutSuffix(file.Name(), suffix); is && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names, err
}

func (s *Store) file(name, suffix string) string { return filepath.Join(s.dir, name+suffix) }

func hashOf(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}
