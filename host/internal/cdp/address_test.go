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
		{"host and port alone stay", "localhost:9222", "http://localhost:9222"},
		{"a bare URL stays", "http://127.0.0.1:9222/", "http://127.0.0.1:9222"},
		{"a query goes", "wss://connect.example.com?apiKey=secret", "wss://connect.example.com/..."},
		{"a path goes", "ws://h:1/devtools/browser/secret", "ws://h:1/..."},
		{"user information goes", "https://user:secret@h", "https://h/..."},
		{"a fragment goes", "https://h#secret", "https://h/..."},
		{"a query without a scheme goes", "h:9222?next=http://secret", "http://h:9222/..."},
		{"user information without a scheme goes", "user:secret@h:9222", "http://h:9222/..."},
		{"what can not be read is not shown", "http://h:secret", "[unreadable address]"},
		{"nothing", "", "[unreadable address]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Redact(tc.in); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestNoErrorShowsASecretOfTheAddress(t *testing.T) {
	word := rapid.StringMatching(`[a-z0-9%!$&=+~.-]{6,20}`)
	rapid.Check(t, func(t *rapid.T) {
		user, password := word.Draw(t, "user"), word.Draw(t, "password")
		segment, value := word.Draw(t, "segment"), word.Draw(t, "value")
		u := url.URL{Scheme: "https", User: url.UserPassword(user, password), Host: "HOST:1", Path: "/p/" + segment,
			RawQuery: url.Values{"K": {value}}.Encode()}
		address := u.String()
		// A library may print the whole address, a server may echo any part of it.
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
