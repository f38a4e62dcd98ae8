package config

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLevenshteinIsADistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if (levenshtein(a, b) == 0) != (a == b) {
			t.Error("the distance is zero for different words, or not for equal ones")
		}
		if levenshtein(a, b) != levenshtein(b, a) {
			t.Error("the distance is not symmetric")
		}
		if levenshtein(a, c) > levenshtein(a, b)+levenshtein(b, c) {
			t.Error("a detour is shorter")
		}
	})
}

func TestNearestWord(t *testing.T) {
	candidates := []string{"browser.headless", "browser.cdp_url", "log.level"}
	for _, test := range []struct{ name, in, want string }{
		{"a letter is missing", "browser.headles", "browser.headless"},
		{"letters are swapped", "lgo.level", "log.level"},
		{"the section is missing", "cdp-url", "browser.cdp_url"},
		{"nothing is close", "telemetry", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := nearest(test.in, candidates); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := levenshtein("kitten", "sitting"); got != 3 {
		t.Errorf("kitten to sitting is %d steps", got)
	}
}
