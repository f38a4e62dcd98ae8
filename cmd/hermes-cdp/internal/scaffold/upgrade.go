package scaffold

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// Upgraded tells what [Upgrade] did.
type Upgraded struct {
	Dir     string   `json:"dir"`
	Changed []string `json:"changed"` // relative to Dir, sorted; what is the same already is not in it
}

// Upgrade brings what a plugin's directory has of the ABI to the version of this command: the copy of abi and sdk, or
// the generated file. The author's own files stay as they are.
func Upgrade(ctx context.Context, dir string) (Upgraded, error) {
	files := make(map[string][]byte)
	for language, at := range generatedAt {
		// Where an author has moved it, next to the sources, it is found too.
		for _, name := range []string{at, path.Base(at)} {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				continue
			}
			text, err := bindings.Generate(ctx, language)
			if err != nil {
				return Upgraded{}, err
			}
			files[name] = text
		}
	}
	stale, err := staleSDK(dir, files)
	if err != nil {
		return Upgraded{}, err
	}
	if len(files) == 0 {
		return Upgraded{}, fmt.Errorf("%s has neither the directory %s nor a generated file (%s): hermes-cdp plugin new makes one of them; "+
			"a plugin that requires the SDK as a module is upgraded by go get github.com/hermes-cdp/hermes-cdp@latest", dir, sdkDir,
			builder.Words([]string{"hermes.h", "hermes.rs", "hermes.ts", "hermes.zig"}))
	}
	done := Upgraded{Dir: dir, Changed: stale}
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if before, err := os.ReadFile(at); err == nil && string(before) == string(text) {
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), wholefile.Write(at, text, 0o644)); err != nil {
			return done, err
		}
		done.Changed = append(done.Changed, name)
	}
	slices.Sort(done.Changed)
	return done, nil
}

// staleSDK adds the files of the SDK for a directory that has a copy, and removes the Go files that the SDK no longer
// has. The error is that of a directory that is no such copy, such as a clone of the whole repository.
func staleSDK(dir string, files map[string][]byte) (removed []string, err error) {
	copied := filepath.Join(dir, sdkDir)
	if _, err := os.Stat(filepath.Join(copied, "go.mod")); err != nil {
		return nil, nil //nolint:nilerr // there is no copy
	}
	for _, other := range []string{".git", "host"} {
		if _, err := os.Lstat(filepath.Join(copied, other)); err == nil {
			return nil, fmt.Errorf("%s is no copy of the SDK, since it has %s: run this in the directory of a plugin", copied, other)
		}
	}
	if info, err := os.Lstat(copied); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory of its own: remove it, and run this again for a copy of the SDK", copied)
	}
	if err := addSDK(files); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(copied, func(at string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(entry.Name()) != ".go" {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if _, kept := files[name]; kept || name == sdkDir+"/go.mod" {
			return nil
		}
		removed = append(removed, name)
		return os.Remove(at)
	})
	return removed, err
}
