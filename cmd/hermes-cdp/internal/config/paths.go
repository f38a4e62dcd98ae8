package config

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// homeDir is the user's home according to the environment, or "".
func homeDir(env map[string]string) string {
	if home := env["HOME"]; home != "" {
		return home
	}
	return env["USERPROFILE"]
}

// xdgPath joins a directory of the XDG base directory specification with parts, or returns "" if the environment names
// neither the directory nor a home. A relative directory is invalid by that specification and ignored.
//
// https://specifications.freedesktop.org/basedir-spec/latest/
func xdgPath(env map[string]string, variable, fallback string, parts ...string) string {
	dir := env[variable]
	if !filepath.IsAbs(dir) {
		home := homeDir(env)
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, fallback)
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

// defaultFile is the configuration file that is read when none is named, or "" if the environment names no home.
func defaultFile(env map[string]string) string {
	return xdgPath(env, "XDG_CONFIG_HOME", ".config", "hermes-cdp", "config.yaml")
}

// cacheDir is a directory of hermes-cdp's own among those that can be made again.
func cacheDir(env map[string]string, name string) string {
	return xdgPath(env, "XDG_CACHE_HOME", ".cache", "hermes-cdp", name)
}

// defaultSocket is in the directory for what lives as long as the user's login, else in one of this user's own: the
// directory for temporary files belongs to everybody.
func defaultSocket(env map[string]string) string {
	if dir := env["XDG_RUNTIME_DIR"]; filepath.IsAbs(dir) {
		return filepath.Join(dir, "hermes-cdp", "control.sock")
	}
	own := "hermes-cdp"
	if user := os.Getuid(); user >= 0 { // on Windows, which has no such ids, each user has a directory for temporary files
		own += "-" + strconv.Itoa(user)
	}
	return filepath.Join(cmp.Or(env["TMPDIR"], os.TempDir()), own, "control.sock")
}

// agentsSocketBeside is the agents' socket of the daemon that has this one, and of no other.
func agentsSocketBeside(socket string) string {
	return strings.TrimSuffix(socket, ".sock") + "-agents.sock"
}

// stateDir is where the state of programs is: it outlives them, and is nothing that people write.
func stateDir(env map[string]string, name string) string {
	return xdgPath(env, "XDG_STATE_HOME", ".local/state", "hermes-cdp", name)
}

// dataDir is where what belongs to the user is that programs keep.
func dataDir(env map[string]string, name string) string {
	return xdgPath(env, "XDG_DATA_HOME", ".local/share", "hermes-cdp", name)
}

func defaultTokenFile(env map[string]string) string {
	return xdgPath(env, "XDG_CONFIG_HOME", ".config", "hermes-cdp", "control.token")
}

// resolvePath expands a leading ~/ and makes a path of a file relative to that file's directory.
func resolvePath(path, dir, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	if path == "" || dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
