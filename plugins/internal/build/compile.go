package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

// TinyGo compiles modules with the TinyGo in a folder.
type TinyGo struct {
	Repository string // root of this repository
	Root       string // absolute; with bin/tinygo
}

// targetFile describes the machine that TinyGo compiles for; see tools/tinygo.
const targetFile = "tools/tinygo/unknown.json"

// Compile builds a module and packs its manifest into it.
func (t TinyGo) Compile(ctx context.Context, m Module) ([]byte, error) {
	return compile(t.Repository, m, func(out string) *exec.Cmd {
		// -panic=trap: a panic is the trap unreachable anyway, and its text has nowhere to go on this target.
		cmd := exec.CommandContext(ctx, filepath.Join(t.Root, "bin", "tinygo"), "build",
			"-target", targetFile, "-opt", "2", "-panic", "trap", "-no-debug", "-o", out, "./"+m.Source)
		cmd.Env = append(os.Environ(), "TINYGOROOT="+t.Root, "GOFLAGS=-mod=readonly")
		return cmd
	})
}

// Go builds a module with the Go toolchain and packs its manifest into it.
func Go(ctx context.Context, repository string, m Module) ([]byte, error) {
	return compile(repository, m, func(out string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, "./"+m.Source)
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=-mod=readonly", "CGO_ENABLED=0")
		return cmd
	})
}

// compile runs a compiler that writes to the file out.
func compile(repository string, m Module, command func(out string) *exec.Cmd) ([]byte, error) {
	folder, err := os.MkdirTemp("", "hermes-plugin-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, m.Name+".wasm")
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
	path := filepath.Join(repository, m.Source, "manifest.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	content, err := manifest.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return manifest.Write(wasm, &content)
}
