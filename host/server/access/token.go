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

// tokenPrefix lets people and secret scanners recognise a token.
const tokenPrefix = "hcdp_"

// usedGrain is the precision of the last use of a token: enough to find unused ones.
const usedGrain = time.Hour

// Token describes an agent's token. Only the agent knows the token itself.
type Token struct {
	Name string `json:"name"`
	// Tasks and Toolsets are as in [Grant].
	Tasks    []string  `json:"tasks"`
	Toolsets []string  `json:"toolsets"`
	Created  time.Time `json:"created"`
	// Expires is when it expires; zero: it does not.
	Expires time.Time `json:"expires,omitzero"`
	// LastUsed is the start of the hour in which it was last used, but not before Created; zero: never used.
	LastUsed time.Time `json:"last_used,omitzero"`
}

// Expired reports whether the token has expired.
func (t Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// makeToken returns 256 random bits as text. For these an unsalted hash is enough, as they cannot be guessed.
func makeToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

func hashOf(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// stored is a token in a file.
type stored struct {
	Token
	SHA256 string `json:"sha256"`
}

// is reports whether a token has this hash, in constant time.
func (s stored) is(hash [sha256.Size]byte) bool {
	want, err := hex.DecodeString(s.SHA256)
	return err == nil && subtle.ConstantTimeCompare(want, hash[:]) == 1
}

// ReadSecret reads a token from a file. A file that others could have read is refused. Errors never contain the token.
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
