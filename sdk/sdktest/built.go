package sdktest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// CommandEnv names the hermes-cdp command that [Built] uses; without it the one in PATH is used.
const CommandEnv = "HERMES_CDP"

// Built runs the golden table of a plugin's directory, testdata/golden.json, on the module that the command hermes-cdp
// builds of it, in the host's own runtime. Where there is no such command, the test is skipped: the sources are tested
// by [Run] with [Native].
func Built(t *testing.T, dir string) {
	t.Helper()
	command := os.Getenv(CommandEnv)
	if command == "" {
		var err error
		if command, err = exec.LookPath("hermes-cdp"); err != nil {
			//nolint:forbidigo // it is the author's test, which says so; the sources are tested without the command
			t.Skipf("the module is not tested: %v; %s names the command", err, CommandEnv)
		}
	}
	module := filepath.Join(t.TempDir(), "built.wasm")
	for _, args := range [][]string{
		{"plugin", "build", dir, "--output", module},
		{"plugin", "test", dir, "--module", module},
	} {
		if out, err := exec.CommandContext(t.Context(), command, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s %s: %v\n%s", command, args[0], args[1], err, out)
		}
	}
}
