//go:build !(tinygo.wasm || wasip1)

package main

import (
	"net/url"
	"strings"
	"testing"
)

func TestInvalidOrigins(t *testing.T) {
	for _, text := range []string{
		"", "*", "*.", "https://", "https://*", "https://*.", "https://a..b", "https://.a", "https://a:", "https://a:x", "https://a:123456",
		"https://user@a", "https://a/b", "https://a?b", "https://a#b", "https://[::1", "https://*.[::1]", "ws://a", "://a", "a b",
	} {
		if p, ok := parsePattern(text); ok {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
}

// FuzzOrigins compares with net/url: a pattern without a star matches its own origin, and no other host.
func FuzzOrigins(f *testing.F) {
	f.Add("https://example.com", "https://example.com")
	f.Add("https://*.example.com:8443", "https://a.example.com:8443")
	f.Add("http://[::1]:80", "http://[::1]")
	f.Fuzz(func(t *testing.T, text, target string) {
		p, ok := parsePattern(text)
		o, isOrigin := parseOrigin(target)
		if !ok || !isOrigin || p.scheme == "" || !p.matches(o, false) {
			return
		}
		want, err := url.Parse(strings.Replace(text, "*.", "", 1))
		if err != nil {
			return // net/url is stricter about hosts
		}
		got, err := url.Parse(target)
		if err != nil {
			return
		}
		if p.subdomains && !strings.HasSuffix(got.Hostname(), "."+want.Hostname()) || !p.subdomains && got.Hostname() != want.Hostname() {
			t.Errorf("%q allows %q", text, target)
		}
	})
}
