package browser

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// sandboxIsOn is the result of [Process.Sandbox] for a browser that runs its sandbox.
const sandboxIsOn = "on"

// weakening are the switches that turn off the sandbox or a part of it.
var weakening = []string{
	"--no-sandbox", "--disable-setuid-sandbox", "--disable-namespace-sandbox", "--disable-seccomp-filter-sandbox",
	"--disable-gpu-sandbox", "--no-zygote-sandbox", "--no-zygote", "--single-process", "--allow-sandbox-debugging",
}

// SandboxError says that a browser was not started because it would run without its sandbox.
type SandboxError struct {
	// Reason is why it would.
	Reason string
}

// Error says why, and what to do about it.
func (e *SandboxError) Error() string {
	return fmt.Sprintf("browser.sandbox is on, but the browser's sandbox would be %s; run this process as a user other than root, "+
		"allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or set browser.sandbox to auto or off", e.Reason)
}

// mayStart refuses to start a browser without a sandbox if the sandbox is required.
func mayStart(opts LaunchOptions, limits constraints) error {
	if opts.Sandbox != SandboxOn {
		return nil
	}
	if by := firstWeakening(opts.Args); by != "" {
		return &SandboxError{Reason: "off: browser.args has " + by}
	}
	if limits.unusable != "" {
		return &SandboxError{Reason: "off: " + limits.unusable}
	}
	return nil
}

// commandLineOf returns the arguments of a process, if the system has them in /proc. Chromium joins its own with
// spaces.
func commandLineOf(pid int) []string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.FieldsFunc(string(line), func(r rune) bool { return r == 0 || r == ' ' })
}

// firstWeakening returns the first argument that turns off a part of the sandbox.
func firstWeakening(args []string) string {
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if slices.Contains(weakening, name) {
			return name
		}
	}
	return ""
}

// sandboxOf says whether a running browser uses its sandbox. If the system shows its command line, that decides,
// because what was started may be a script that adds switches.
func sandboxOf(pid int, args []string, limits constraints) string {
	switch by := firstWeakening(slices.Concat(args, commandLineOf(pid))); {
	case by == "":
		return sandboxIsOn
	case limits.noSandbox && limits.unusable != "":
		return "off: " + limits.unusable
	default:
		return "off: it was started with " + by
	}
}
