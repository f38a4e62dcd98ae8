package act

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLastURL(t *testing.T) {
	dir := t.TempDir()
	a := NewLastURL(dir, slog.New(slog.DiscardHandler))
	for _, page := range []Document{
		{URL: "https://example.org/a?b=c#d", HTTPStatus: 200}, {URL: "https://example.org/e", HTTPStatus: 400}, {URL: "about:blank"},
		{URL: "chrome-error://chromewebdata/"}, {URL: "data:text/html,x"}, {URL: "blob:https://example.org/1"}, {URL: "https://"},
		{URL: "https://example.org/" + strings.Repeat("x", maxLastURL)}, {URL: ""},
	} {
		a.note(page)
	}
	const want = "https://example.org/a?b=c#d"
	if a.get() != want {
		t.Errorf("it is %s", a.get())
	}
	next := NewLastURL(dir, a.log)
	if next.get() != want {
		t.Errorf("from the file it is %s", next.get())
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("the directory has %v, %v", files, err)
	}
	other := NewLastURL("", a.log)
	other.inherit(next)
	if other.get() != want {
		t.Errorf("the one that inherits has %s", other.get())
	}
	other.note(Document{URL: "file:///tmp/page.html"})
	next.inherit(other)
	if next.get() != want || other.get() != "file:///tmp/page.html" {
		t.Errorf("the file does not win: %s and %s", next.get(), other.get())
	}
}

func TestAnInvalidLastURLIsIgnored(t *testing.T) {
	for name, content := range map[string]string{
		"script": "javascript:alert(1)", "nothing": "", "no URL": "::", "too long": "https://example.org/" + strings.Repeat("x", maxLastURL),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, lastURLFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := NewLastURL(dir, slog.New(slog.DiscardHandler)).get(); got != "" {
			t.Errorf("%s gives %q", name, got)
		}
	}
	gone := NewLastURL(filepath.Join(t.TempDir(), "gone"), slog.New(slog.DiscardHandler))
	gone.note(Document{URL: "https://example.org/"})
	if gone.get() != "https://example.org/" {
		t.Errorf("in a directory that is gone it is %q", gone.get())
	}
}
