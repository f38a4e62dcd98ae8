package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// holderEnv makes the test binary a program that launches a browser with this profile and waits.
const holderEnv = "HERMES_CDP_TEST_HOLD_BROWSER"

// TestHoldABrowser is that program; without the variable it has nothing to do.
func TestHoldABrowser(t *testing.T) {
	profile := os.Getenv(holderEnv)
	if profile == "" {
		return
	}
	h, err := host.New(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Launch(context.Background(), "held", &host.LaunchOptions{UserDataDir: profile}, &host.TaskOptions{URL: "data:text/html,<script>confirm(1)</script>"}); err != nil {
		t.Fatal(err)
	}
	selfIsReady()
}

func TestABrowserEndsWithTheProcessThatLaunchedIt(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) { // as SIGINT in a background job of a script: the program rightly outlives it
			continue
		}
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			profile := t.TempDir()
			program := startSelf(t, "TestHoldABrowser", holderEnv, profile)
			if len(processesWith(t, profile)) == 0 {
				t.Fatal("no process of the browser was found")
			}
			if err := program.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := program.Wait(); !errors.As(err, &exit) {
				t.Errorf("the program ended with %v", err)
			}
			waitUntil(t, "the end of the browser", func() bool { return len(processesWith(t, profile)) == 0 })
		})
	}
}
