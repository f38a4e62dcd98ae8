package act

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// lastURLFile is in the directory of a profile, beside what the browser keeps there.
const lastURLFile = "hermes-cdp-last-address"

// maxLastURL caps a URL that is remembered, in bytes; Chromium shows none longer than 2 MB.
const maxLastURL = 1 << 16

// lastURL is the URL of the last page that a task was sent to and that is worth going back to: the server did not
// answer with an error, and it is a page of a site or a file. It is kept in a file if the profile outlives its browser.
type lastURL struct {
	log  *slog.Logger
	file string // empty: it is not kept in a file

	mu     sync.Mutex
	loaded bool // the file was read
	url    string
}

// NewLastURL makes the record of a task's last URL, which is kept in the profile's directory unless profile is
// empty.
func NewLastURL(profile string, log *slog.Logger) *lastURL {
	a := &lastURL{log: log}
	if profile != "" {
		a.file = filepath.Join(profile, lastURLFile)
	}
	return a
}

// LastURL is the URL of the last page that [Tab.Navigate] loaded in a tab of the task, of its former lives, or of the
// browsers that had its profile directory before; empty if there was none. It does not count responses with a status of
// 400 or above, failed navigations, and pages of no site or file, such as about:blank. It is untrusted text: a site may
// have redirected there.
func (p *Pages) LastURL() string { return p.lastURL.get() }

func (a *lastURL) get() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.loaded {
		a.loaded, a.url = true, a.read()
	}
	return a.url
}

// read returns the URL in the file. Other programs may have written it, so that only a valid URL of a page counts.
func (a *lastURL) read() string {
	if a.file == "" {
		return ""
	}
	info, err := os.Lstat(a.file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLastURL {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("the file with the last URL cannot be read", "file", a.file, "error", err)
		}
		return ""
	}
	content, err := os.ReadFile(a.file)
	url := strings.TrimSpace(string(content))
	if err != nil || !isPageURL(url) {
		return ""
	}
	return url
}

// inherit takes over what a former life knew, unless a file knows better.
func (a *lastURL) inherit(last *lastURL) {
	if a.get() != "" {
		return
	}
	url := last.get()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.url = url
}

// note remembers a page if it is worth going back to.
func (a *lastURL) note(page Document) {
	if page.HTTPStatus >= 400 || !isPageURL(page.URL) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loaded && a.url == page.URL {
		return
	}
	a.loaded, a.url = true, page.URL
	if a.file == "" {
		return
	}
	if err := writePrivate(a.file, page.URL+"\n"); err != nil {
		a.log.Warn("the last URL is not kept", "file", a.file, "error", err)
	}
}

// isPageURL reports whether a URL is that of a page of a site or file.
func isPageURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && len(text) < maxLastURL && slices.Contains([]string{"http", "https", "file"}, u.Scheme) &&
		(u.Host != "" || u.Scheme == "file")
}

// writePrivate writes a file that only its owner can read, atomically: concurrent readers see the old or the new
// content.
func writePrivate(file, content string) error {
	partial, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(partial.Name()) }() // after a successful rename there is nothing to remove
	_, err = partial.WriteString(content)
	if err = errors.Join(err, partial.Close()); err != nil {
		return err
	}
	return os.Rename(partial.Name(), file)
}
