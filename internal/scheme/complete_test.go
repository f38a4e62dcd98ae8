package scheme

import "testing"

func TestAnAddressWithoutASchemeIsCompleted(t *testing.T) {
	for address, want := range map[string]string{
		"localhost":               "http://localhost",
		"localhost:8801/x":        "http://localhost:8801/x",
		"LOCALHOST:8801":          "http://LOCALHOST:8801",
		" localhost:8801/x\n":     "http://localhost:8801/x",
		"shop.localhost:8801?a=b": "http://shop.localhost:8801?a=b",
		"localhost#part":          "http://localhost#part",
		"127.0.0.1":               "http://127.0.0.1",
		"127.0.0.1:80/x":          "http://127.0.0.1:80/x",
		"10.1.2.3":                "http://10.1.2.3",
		"192.168.1.1:8080/a:b":    "http://192.168.1.1:8080/a:b",
		"169.254.1.1":             "http://169.254.1.1",
		"0.0.0.0:3000":            "http://0.0.0.0:3000",
		"[::1]":                   "http://[::1]",
		"[::1]:80/x":              "http://[::1]:80/x",
		"[fd00::1]:8080":          "http://[fd00::1]:8080",
		"printer.local/x":         "http://printer.local/x",
		"db.internal:8080":        "http://db.internal:8080",

		"example.com":                   "https://example.com",
		"example.com/path":              "https://example.com/path",
		"example.com/a?to=http://b/#c":  "https://example.com/a?to=http://b/#c",
		"example.com.:8443/":            "https://example.com.:8443/",
		"localhost:443/x":               "https://localhost:443/x",
		"example.com:80/x":              "http://example.com:80/x",
		"müller.example":                "https://müller.example",
		"8.8.8.8":                       "https://8.8.8.8",
		"[2606:4700::1111]":             "https://[2606:4700::1111]",
		"a_b.example.com":               "https://a_b.example.com",
		"localhost.example.com":         "https://localhost.example.com",
		"127.0.0.1.example.com":         "https://127.0.0.1.example.com",
		"example.com\\@127.0.0.1/x":     "https://example.com\\@127.0.0.1/x",
		"exam\tple.com":                 "https://example.com",
		"example.com/java\nscript:1":    "https://example.com/javascript:1",
		"example.com?javascript:alert1": "https://example.com?javascript:alert1",
	} {
		got := Complete(address)
		if got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
		if again := Complete(got); again != got {
			t.Errorf("%q: completed again to %q", got, again)
		}
	}
}

func TestWhatMayBeASchemeIsNotTakenForAHost(t *testing.T) {
	for _, address := range []string{
		"", " ", "/etc/passwd", "./x", "//example.com/", "\\\\server\\share", ":80", "?x", "#x", "hello world", "word",
		"http://example.com/", "HTTPS:example.com", "http:8080", "about:blank", "about:80", "data:80", "data:text/html,x", "blob:null/1",
		"javascript:1", "javascript:80/x", "JAVA\tSCRIPT:80", "\x01 javascript:80", "file:80", "file:///x", "chrome:80", "view-source:80",
		"mailto:25", "mailto:a@example.com", "tel:911", "sms:123", "web:3000", "c:\\windows",
		"user@example.com", "user:secret@example.com", "localhost:80@example.com", "a.b:c", "com.example.app://x",
		"localhost:", "localhost:x", "localhost:808080", "localhost:-1", "example.com:80x", "1.2", "300.1.1.1", "1.2.3.4.5", "0x7f.1", "example.0x7f",
		"[::1", "[::1]x", "[::1%25eth0]", "[127.0.0.1]", "::1", ".com", "a..b", "ex%61mple.com", "a b.com", "example.com:80:80",
	} {
		if got := Complete(address); got != address {
			t.Errorf("%q was completed to %q", address, got)
		}
	}
}
