// Package lasturl remembers the page that a task was last at, also for the next browser that has its profile.
package lasturl

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

// fileName is in the directory of a profile, beside what the browser keeps there.
const fileName = "hermes-cdp-last-address"

// maxURL caps a URL that is remembered, in bytes; Chromium shows none longer than 2 MB.
const maxURL = 1 << 16

// Record is the URL of the last page that a task was sent to and that is worth going back to: the server did not
// answer with an error, and it is a page of a site or a file. It is kept in a file if the profile outlives its browser.
type Record struct {
	log  *slog.Logger
	file string // empty: it is not kept in a file

	mu     sync.Mutex
	loaded bool // the file was read
	url    string
}

// New makes the record of a task, which is kept in the profile's directory unless profile is empty.
func New(profile string, log *slog.Logger) *Record {
	r := &Record{log: log}
	if profile != "" {
		r.file = filepath.Join(profile, fileName)
	}
	return r
}

// Get returns the URL; empty if there is none. It is untrusted text: a site may have redirected there.
func (r *Record) Get() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.loaded {
		r.loaded, r.url = true, r.read()
	}
	return r.url
}

// read returns the URL in the file. Other programs may have written it, so that only a valid URL of a page counts.
func (r *Record) read() string {
	if r.file == "" {
		return ""
	}
	info, err := os.Lstat(r.file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxURL {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.log.Warn("the file with the last URL cannot be read", "file", r.file, "error", err)
		}
		return ""
	}
	content, err := os.ReadFile(r.file)
	url := strings.TrimSpace(string(content))
	if err != nil || !isPageURL(url) {
		return ""
	}
	return url
}

// Inherit takes over what a former life knew, unless a file knows better.
func (r *Record) Inherit(last *Record) {
	if r.Get() != "" {
		return
	}
	url := last.Get()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.url = url
}

// Note remembers a page if it is worth going back to. The status is that of the server's response, or 0.
func (r *Record) Note(url string, status int) {
	if status >= 400 || !isPageURL(url) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded && r.url == url {
		return
	}
	r.loaded, r.url = true, url
	if r.file == "" {
		return
	}
	if err := writePrivate(r.file, url+"\n"); err != nil {
		r.log.Warn("the last URL is not kept", "file", r.file, "error", err)
	}
}

// isPageURL reports whether a URL is that of a page of a site or file.
func isPageURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && len(text) < maxURL && slices.Contains([]string{"http", "https", "file"}, u.Scheme) &&
		(u.Host != "" || u.Scheme == "file")
}

// writePrivate writes a file that only its owner can read, atomically: concurrent readers see the old or the new
// content. Nothing waits for the disk, as package wholefile does: a navigation would wait with it.
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
