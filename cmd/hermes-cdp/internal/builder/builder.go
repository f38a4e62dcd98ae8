// Package builder compiles a plugin's directory into a module, with the compiler of its language, and packs the
// manifest.
package builder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/pack"
)

// Options say what is built and how.
type Options struct {
	Dir      string   // the plugin's directory, with manifest.json; empty: the working directory
	Language Language // empty: by the sources that are there; TinyGo before Go, where it is found
	Command  []string // in place of a compiler: the author's command; {out} in it stands for the file to write
	Output   string   // the file to write; empty: NAME.wasm in Dir, where NAME is the manifest's
	Debug    bool     // keep the names of functions, so that a fault shows where it happened; the module gets larger
	Environ  []string // of the compiler; PATH, TINYGO and CC say where compilers are
}

// Built tells what was made.
type Built struct {
	pack.Packed
	Language Language `json:"lang"`
	Compiler string   `json:"compiler"` // its path
}

// Build compiles the directory and packs its manifest. The file is replaced as a whole or not at all. The error is a
// [*MissingError] where there is no compiler, and a [*CompileError] where it refuses the sources.
func Build(ctx context.Context, o Options) (Built, error) {
	o.Dir = cmp.Or(o.Dir, ".")
	source, err := readManifest(o.Dir)
	if err != nil {
		return Built{}, err
	}
	name := source.Name
	if len(o.Command) == 0 && o.Language == "" {
		o.Command = source.Build
	}
	compiler, err := o.compiler()
	if err != nil {
		return Built{}, err
	}
	work, err := os.MkdirTemp("", "hermes-plugin-")
	if err != nil {
		return Built{}, err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, name+".wasm")
	if err := compiler.run(ctx, o, work, out); err != nil {
		return Built{}, err
	}
	target := cmp.Or(o.Output, filepath.Join(o.Dir, name+".wasm"))
	packed, err := pack.Pack(out, filepath.Join(o.Dir, manifestFile), target)
	return Built{Packed: packed, Language: compiler.language, Compiler: compiler.path}, err
}

// manifestFile is in every plugin's directory.
const manifestFile = "manifest.json"

// readManifest finds out before the compiler runs that there is nothing to pack.
func readManifest(dir string) (manifest.Source, error) {
	source, err := manifest.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; a plugin's directory has a manifest.json, hermes-cdp plugin new makes it", err)
	}
	return source, err
}

// compiler is the author's command, or the compiler of the language.
func (o Options) compiler() (compiler, error) {
	if len(o.Command) > 0 {
		program := o.Command[0]
		if filepath.Base(program) != program && !filepath.IsAbs(program) {
			program = filepath.Join(o.Dir, program)
		}
		path, found := executable(program, o.Environ)
		if !found {
			return compiler{}, &MissingError{o.Command[0], "install it, or correct the command, which is run in the plugin's directory"}
		}
		return compiler{language: Own, path: path}, nil
	}
	language, err := detect(o.Dir, o.Language)
	if err != nil {
		return compiler{}, err
	}
	return find(language, o)
}

// run compiles the directory into the file out; work is a directory that is removed afterwards.
func (c compiler) run(ctx context.Context, o Options, work, out string) error {
	arguments, environ, err := c.arguments(o, work, out)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, c.path, arguments...)
	cmd.Dir = o.Dir
	cmd.Env = append(append([]string(nil), o.Environ...), environ...)
	message, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &CompileError{c.path, strings.TrimSpace(string(message))}
	}
	if err == nil && !exists(out) {
		err = c.collect(work, out)
	}
	return err
}

// collect moves a module to where it belongs from where the compiler has put it.
func (c compiler) collect(work, out string) error {
	made, err := filepath.Glob(filepath.Join(work, cargoTarget, "release", "*.wasm"))
	switch {
	case err != nil:
		return err
	case len(made) == 1:
		return os.Rename(made[0], out)
	case c.language == Rust:
		return fmt.Errorf("cargo made %d modules; a plugin's Cargo.toml has one library with crate-type = [\"cdylib\"]", len(made))
	}
	return fmt.Errorf("%s succeeded and wrote no module; {out} in the command stands for the file to write", filepath.Base(c.path))
}

// CompileError is what a compiler said of the sources.
type CompileError struct{ Compiler, Output string }

// Error has the whole output.
func (e *CompileError) Error() string {
	return fmt.Sprintf("%s does not compile the plugin:\n%s", filepath.Base(e.Compiler), e.Output)
}
