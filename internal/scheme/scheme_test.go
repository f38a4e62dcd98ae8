package scheme

import (
	"errors"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	files, err := New([]string{"file"})
	if err != nil {
		t.Fatal(err)
	}
	sources, err := New([]string{"view-source"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		address string
		refused string // the scheme that the error names; "-" where the address may be loaded
		files   string // likewise with file allowed; empty: as without
	}{
		{"http://example.com/", "-", ""},
		{"https://example.com/?a=file:///etc/passwd", "-", ""},
		{"HTTPS://example.com/", "-", ""},
		{" \x01\t https://example.com/", "-", ""},
		{"ht\ntps://example.com/", "-", ""},
		{"http:/\\file:///etc/passwd", "-", ""}, // a host, to a browser
		{"about:blank", "-", ""},
		{"About:blank", "-", ""},
		{"about:blank#x", "-", ""},
		{"about:blank?x", "-", ""},
		{"about:blank ", "-", ""},
		{"data:text/html,<p>", "-", ""},
		{"blob:https://example.com/1", "-", ""},
		{"blob:null/1", "-", ""},

		{"file:///etc/passwd", "file", "-"},
		{"FILE:///etc/passwd", "file", "-"},
		{"file:/etc/passwd", "file", "-"},
		{" file:///etc/passwd", "file", "-"},
		{"\x00\x1ffile:///etc/passwd", "file", "-"},
		{"fi\tle:///etc/passwd", "file", "-"},
		{"\nf\ri\nl\te\n:\n///etc/passwd", "file", "-"},
		{"file\t:///etc/passwd", "file", "-"},
		{"file :///etc/passwd", "file ", ""}, // no browser takes the space away
		{"blob:file:///1", "file", "-"},
		{"blob:\tfi\nle:///1", "file", "-"},
		{"ｆile:///etc/passwd", "ｆile", ""},
		{"chrome://quit", "chrome", ""},
		{"cHrOmE://quit", "chrome", ""},
		{"chrome-untrusted://print", "chrome-untrusted", ""},
		{"chrome-extension://x/y", "chrome-extension", ""},
		{"chrome-error://chromewebdata/", "chrome-error", ""},
		{"devtools://devtools/bundled/inspector.html", "devtools", ""},
		{"view-source:https://example.com/", "view-source", ""},
		{"view-source:file:///etc/passwd", "view-source", ""},
		{"filesystem:https://example.com/temporary/x", "filesystem", ""},
		{"ftp://example.com/", "ftp", ""},
		{"intent://scan/#Intent;end", "intent", ""},
		{"mailto:a@example.com", "mailto", ""},
		{"ms-word:ofe|u|https://example.com/x", "ms-word", ""},
		{"about:version", "about", ""},
		{"about:blan\tkx", "about", ""},
		{"about:blankx", "about", ""},
		{"about:BLANK", "about", ""},
		{"about://blank", "about", ""},
		{"about:srcdoc", "about", ""},
		{"about:inducebrowsercrashforrealz", "about", ""},
		{"javascript:1", "javascript", ""},
		{"\x01 JAVA\tscr\nipt:1", "javascript", ""},
		{"localhost:8080", "localhost", ""},
		{"c:\\windows", "c", ""},
		{"example.com", "", ""},
		{"/etc/passwd", "", ""},
		{"//example.com/", "", ""},
		{"\\\\server\\share", "", ""},
		{":file:///x", "", ""},
		{"", "", ""},
	} {
		check(t, "", Policy{}, c.address, c.refused)
		if c.files == "" {
			c.files = c.refused
		}
		check(t, "with files ", files, c.address, c.files)
	}
	check(t, "with sources ", sources, "view-source:https://example.com/", "-")
	check(t, "with sources ", sources, "view-source:file:///etc/passwd", "file")
	check(t, "with sources ", sources, "view-source:view-source:chrome://quit", "chrome")
}

func check(t *testing.T, which string, p Policy, address, refused string) {
	t.Helper()
	err := p.Check(address)
	var because *Error
	switch {
	case refused == "-":
		if err != nil {
			t.Errorf("%s%q: got %v, want it allowed", which, address, err)
		}
	case !errors.As(err, &because) || because.Scheme != refused:
		t.Errorf("%s%q: got %v, want it refused for the scheme %q", which, address, err, refused)
	case strings.Contains(err.Error(), "passwd"):
		t.Errorf("%s%q: the error repeats the address: %v", which, address, err)
	}
}

func TestDocumentsThatFramesShow(t *testing.T) {
	for address, stays := range map[string][2]bool{ // as a page, and below one
		"":                                {true, true},
		"https://example.com/":            {true, true},
		"about:blank#blocked":             {true, true},
		"chrome-error://chromewebdata/":   {true, true},
		"about:srcdoc":                    {false, true},
		"chrome-extension://x/index.html": {false, true},
		"chrome-untrusted://pdf/":         {false, true},
		"chrome://settings/":              {false, false},
		"devtools://devtools/x":           {false, false},
		"file:///etc/passwd":              {false, false},
	} {
		for i, top := range []bool{true, false} {
			if err := (Policy{}).CheckDocument(address, top); (err == nil) != stays[i] {
				t.Errorf("%q, top %v: got %v", address, top, err)
			}
		}
	}
}

func TestNamesOfSchemes(t *testing.T) {
	for name, fine := range map[string]bool{
		"file": true, "chrome-extension": true, "web+x": true, "javascript": false, "File": false, "file:": false, "file://": false, "": false, "*": false, "1x": false,
	} {
		if _, err := New([]string{"file", name}); (err == nil) != fine {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

func TestTheErrorSaysWhatToDo(t *testing.T) {
	for address, want := range map[string]string{
		"chrome://quit":                 `"chrome" are not loaded here: allowed are http, https, about:blank, data, blob; browser.allow_schemes allows others`,
		"example.com":                   "https://example.com/",
		"javascript:1":                  "loads nothing",
		"web:3000/x":                    "begin with http://",
		strings.Repeat("x", 5000) + ":": "not loaded here",
	} {
		err := Policy{}.Check(address)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("%.40q: got %v", address, err)
		}
	}
}
