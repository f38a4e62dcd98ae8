package toolkit

import (
	"cmp"
	"context"
	"time"
)

// Options configures the tools of a task. The zero value works.
type Options struct {
	// Timeout is the time limit of a call that sets none. Default 30 s.
	Timeout time.Duration
	// ScreenshotDir is the directory for pictures, created with mode 0700 if missing. While there is a registry, it
	// removes its own pictures that are older than ScreenshotKeep, and the oldest of more than ScreenshotBytes. Empty:
	// pictures are not kept.
	ScreenshotDir string
	// ScreenshotKeep is how long pictures are kept. Default 24 h.
	ScreenshotKeep time.Duration
	// ScreenshotBytes is how much they may have together. Default 1 GiB.
	ScreenshotBytes int64
	// DownloadDir is the directory into which browser_download puts its files, created likewise. Empty: that of the task,
	// see [host.Task.DownloadDir].
	DownloadDir string
	// StateDir is the directory of the files of browser_state, created likewise. Empty: the tool is refused.
	StateDir string
	// Wipeable is the directory of the profile that browser_close may remove. Empty: none.
	Wipeable string
	// Observe makes the results of actions say what changed on the page, unless the call says otherwise.
	Observe bool
	// Vision answers the questions of browser_vision. Nil: whoever receives the picture answers them.
	Vision Vision
}

// Vision answers questions about pictures, as vision.Client does.
type Vision interface {
	// Ask answers a question about a PNG picture within the time of the context. Its errors contain no secrets.
	Ask(ctx context.Context, question string, picture []byte) (string, error)
}

// WithDefaults returns the options with the defaults in place of what is not set.
func (o Options) WithDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.ScreenshotKeep = cmp.Or(o.ScreenshotKeep, 24*time.Hour)
	o.ScreenshotBytes = cmp.Or(o.ScreenshotBytes, 1<<30)
	return o
}
