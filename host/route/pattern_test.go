package route

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
		if got := Matches(c.pattern, c.text); got != c.want {
			t.Errorf("%q on %q: %t", c.pattern, c.text, got)
		}
	}
}
