package builder

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// compiler is a compiler that was found.
type compiler struct {
	language Language
	path     string
}

// MissingError says that the compiler of a language is not there, and how to get it.
type MissingError struct {
	Tool string // what was looked for
	Get  string // what to do
}

// Error says both.
func (e *MissingError) Error() string { return fmt.Sprintf("%s is not there: %s", e.Tool, e.Get) }

// How to get the compilers.
const (
	getTinyGo = "install it (https://tinygo.org/getting-started/install), name its executable in TINYGO, or run make tools in " +
		"a checkout of hermes-cdp; --lang go builds with Go instead, into a larger module"
	getGo    = "install it (https://go.dev/dl)"
	getClang = "install clang and lld, 15 or newer, or name clang in CC; on Debian: apt-get install clang lld"
	getRust  = "install Rust (https://rustup.rs) and rustup target add wasm32-unknown-unknown, or name cargo in CARGO; on Debian: apt-get install cargo rustc libstd-rust-dev-wasm32"
	getZig   = "install it, 0.11 or newer (https://ziglang.org/download), or name its executable in ZIG"
	getASC   = "run npm install in the plugin's directory, once and with a network"
)

// find looks for the compiler of a language. For Go sources it is TinyGo, else Go.
func find(language Language, o Options) (compiler, error) {
	switch language {
	case goSources:
		if found, err := find(TinyGo, o); err == nil || variable(o.Environ, "TINYGO") != "" {
			return found, err
		}
		if found, err := find(Go, o); err == nil {
			return found, nil
		}
		return compiler{}, &MissingError{"TinyGo or Go", getTinyGo}
	case TinyGo:
		return first(TinyGo, o, "TINYGO", []string{"tinygo"}, cached(o.Dir), &MissingError{"TinyGo", getTinyGo})
	case Go:
		return first(Go, o, "", []string{"go"}, nil, &MissingError{"Go", getGo})
	case C:
		return first(C, o, "CC", clangs(), nil, &MissingError{"clang", getClang})
	case Rust:
		return first(Rust, o, "CARGO", []string{"cargo"}, nil, &MissingError{"cargo", getRust})
	case Zig:
		return first(Zig, o, "ZIG", []string{"zig"}, nil, &MissingError{"zig", getZig})
	default:
		own := filepath.Join(o.Dir, "node_modules", ".bin", "asc")
		return first(AssemblyScript, o, "", []string{"asc"}, []string{own}, &MissingError{"asc, the compiler of AssemblyScript,", getASC})
	}
}

// clangs are the names that clang has; distributions add the version.
func clangs() []string {
	names := []string{"clang"}
	for version := 22; version >= 15; version-- {
		names = append(names, fmt.Sprintf("clang-%d", version))
	}
	return names
}

// cached is where make tools puts TinyGo in a checkout of this project, for a plugin's directory anywhere in it.
func cached(dir string) []string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for {
		paths = append(paths, filepath.Join(at, ".cache", "tinygo", "bin", "tinygo"))
		parent := filepath.Dir(at)
		if parent == at {
			return paths
		}
		at = parent
	}
}

// first finds a compiler: what the variable names, else a name in PATH, else one of the files.
func first(language Language, o Options, env string, names, files []string, missing *MissingError) (compiler, error) {
	if named := variable(o.Environ, env); env != "" && named != "" {
		path, ok := executable(named, o.Environ)
		if !ok {
			return compiler{}, &MissingError{fmt.Sprintf("%s=%s", env, named), "name an executable file, or unset the variable"}
		}
		return compiler{language, path}, nil
	}
	for _, candidate := range append(names, files...) {
		if path, ok := executable(candidate, o.Environ); ok {
			return compiler{language, path}, nil
		}
	}
	return compiler{}, missing
}

// executable finds a program by its path, or by its name in PATH. The result is absolute: the compiler runs in the
// directory.
func executable(name string, environ []string) (string, bool) {
	candidates := []string{name}
	if filepath.Base(name) == name {
		candidates = candidates[:0]
		for _, dir := range filepath.SplitList(variable(environ, "PATH")) {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	for _, candidate := range candidates {
		path, err := filepath.Abs(candidate)
		if err != nil {
			continue
		}
		if path, err = exec.LookPath(path); err == nil {
			return path, true
		}
	}
	return "", false
}

// variable is the value of an environment variable; the last one counts, as for a process.
func variable(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(environ[i], "="); key == name {
			return value
		}
	}
	return ""
}
