package supervise

import "testing"

func TestSameSite(t *testing.T) {
	for _, tc := range []struct {
		name string
		a, b string
		same bool
	}{
		{"one host", "http://localhost:1/a", "http://localhost:2/b", true},
		{"two hosts of one domain", "https://a.example.com/", "https://b.example.com/", true},
		{"two domains below one public suffix", "https://a.co.uk/", "https://b.co.uk/", false},
		{"two hosts of one domain below a public suffix", "https://a.x.co.uk/", "https://b.x.co.uk/", true},
		{"two pages of a host that gives names away", "https://a.github.io/", "https://b.github.io/", false},
		{"a public suffix itself", "https://github.io/", "https://a.github.io/", false},
		{"two domains", "https://example.com/", "https://example.org/", false},
		{"a subdomain of a host without a domain", "http://x.localhost/", "http://localhost/", false},
		{"two addresses", "http://127.0.0.1/", "http://10.0.0.1/", false},
		{"one address", "http://127.0.0.1/", "http://127.0.0.1:8080/x", true},
		{"two IPv6 addresses", "http://[::1]/", "http://[::2]/", false},
		{"two schemes", "http://example.com/", "https://example.com/", false},
		{"a document of its opener's origin", "about:blank", "https://example.com/", true},
		{"a document that has not begun", "", "https://example.com/", true},
		{"no address at all", "%zz", "https://example.com/", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := sameSite(tc.a, tc.b); got != tc.same {
				t.Errorf("sameSite(%q, %q) = %v", tc.a, tc.b, got)
			}
			if got := sameSite(tc.b, tc.a); got != tc.same {
				t.Errorf("sameSite(%q, %q) = %v", tc.b, tc.a, got)
			}
		})
	}
}
