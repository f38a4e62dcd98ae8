package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// tokenPrefix lets people, and programs that look for secrets in files, tell what a token is.
const tokenPrefix = "hcdp_"

// usedGrain is how exactly the last use of a token is known: exactly enough to find those that nobody uses.
const usedGrain = time.Hour

// Token is what is known of an agent's token, which itself is known to nobody but the agent.
type Token struct {
	Name string `json:"name"`
	// Tasks and Toolsets are as in [Grant].
	Tasks    []string  `json:"tasks"`
	Toolsets []string  `json:"toolsets"`
	Created  time.Time `json:"created"`
	// Expires is when it ends by itself; zero: it does not.
	Expires time.Time `json:"expires,omitzero"`
	// LastUsed is when the hour began in which it was used last, and never before Created; zero: it never was.
	LastUsed time.Time `json:"last_used,omitzero"`
}

// Expired tells whether the token has ended by itself.
func (t Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// makeToken gives 256 random bits as a text. A hash without a salt is enough for them: nobody can try them all.
func makeToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

func hashOf(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// stored is a token as it stands in a file.
type stored struct {
	Token
	SHA256 string `json:"sha256"`
}

// is tells whether a token has this hash, in a time that does not depend on how much of it fits.
func (s stored) is(hash [sha256.Size]byte) bool {
	want, err := hex.DecodeString(s.SHA256)
	return err == nil && subtle.ConstantTimeCompare(want, hash[:]) == 1
}

// ReadSecret reads a token that a file holds. A file that others could have read is refused. Errors never have the token.
func ReadSecret(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s has the mode %#o, so others may have read it", path, info.Mode().Perm())
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	return token, nil
}
