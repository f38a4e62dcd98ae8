package builder

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// arguments is the command line of the compiler, in the plugin's directory, and what its environment needs besides.
func (c compiler) arguments(o Options, work, out string) (arguments, environ []string, err error) {
	switch c.language {
	case TinyGo:
		return c.tinygo(o, work, out)
	case Go:
		return golang(o, out), []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0"}, nil
	case C:
		return clang(o, out)
	case Rust:
		return cargo(o, work), nil, nil
	case Zig:
		return c.zig(o, work, out)
	case Own:
		return ownCommand(o, out), nil, nil
	default:
		return asc(o, out)
	}
}

// ownCommand is the author's, with the file to write in place of {out}.
func ownCommand(o Options, out string) []string {
	var arguments []string
	for _, argument := range o.Command[1:] {
		arguments = append(arguments, strings.ReplaceAll(argument, "{out}", out))
	}
	return arguments
}

// cargoTarget is the machine that a plugin runs on, as Rust calls it.
const cargoTarget = "wasm32-unknown-unknown"

// cargo builds the library of the directory. Cargo.toml says how: the profile release.
func cargo(o Options, work string) []string {
	arguments := []string{"build", "--release", "--quiet", "--target", cargoTarget, "--target-dir", work}
	if o.Debug {
		arguments = append(arguments, "--config", "profile.release.strip=false")
	}
	return arguments
}

// zig compiles main.zig. Before 0.12 a module without a start function was a dynamic library.
func (c compiler) zig(o Options, work, out string) (arguments, environ []string, err error) {
	cmd := exec.Command(c.path, "version")
	cmd.Env = o.Environ
	version, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%s version: %w", c.path, err)
	}
	arguments = []string{"build-exe", "-fno-entry"}
	if strings.HasPrefix(string(version), "0.11.") {
		arguments = []string{"build-lib", "-dynamic"}
	}
	if !o.Debug {
		arguments = append(arguments, "-fstrip")
	}
	arguments = append(arguments, "main.zig", "-target", "wasm32-freestanding", "-mcpu", "generic+bulk_memory+sign_ext+nontrapping_fptoint",
		"-O", "ReleaseSmall", "-rdynamic", "--stack", "16384", "--cache-dir", filepath.Join(work, "cache"), "-femit-bin="+out)
	return arguments, nil, nil
}

// tinygo uses a target of the project's own, as the module must import nothing but the ABI. A panic is the trap
// unreachable on it: a text has nowhere to go.
func (c compiler) tinygo(o Options, work, out string) (arguments, environ []string, err error) {
	description, err := target(exists)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(work, "target.json")
	if err := os.WriteFile(file, description, 0o600); err != nil {
		return nil, nil, err
	}
	arguments = []string{"build", "-target", file, "-opt", "2", "-panic", "trap"}
	if !o.Debug {
		arguments = append(arguments, "-no-debug")
	}
	// A TinyGo that was built from its module does not know where its own library is.
	if root := filepath.Dir(filepath.Dir(c.path)); variable(o.Environ, "TINYGOROOT") == "" && exists(filepath.Join(root, "targets")) {
		environ = append(environ, "TINYGOROOT="+root)
	}
	return append(arguments, "-o", out, "."), environ, nil
}

func golang(o Options, out string) []string {
	arguments := []string{"build", "-buildmode=c-shared", "-trimpath"}
	if !o.Debug {
		arguments = append(arguments, "-ldflags=-s -w")
	}
	return append(arguments, "-o", out, ".")
}

// clang compiles without a C library. The stack lies first in memory, so that an overflow traps and overwrites nothing.
func clang(o Options, out string) (arguments, environ []string, err error) {
	files, err := filepath.Glob(filepath.Join(o.Dir, "*.c"))
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, nil, fmt.Errorf("%s has no *.c", o.Dir)
	}
	arguments = []string{"--target=wasm32", "-std=c17", "-O2", "-ffreestanding", "-fno-builtin", "-mbulk-memory", "-nostdlib",
		"-Wall", "-Wextra", "-Wno-c23-extensions", "-Wl,--no-entry", "-Wl,--stack-first", "-Wl,-z,stack-size=16384"}
	if !o.Debug {
		arguments = append(arguments, "-Wl,--strip-all")
	}
	arguments = append(arguments, "-o", out)
	for _, file := range files {
		arguments = append(arguments, filepath.Base(file))
	}
	return arguments, nil, nil
}

// asc is told the rest by asconfig.json in the directory, so that npm scripts build the same.
func asc(o Options, out string) (arguments, environ []string, err error) {
	entry, err := entryPoint(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	arguments = []string{entry, "--config", "asconfig.json", "--outFile", out}
	if o.Debug {
		arguments = append(arguments, "--debug")
	}
	return arguments, nil, nil
}

// entryPoint is assembly/index.ts, where asinit puts it, or policy.ts, as plugin new does.
func entryPoint(dir string) (string, error) {
	for _, name := range []string{"policy.ts", "assembly/index.ts"} {
		if exists(filepath.Join(dir, filepath.FromSlash(name))) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s has neither policy.ts nor assembly/index.ts, where a module in AssemblyScript begins", dir)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
