package supervise

import "testing"

func TestPatternsMatchAsChromiumsDo(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"*", "https://a/", true}, {"", "", true}, {"", "a", false},
		{"https://a/*", "https://a/x?y", true}, {"https://a/*", "https://b/x", false}, {"*x*y", "axbxcy", true}, {"*x*y", "axbxcyz", false},
		{"a?c", "abc", true}, {"a?c", "ac", false}, {`a\?c`, "a?c", true}, {`a\?c`, "abc", false}, {`a\*`, "a*", true}, {`a\*`, "ab", false},
		{`a\`, `a\`, true}, {"**a**", "bab", true}, {"a*", "a", true}, {"*a", "b", false},
	} {
		if got := matches(c.pattern, c.text); got != c.want {
			t.Errorf("%q on %q: %t", c.pattern, c.text, got)
		}
	}
}

func TestOrigins(t *testing.T) {
	for address, want := range map[string]string{
		"https://A.test:443/x": "https://a.test", "http://a.test:80": "http://a.test", "http://a.test:443/": "http://a.test:443",
		"http://u:p@[::1]:80/": "http://[::1]", "https://[::1]:8/": "https://[::1]:8", "file:///x": "null", "about:blank": "null", "%": "null",
	} {
		if got := originOf(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
}
