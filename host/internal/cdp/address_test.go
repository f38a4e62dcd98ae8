package cdp

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedact(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"host and port alone are kept", "localhost:9222", "http://localhost:9222"},
		{"a bare URL is kept", "http://127.0.0.1:9222/", "http://127.0.0.1:9222"},
		{"a query is removed", "wss://connect.example.com?apiKey=secret", "wss://connect.example.com/..."},
		{"a path is removed", "ws://h:1/devtools/browser/secret", "ws://h:1/..."},
		{"user information is removed", "https://user:secret@h", "https://h/..."},
		{"a fragment is removed", "https://h#secret", "https://h/..."},
		{"a query without a scheme is removed", "h:9222?next=http://secret", "http://h:9222/..."},
		{"user information without a scheme is removed", "user:secret@h:9222", "http://h:9222/..."},
		{"what cannot be parsed is not shown", "http://h:secret", "[unreadable endpoint]"},
		{"nothing", "", "[unreadable endpoint]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Redact(tc.in); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestNoErrorShowsASecretOfTheEndpoint(t *testing.T) {
	word := rapid.StringMatching(`[a-z0-9%!$&=+~.-]{6,20}`)
	rapid.Check(t, func(t *rapid.T) {
		user, password := word.Draw(t, "user"), word.Draw(t, "password")
		segment, value := word.Draw(t, "segment"), word.Draw(t, "value")
		u := url.URL{Scheme: "https", User: url.UserPassword(user, password), Host: "HOST:1", Path: "/p/" + segment,
			RawQuery: url.Values{"K": {value}}.Encode()}
		address := u.String()
		// A library may print the whole URL, a server may echo any part of it.
		err := newAddressError(address, "STEP", 0, &url.Error{Op: "Get", URL: address, Err: errors.New(
			"ECHO " + strings.Join([]string{address, user, password, segment, value, u.RawQuery, u.Path}, " | "))})
		shown := err.Error()
		for _, secret := range []string{user, password, segment, value} {
			if strings.Contains(shown, secret) && !strings.Contains("https://HOST:1/... STEP with : ECHO | https://...@HOST:1/p/...?K=...", secret) {
				t.Fatalf("%q shows %q", shown, secret)
			}
		}
		if !strings.Contains(shown, "HOST:1") || !strings.Contains(shown, "ECHO") {
			t.Fatalf("%q lost what it may show", shown)
		}
	})
}
