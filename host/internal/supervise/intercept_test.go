package supervise

import "testing"

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
