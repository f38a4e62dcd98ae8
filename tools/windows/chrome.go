// Command windows stands in for chrome.exe on Wine, which runs no Chromium: it takes Chromium's command line, starts a
// child as Chromium does, and says in the same file where its endpoint is. The endpoint is that of another browser, and
// the file beside the executable names it.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// portFile is where Chromium writes its port and the path of its endpoint, in its profile.
const portFile = "DevToolsActivePort"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt) // Ctrl-Break
	profile, child := "", false
	for _, arg := range args {
		if dir, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			profile = dir
		}
		child = child || strings.HasPrefix(arg, "--type=")
	}
	if !child {
		if err := start(profile); err != nil {
			return err
		}
	}
	<-interrupted
	return nil
}

// start starts a child, and tells the endpoint.
func start(profile string) error {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	endpoint, err := os.ReadFile(filepath.Join(filepath.Dir(executable), portFile))
	if err != nil {
		return err
	}
	if err := exec.Command(executable, "--type=renderer", "--user-data-dir="+profile).Start(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(profile, portFile), endpoint, 0o600)
}
