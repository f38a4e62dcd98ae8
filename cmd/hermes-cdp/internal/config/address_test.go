package config

import "testing"

func TestWhatIsAnAddress(t *testing.T) {
	for text, is := range map[string]bool{
		"9222": true, "running": true, "localhost:9222": true, "http://[::1]:9222": true, "wss://host/path?token=x": true,
		"0": false, "65536": false, "-1": false, "Running": false, "localhost": false, "host:": false, "ftp://host": false, "": false,
	} {
		if got := isAddress(text); got != is {
			t.Errorf("%q: %t", text, got)
		}
	}
}
