package host

import (
	"context"
	"errors"
	"io"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// ErrNoBrowser says that no browser was found; the text says what to install and which setting names one.
var ErrNoBrowser = browser.ErrNoBrowser

// FindBrowser returns the browser that [Host.Launch] would start: the given path or name, else the first Chromium-like
// browser on PATH, else one in a well-known place. The error is ErrNoBrowser.
func FindBrowser(explicit string) (string, error) { return browser.Find(explicit) }

// BrowserSandbox tells whether the browser that was launched for the task runs its own sandbox: "on", or "off" and why. It is
// empty for a browser that the host did not start.
func (t *Task) BrowserSandbox() string {
	if t.shared.process == nil {
		return ""
	}
	return t.shared.process.Sandbox()
}

// EnsureBrowser is [FindBrowser], and installs Chromium from the distribution's packages where there is none and this
// process may: as root, or with sudo that asks for no password. The installer's output goes to out. A browser that was
// named but is not there is an error, never a reason to install another.
func EnsureBrowser(ctx context.Context, explicit string, out io.Writer) (string, error) {
	path, err := browser.Find(explicit)
	if err == nil || explicit != "" || !errors.Is(err, ErrNoBrowser) {
		return path, err
	}
	return browser.Install(ctx, out)
}
