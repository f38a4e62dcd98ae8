package secret

import "testing"

func TestAURLIsShownWithoutWhatMayBeSecret(t *testing.T) {
	for url, wanted := range map[string]string{
		"https://a.example/file?token=x#y": "https://a.example/file", "data:text/plain,secret": "data:", "blob:https://a/1": "blob:", "about:blank": "about:blank",
	} {
		if got := WithoutQuery(url); got != wanted {
			t.Errorf("%q: %q, want %q", url, got, wanted)
		}
	}
}

func TestAURLIsShownWithoutItsUser(t *testing.T) {
	for url, wanted := range map[string]string{
		"https://me:pw@a.example/x?y#z": "https://redacted@a.example/x?y#z", "https://a.example/@me": "https://a.example/@me", "about:blank": "about:blank",
	} {
		if got := WithoutUser(url); got != wanted {
			t.Errorf("%q: %q, want %q", url, got, wanted)
		}
	}
}
