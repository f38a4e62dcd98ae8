//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const tutorial = "../../docs/plugins.md"

// Every command of the tutorial runs, in its order, without a network.
func TestTheTutorialWorks(t *testing.T) {
	s := newShell(t)
	text, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	r := tutorialRun{shell: s, dir: t.TempDir(), modules: t.TempDir()}
	commands := consoleCommands(string(text))
	if len(commands) < 15 {
		t.Fatalf("the tutorial has the commands %q", commands)
	}
	for _, command := range commands {
		r.run(t, command)
	}
	if r.daemon == nil {
		t.Fatal("the tutorial starts no daemon")
	}
	if code := r.daemon.end(syscall.SIGTERM); code != exitOK {
		t.Errorf("the daemon ends with %d", code)
	}
}

// consoleCommands lists the lines after a $ in the blocks of a console.
func consoleCommands(text string) []string {
	var commands []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			inside = line == "```console"
		}
		if command, isCommand := strings.CutPrefix(line, "$ "); inside && isCommand {
			commands = append(commands, command)
		}
	}
	return commands
}

// tutorialRun is a person at a terminal.
type tutorialRun struct {
	*shell
	dir     string // where they are
	modules string // an empty directory of downloaded Go modules
	daemon  *process
}

func (r *tutorialRun) run(t *testing.T, command string) {
	t.Helper()
	if to, changes := strings.CutPrefix(command, "cd "); changes {
		r.dir = filepath.Join(r.dir, to)
		return
	}
	if daemon, background := strings.CutSuffix(command, " &"); background {
		r.start(t, daemon)
		return
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", command)
	cmd.Dir, cmd.Env = r.dir, r.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("$ %s\n%v\n%s", command, err, out)
	}
}

// start runs the daemon beside the test, until it says that it is ready.
func (r *tutorialRun) start(t *testing.T, command string) {
	t.Helper()
	arguments := strings.Fields(command)
	if arguments[0] != "hermes-cdp" {
		t.Fatalf("%q runs in the background", command)
	}
	r.daemon = r.shell.startIn(r.dir, arguments[1:]...)
	r.daemon.stdout.next(t, "ready at ")
}

// environ has the command in its path, and no network for Go. The home is not where the caches of Go are.
func (r *tutorialRun) environ() []string {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		r.t.Fatal(err)
	}
	return append(r.command().Env, "PATH="+filepath.Dir(r.binary)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOMODCACHE="+r.modules, "GOCACHE="+strings.TrimSpace(string(cache)))
}
