package browser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// executable writes a script and gives its path.
func executable(t *testing.T, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindTakesWhatIsNamed(t *testing.T) {
	path := executable(t, "my-browser", "")
	t.Setenv("PATH", filepath.Dir(path))
	for _, explicit := range []string{path, "my-browser"} {
		if got, err := Find(explicit); err != nil || got != path {
			t.Errorf("%s: got %q, %v", explicit, got, err)
		}
	}
}

func TestFindRefusesWhatIsNamedAndUnusable(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, explicit := range []string{plain, "/does/not/exist", "no-such-browser-anywhere"} {
		_, err := Find(explicit)
		var missing *NotFoundError
		if !errors.Is(err, fault.ErrNoBrowser) || !errors.As(err, &missing) || missing.Explicit != explicit || missing.Err == nil {
			t.Errorf("%s: got %v", explicit, err)
		}
		for _, part := range []string{explicit, "browser.executable", "HERMES_CDP_BROWSER_EXECUTABLE"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not name %s", err, part)
			}
		}
	}
}

func TestFindPrefersTheFirstNameInPath(t *testing.T) {
	chrome, chromium := executable(t, "google-chrome", ""), executable(t, "chromium", "")
	t.Setenv("PATH", filepath.Dir(chrome)+string(os.PathListSeparator)+filepath.Dir(chromium))
	if got, err := Find(""); err != nil || got != chromium {
		t.Errorf("got %q, %v, want %q", got, err, chromium)
	}
	t.Setenv("PATH", filepath.Dir(chrome))
	if got, err := Find(""); err != nil || got != chrome {
		t.Errorf("got %q, %v, want %q", got, err, chrome)
	}
}

func TestFindFallsBackToPlacesAndThenSaysWhatToInstall(t *testing.T) {
	place := executable(t, "chrome", "")
	t.Setenv("PATH", t.TempDir())
	if got, err := firstExecutable(executableNames, []string{"/does/not/exist", place}); err != nil || got != place {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := firstExecutable(executableNames, nil)
	if !errors.Is(err, fault.ErrNoBrowser) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"apt-get install chromium", "Ubuntu", "dnf install chromium", "pacman -S chromium",
		"brew install --cask chromium", "browser.executable", "HERMES_CDP_BROWSER_EXECUTABLE"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestWellKnownPlaces(t *testing.T) {
	env := map[string]string{"HOME": "/Users/me", "ProgramFiles": `C:\Program Files\`}
	for goos, want := range map[string]string{
		"linux":   "/opt/google/chrome/chrome",
		"darwin":  "/Users/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"windows": `C:\Program Files\Google\Chrome\Application\chrome.exe`,
	} {
		places := strings.Join(wellKnownPlaces(goos, func(k string) string { return env[k] }), "\n")
		if !strings.Contains(places, want) {
			t.Errorf("%s: %q is not among\n%s", goos, want, places)
		}
	}
}
