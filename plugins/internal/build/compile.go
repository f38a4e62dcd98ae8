package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

// Plugins returns the shipped modules and those for tests, compiled by the TinyGo in root, an absolute path.
func Plugins(repository, root string) Set {
	golden := func(m Module) string { return path.Join(m.Source, GoldenTable) }
	return Set{repository, RecordPath, "make plugins", Modules(), golden, tinyGo{repository, root}}
}

type tinyGo struct{ repository, root string }

// targetFile describes the machine that TinyGo compiles for; see tools/tinygo.
const targetFile = "tools/tinygo/unknown.json"

func (t tinyGo) compile(ctx context.Context, m Module) ([]byte, error) {
	return compile(t.repository, m, func(out string) *exec.Cmd {
		// -panic=trap: on this target a panic is a trap anyway, and its text goes nowhere.
		cmd := exec.CommandContext(ctx, filepath.Join(t.root, "bin", "tinygo"), "build",
			"-target", targetFile, "-opt", "2", "-panic", "trap", "-no-debug", "-o", out, "./"+m.Source)
		cmd.Env = append(os.Environ(), "TINYGOROOT="+t.root, "GOFLAGS=-mod=readonly")
		return cmd
	})
}

// Go builds a module with the Go toolchain, with its manifest.
func Go(ctx context.Context, repository string, m Module) ([]byte, error) {
	return compile(repository, m, func(out string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, "./"+m.Source)
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=-mod=readonly", "CGO_ENABLED=0")
		return cmd
	})
}

// compile runs a compiler that writes to the file out, and packs the manifest into the module.
func compile(repository string, m Module, command func(out string) *exec.Cmd) ([]byte, error) {
	dir, err := os.MkdirTemp("", "hermes-plugin-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, m.Name+".wasm")
	cmd := command(out)
	cmd.Dir = repository
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build %s: %w\n%s", m.Name, err, message)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	return pack(repository, m, wasm)
}

func pack(repository string, m Module, wasm []byte) ([]byte, error) {
	source, err := manifest.ReadFile(filepath.Join(repository, m.Source, "manifest.json"))
	if err != nil {
		return nil, err
	}
	return manifest.Write(wasm, &source.Manifest)
}
