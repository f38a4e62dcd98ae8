package browser

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// sandboxIsOn is what [Process.Sandbox] says of a browser that runs its sandbox.
const sandboxIsOn = "on"

// weakening are the switches that turn the sandbox, or a part of it, off.
var weakening = []string{
	"--no-sandbox", "--disable-setuid-sandbox", "--disable-namespace-sandbox", "--disable-seccomp-filter-sandbox",
	"--disable-gpu-sandbox", "--no-zygote-sandbox", "--no-zygote", "--single-process", "--allow-sandbox-debugging",
}

// SandboxError says that a browser was not started because it would run without its sandbox.
type SandboxError struct {
	// Reason is why it would.
	Reason string
}

// Error says why, and what to do.
func (e *SandboxError) Error() string {
	return fmt.Sprintf("browser.sandbox is on, but the browser's sandbox would be %s; run this process as a user other than root, "+
		"allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or set browser.sandbox to auto or off", e.Reason)
}

// mayStart refuses to start a browser whose sandbox cannot be on though it must be.
func mayStart(opts LaunchOptions, around surroundings) error {
	if opts.Sandbox != SandboxOn {
		return nil
	}
	if by := weakened(opts.Args); by != "" {
		return &SandboxError{Reason: "off: browser.args has " + by}
	}
	if around.unusable != "" {
		return &SandboxError{Reason: "off: " + around.unusable}
	}
	return nil
}

// commandLineOf gives the arguments of a process, where the system has them in /proc. Chromium joins its own with spaces.
func commandLineOf(pid int) []string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.FieldsFunc(string(line), func(r rune) bool { return r == 0 || r == ' ' })
}

// weakened finds the first argument that turns a part of the sandbox off.
func weakened(args []string) string {
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if slices.Contains(weakening, name) {
			return name
		}
	}
	return ""
}

// sandboxOf reports whether a browser that answers runs its sandbox. Where the system shows its command line, that decides: what
// was started may be a script that adds switches.
func sandboxOf(pid int, args []string, around surroundings) string {
	switch by := weakened(slices.Concat(args, commandLineOf(pid))); {
	case by == "":
		return sandboxIsOn
	case around.noSandbox && around.unusable != "":
		return "off: " + around.unusable
	default:
		return "off: it was started with " + by
	}
}
