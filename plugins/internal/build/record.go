package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Record is BUILD.json: what the committed modules were built with, and their hashes.
type Record struct {
	Tools   map[string]string `json:"tools"`   // the versions of the tools that determine the bytes
	Modules map[string]string `json:"modules"` // sha256 by path
}

// tinygoVersion matches the output of `tinygo version`.
var tinygoVersion = regexp.MustCompile(`tinygo version (\S+) .*using go version (\S+) and LLVM version (\S+)\)`)

// debianTools are the packages whose content or output ends up in a module.
var debianTools = []string{"binaryen", "libclang-rt-19-dev-wasm32", "lld-19", "wasi-libc"}

func (t tinyGo) tools(ctx context.Context) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(t.root, "bin", "tinygo"), "version")
	cmd.Env = append(os.Environ(), "TINYGOROOT="+t.root)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ask TinyGo in %s for its version (make tools installs it): %w", t.root, err)
	}
	match := tinygoVersion.FindStringSubmatch(string(out))
	if match == nil {
		return nil, fmt.Errorf("cannot read the version of TinyGo from %q", out)
	}
	tools := map[string]string{"tinygo": match[1], "go": match[2], "llvm": match[3]}
	for _, name := range debianTools {
		tools[name] = debianVersion(ctx, name)
	}
	return tools, nil
}

// debianVersion returns "none" for a package that is not installed.
func debianVersion(ctx context.Context, name string) string {
	out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f=${Version}", name).Output()
	if err != nil || len(out) == 0 {
		return "none"
	}
	return string(out)
}

// Hash returns the sha256 of a module as in the record.
func Hash(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}

// ReadRecord reads a record, by its path in the repository.
func ReadRecord(repository, path string) (Record, error) {
	var r Record
	data, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Write writes a record, by its path in the repository.
func (r Record) Write(repository, path string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, path), append(data, '\n'), 0o644)
}

// Differences lists the tools that differ from those of the record, for people.
func (r Record) Differences(tools map[string]string) string {
	all := maps.Clone(r.Tools)
	maps.Copy(all, tools)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if r.Tools[name] != tools[name] {
			lines = append(lines, fmt.Sprintf("%s is %q, the modules were built with %q", name, tools[name], r.Tools[name]))
		}
	}
	return strings.Join(lines, "; ")
}
