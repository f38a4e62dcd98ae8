package secret

import "testing"

func TestName(t *testing.T) {
	for _, s := range []string{"token", "GITHUB_TOKEN", "pause_token", "password", "passwd", "apiKey", "api_key", "privateKey", "access-key",
		"Authorization", "cookies", "client_secret"} {
		if !Name(s) {
			t.Errorf("%s is taken for no secret", s)
		}
	}
	for _, s := range []string{"", "policy", "timeout_ms", "key", "rules", "pass", "message"} {
		if Name(s) {
			t.Errorf("%s is taken for a secret", s)
		}
	}
}
