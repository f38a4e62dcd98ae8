package config

import "testing"

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
}
