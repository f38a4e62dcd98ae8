package browser

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Without a home directory there is no profile that lasts, and nothing is started on one that does not.
func TestAWindowNeedsAProfileThatLasts(t *testing.T) {
	for name, value := range map[string]string{"HOME": "", "XDG_DATA_HOME": "", "LocalAppData": "", "USERPROFILE": "", "DISPLAY": ":0", "TMPDIR": t.TempDir()} {
		t.Setenv(name, value)
	}
	endpoint, err := OpenWindow(t.Context(), LaunchOptions{Executable: os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE")})
	var failed *StartError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "home directory") {
		t.Errorf("it is at %q, %v", endpoint, err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
