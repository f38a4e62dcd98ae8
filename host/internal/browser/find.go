package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// NotFoundError says that there is no browser to launch, and how to get one.
type NotFoundError struct {
	// Explicit is the executable that was requested; empty: any.
	Explicit string
	// Err says what is wrong with Explicit; nil without it.
	Err error
}

// Error says what to install, or which setting to correct.
func (e *NotFoundError) Error() string {
	if e.Explicit != "" {
		return fmt.Sprintf("%v: the executable %q cannot be used: %v; correct browser.executable "+
			"(or HERMES_CDP_BROWSER_EXECUTABLE), or leave it empty to use an installed Chromium, Chrome or Edge", fault.ErrNoBrowser, e.Explicit, e.Err)
	}
	return fault.ErrNoBrowser.Error() + ": install one (" + installHint + "), or name an executable with browser.executable " +
		"(or HERMES_CDP_BROWSER_EXECUTABLE)"
}

// Unwrap returns [fault.ErrNoBrowser], and what is wrong with the requested executable.
func (e *NotFoundError) Unwrap() []error {
	if e.Err == nil {
		return []error{fault.ErrNoBrowser}
	}
	return []error{fault.ErrNoBrowser, e.Err}
}

const installHint = "Debian: apt-get install chromium; Ubuntu: snap install chromium, or the .deb from google.com/chrome; " +
	"Fedora: dnf install chromium; Arch: pacman -S chromium; Alpine: apk add chromium; macOS: brew install --cask chromium; Windows: winget install Google.Chrome"

// executableNames are looked up in PATH, in this order: packages of distributions before those of vendors.
var executableNames = []string{
	"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "headless_shell",
	"chrome-headless-shell", "microsoft-edge-stable", "microsoft-edge", "brave-browser",
}

// Find returns the path of a browser executable. If explicit, a path or a name in PATH, is set, it is that or an error.
// Otherwise PATH and then the well-known places of the system are searched. The error is a [*NotFoundError].
func Find(explicit string) (path string, err error) {
	if explicit != "" {
		path, err := exec.LookPath(explicit)
		if err != nil {
			var lookup *exec.Error
			if errors.As(err, &lookup) {
				err = lookup.Err
			}
			return "", &NotFoundError{Explicit: explicit, Err: err}
		}
		return filepath.Abs(path)
	}
	return firstExecutable(executableNames, wellKnownPlaces(runtime.GOOS, os.Getenv))
}

// firstExecutable returns the first name found in PATH, else the first place that is executable.
func firstExecutable(names, places []string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	for _, place := range places {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", &NotFoundError{}
}

// wellKnownPlaces lists where installers put browsers outside PATH.
func wellKnownPlaces(goos string, getenv func(string) string) []string {
	switch goos {
	case "darwin":
		var places []string
		for _, app := range []string{"Chromium", "Google Chrome", "Google Chrome for Testing", "Microsoft Edge", "Brave Browser"} {
			inside := "/Applications/" + app + ".app/Contents/MacOS/" + app
			places = append(places, inside, getenv("HOME")+inside)
		}
		return places
	case "windows":
		var places []string
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			for _, program := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
				if dir := getenv(root); dir != "" {
					places = append(places, strings.TrimRight(dir, `\`)+`\`+program)
				}
			}
		}
		return places
	default:
		return []string{
			"/usr/bin/chromium", "/usr/bin/chromium-browser", "/snap/bin/chromium", "/usr/lib/chromium/chromium",
			"/opt/google/chrome/chrome", "/opt/chromium/chrome", "/opt/microsoft/msedge/msedge",
			"/usr/lib64/chromium-browser/chromium-browser", "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
		}
	}
}
