package glob_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

func TestMatch(t *testing.T) {
	cases := []struct {
		name, pattern, s string
		want             bool
	}{
		{"the same text", "abc", "abc", true},
		{"a part only", "ab", "abc", false},
		{"an empty pattern matches nothing but nothing", "", "a", false},
		{"both empty", "", "", true},
		{"a star matches nothing", "a*b", "ab", true},
		{"a star matches all", "*", "", true},
		{"sub-domains of any depth", "https://*.example.com", "https://a.b.example.com", true},
		{"the domain itself is no sub-domain", "https://*.example.com", "https://example.com", false},
		{"a suffix is no sub-domain", "https://*.example.com", "https://a.example.com.evil.net", false},
		{"two stars", "*delete*", "Really delete it?", true},
		{"a star that must give back", "*ab", "aab ab", true},
		{"one character", "a?c", "aäc", true},
		{"a question mark needs a character", "a?", "a", false},
		{"upper case differs", "Delete", "delete", false},
		{"brackets are themselves", "[a]", "[a]", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := glob.Match(c.pattern, c.s); got != c.want {
				t.Errorf("Match(%q, %q) is %v", c.pattern, c.s, got)
			}
		})
	}
}

func TestMatchAgreesWithRegularExpressions(t *testing.T) {
	alphabet := rapid.SampledFrom([]rune("ab*?ä."))
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(alphabet, 0, 12, -1).Draw(t, "pattern")
		s := rapid.StringOfN(alphabet, 0, 16, -1).Draw(t, "text")
		expression := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
		want := regexp.MustCompile(`(?s)^` + expression + `$`).MatchString(s)
		if got := glob.Match(pattern, s); got != want {
			t.Fatalf("Match(%q, %q) is %v", pattern, s, got)
		}
	})
}
