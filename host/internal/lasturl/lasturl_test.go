package lasturl

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLastURL(t *testing.T) {
	dir := t.TempDir()
	a := New(dir, slog.New(slog.DiscardHandler))
	for _, page := range []struct {
		url    string
		status int
	}{
		{"https://example.org/a?b=c#d", 200}, {"https://example.org/e", 400}, {"about:blank", 0},
		{"chrome-error://chromewebdata/", 0}, {"data:text/html,x", 0}, {"blob:https://example.org/1", 0}, {"https://", 0},
		{"https://example.org/" + strings.Repeat("x", maxURL), 0}, {"", 0},
	} {
		a.Note(page.url, page.status)
	}
	const want = "https://example.org/a?b=c#d"
	if a.Get() != want {
		t.Errorf("it is %s", a.Get())
	}
	next := New(dir, a.log)
	if next.Get() != want {
		t.Errorf("from the file it is %s", next.Get())
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("the directory has %v, %v", files, err)
	}
	other := New("", a.log)
	other.Inherit(next)
	if other.Get() != want {
		t.Errorf("the one that inherits has %s", other.Get())
	}
	other.Note("file:///tmp/page.html", 0)
	next.Inherit(other)
	if next.Get() != want || other.Get() != "file:///tmp/page.html" {
		t.Errorf("the file does not win: %s and %s", next.Get(), other.Get())
	}
}

func TestAnInvalidLastURLIsIgnored(t *testing.T) {
	for name, content := range map[string]string{
		"script": "javascript:alert(1)", "nothing": "", "no URL": "::", "too long": "https://example.org/" + strings.Repeat("x", maxURL),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := New(dir, slog.New(slog.DiscardHandler)).Get(); got != "" {
			t.Errorf("%s gives %q", name, got)
		}
	}
	gone := New(filepath.Join(t.TempDir(), "gone"), slog.New(slog.DiscardHandler))
	gone.Note("https://example.org/", 200)
	if gone.Get() != "https://example.org/" {
		t.Errorf("in a directory that is gone it is %q", gone.Get())
	}
}
