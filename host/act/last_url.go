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

// lastAddressFile is in the folder of a profile, beside what the browser keeps there.
const lastURLFile = "hermes-cdp-last-address"

// maxLastAddress is the length in bytes of the longest address that is remembered; Chromium shows none longer than 2 MB.
const maxLastURL = 1 << 16

// lastAddress is the address of the last page that a task was sent to and that was good: the server did not answer with an
// error, and it was a page at all. It is kept in a file where the profile outlives its browser.
type lastURL struct {
	log  *slog.Logger
	file string // empty: it is not kept

	mu     sync.Mutex
	loaded bool // the file was looked at
	url    string
}

func NewLastAddress(profile string, log *slog.Logger) *lastURL {
	a := &lastURL{log: log}
	if profile != "" {
		a.file = filepath.Join(profile, lastURLFile)
	}
	return a
}

// LastAddress is the address of the last page to which [Task.Load] brought a tab of the task, of its former lives, and of
// the browsers that had its profile folder before; empty where there was none. An answer of the server's with a status from
// 400 on, a navigation that failed, and what is no page of a site or file, as about:blank, leave it as it was. It is
// untrusted text: a site may have redirected there.
func (t *Task) LastAddress() string { return t.lastURL.get() }

func (a *lastURL) get() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.loaded {
		a.loaded, a.url = true, a.read()
	}
	return a.url
}

// read gives what the file says. It is not of this program alone: what is no good address there is none.
func (a *lastURL) read() string {
	if a.file == "" {
		return ""
	}
	info, err := os.Lstat(a.file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLastURL {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("the file with the last address can not be read", "file", a.file, "error", err)
		}
		return ""
	}
	content, err := os.ReadFile(a.file)
	address := strings.TrimSpace(string(content))
	if err != nil || !isPageURL(address) {
		return ""
	}
	return address
}

// follow takes over what a former life knew, unless a file knows better.
func (a *lastURL) inherit(last *lastURL) {
	if a.get() != "" {
		return
	}
	url := last.get()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.url = url
}

// note remembers a page if it is one to go back to.
func (a *lastURL) note(page Loaded) {
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
		a.log.Warn("the last address is not kept", "file", a.file, "error", err)
	}
}

// goodAddress tells whether an address is one of a page of a site or file.
func isPageURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && len(address) < maxLastURL && slices.Contains([]string{"http", "https", "file"}, u.Scheme) &&
		(u.Host != "" || u.Scheme == "file")
}

// writePrivate writes a file that only its owner can read, in one step: who reads it meanwhile sees the old or the new one.
func writePrivate(file, content string) error {
	partial, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(partial.Name()) }() // it is gone where all went well
	_, err = partial.WriteString(content)
	if err = errors.Join(err, partial.Close()); err != nil {
		return err
	}
	return os.Rename(partial.Name(), file)
}
