package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completed asks as a shell does, where no daemon is.
func completed(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	dir := t.TempDir()
	exit, out, errs := runInProcess(t, append([]string{cobra.ShellCompRequestCmd}, args...), []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir})
	if exit != exitOK || strings.Contains(errs, "hermes-cdp:") {
		t.Fatalf("%q: exit %d: %s", args, exit, errs)
	}
	all := strings.Split(strings.TrimSpace(out), "\n")
	return all[:len(all)-1], all[len(all)-1]
}

func TestCompletionsWithoutADaemon(t *testing.T) {
	for line, want := range map[string]string{
		"browser wait-":                                 "wait-for",
		"browser navigate u --wait-until d":             "domcontentloaded",
		"browser navigate u --wait-until=n":             "networkidle",
		"browser scroll ":                               "up down left right",
		"browser dialog d":                              "dismiss",
		"browser tabs f":                                "focus",
		"browser click e":                               "",
		"browser click --task ":                         "",
		"browser click --toolsets browser-rea":          "browser-read",
		"mcp --toolsets browser-read,browser-sa":        "browser-read,browser-safe",
		"tools list --client hermes-":                   "hermes-api-server hermes-cli",
		"tools enable browser_cl":                       "browser_click browser_close",
		"tools enable browser_click browser_cl":         "browser_close",
		"tools disable dialog-":                         "dialog-policy",
		"tools call browser_na":                         "browser_navigate",
		"tools schema --format o":                       "openai",
		"plugin history d":                              "dialog-policy",
		"dialog arm a":                                  "accept",
		"dialog arm accept --type p":                    "prompt",
		"dialog accept ":                                "",
		"resume ":                                       "",
		"connect --scope t":                             "tab",
		"eval 1 --world i":                              "isolated",
		"run --log-level d":                             "debug",
		"run --set browser.headl":                       "browser.headless=",
		"run --set browser.headless=t":                  "browser.headless=true",
		"run --set log.format=":                         "log.format=text log.format=json",
		"run --set plugins.dialog-policy.pa":            "plugins.dialog-policy.path=",
		"browser click e1 --butt":                       "--button",
		"--config /nowhere/at/all.yaml console --task ": "",
	} {
		got, _ := completed(t, strings.Split(line, " ")...)
		for i, word := range got {
			got[i], _, _ = strings.Cut(word, "\t")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestFilesAreCompletedOnlyWhereAFileIsMeant(t *testing.T) {
	for line, want := range map[string]string{
		"browser interact ":      ":0",
		"browser upload e1 ":     ":0",
		"browser upload e1 a.b ": ":0",
		"browser upload ":        ":4",
		"browser click e1 ":      ":4",
		"browser snapshot ":      ":4",
		"run --set br":           ":6",
	} {
		if _, got := completed(t, strings.Split(line, " ")...); got != want {
			t.Errorf("%q: the directive is %s, want %s", line, got, want)
		}
	}
}

// Each table of completions is about flags and commands that there are.
func TestCompletionsAreOfWhatThereIs(t *testing.T) {
	a := &app{}
	flags, paths := map[string]bool{}, map[string]bool{}
	root := a.rootCommand()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		paths[path] = true
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { flags[f.Name], flags[path+" --"+f.Name] = true, true })
		}
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(root)
	for name := range a.flagCompleters() {
		if !flags[name] {
			t.Errorf("no command has the flag --%s", name)
		}
	}
	for name := range a.specialFlags() {
		if !flags[name] {
			t.Errorf("there is no %s", name)
		}
	}
	for path := range a.argumentCompleters() {
		if !paths[path] {
			t.Errorf("there is no command %s", path)
		}
	}
}

// A daemon that is stuck holds nobody's line.
func TestACompletionDoesNotWaitForADaemonThatIsStuck(t *testing.T) {
	dir, err := os.MkdirTemp("", "cli") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Mkdir(filepath.Join(dir, "hermes-cdp"), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "hermes-cdp", "control.sock")) // which nobody reads from
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	exit, out, errs := runInProcess(t, []string{cobra.ShellCompNoDescRequestCmd, "browser", "click", "--tab", ""}, []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir})
	if exit != exitOK || out != ":4\n" || strings.Contains(errs, "hermes-cdp:") {
		t.Errorf("exit %d: %q, %q", exit, out, errs)
	}
}

func TestAShellGetsAScript(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		exit, out, errs := runInProcess(t, []string{"completion", shell}, nil)
		if exit != exitOK || !strings.Contains(out, cobra.ShellCompRequestCmd) {
			t.Errorf("%s: exit %d: %s", shell, exit, errs)
		}
	}
}
