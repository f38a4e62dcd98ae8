package browser

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The tests run as root or as another user, where the sandbox can work or cannot: in each case what is said must be
// true.
func TestASandboxThatMustBeOnIsOnOrNothingStarts(t *testing.T) {
	executable := os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE")
	path, err := Find(executable)
	if err != nil {
		t.Fatal(err)
	}
	unusable := sandboxUnusable(path)
	t.Setenv("TMPDIR", t.TempDir())
	p, err := Launch(t.Context(), LaunchOptions{Executable: executable, Sandbox: SandboxOn})
	var refused *SandboxError
	switch {
	case unusable == "" && err != nil:
		t.Errorf("the sandbox can be used, and the browser did not start: %v", err)
	case unusable == "":
		if said, real := p.Sandbox(), firstWeakening(commandLineOf(p.PID())); said != "on" || real != "" {
			t.Errorf("said %q, and the command line has %q", said, real)
		}
		mustClose(t, p)
	case !errors.As(err, &refused) || !strings.Contains(err.Error(), unusable) || !strings.Contains(err.Error(), "browser.sandbox"):
		t.Errorf("got %v, want it refused because %s", err, unusable)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	auto := launch(t, LaunchOptions{})
	if off := firstWeakening(commandLineOf(auto.PID())) != ""; off != (auto.Sandbox() != "on") || off && !strings.HasPrefix(auto.Sandbox(), "off: ") {
		t.Errorf("said %q, and the command line is %v", auto.Sandbox(), commandLineOf(auto.PID()))
	}
}

func TestTheSandboxIsNotSwitchedOffBehindItsOption(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	answers := `printf '{"id":1,"result":{}}\0' >&4; read line <&3`
	for name, opts := range map[string]LaunchOptions{
		"by an argument": {Executable: executable(t, "browser", answers), Args: []string{"--no-sandbox=true"}},
		"by a part":      {Executable: executable(t, "browser", answers), Args: []string{"--disable-seccomp-filter-sandbox"}},
	} {
		opts.Sandbox = SandboxOn
		_, err := Launch(t.Context(), opts)
		var refused *SandboxError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "browser.args") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// What was started adds the switch by itself, as a distribution's script can.
	script := executable(t, "script", `[ "$1" = --no-sandbox ] || exec sh "$0" --no-sandbox; `+answers)
	p, err := start(exec.Command(script), LaunchOptions{Transport: TransportPipe}.withDefaults(), profile{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.awaitAnswer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if said := sandboxOf(p.PID(), nil, constraints{}); !strings.Contains(said, "--no-sandbox") {
		t.Errorf("said %q", said)
	}
	mustClose(t, p)
}
