package host

import (
	"context"
	"errors"
	"io"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// FindBrowser returns the browser that [Host.Launch] would start: the given path or name, else the first Chromium-based
// browser on PATH, else one in a well-known location. The error is ErrNoBrowser.
func FindBrowser(explicit string) (string, error) { return browser.Find(explicit) }

// BrowserSandbox reports whether the browser launched for the task runs its own sandbox: "on", or "off" with the
// reason. It is empty for a browser that the host did not start.
func (t *Task) BrowserSandbox() string {
	if t.shared.process == nil {
		return ""
	}
	return t.shared.process.Sandbox()
}

// EnsureBrowser is [FindBrowser], and installs Chromium from the distribution's packages if no browser is found and
// this process may install one: as root, or with sudo without a password. The installer's output goes to out. If
// explicit names a browser that does not exist, that is an error; no other browser is installed.
func EnsureBrowser(ctx context.Context, explicit string, out io.Writer) (string, error) {
	path, err := browser.Find(explicit)
	if err == nil || explicit != "" || !errors.Is(err, ErrNoBrowser) {
		return path, err
	}
	return browser.Install(ctx, out)
}
