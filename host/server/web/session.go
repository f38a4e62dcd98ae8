package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"sync"
	"time"
)

const (
	// codeLife is how long a link works.
	codeLife = 10 * time.Minute
	// sessionLife is how long a browser that sends nothing stays let in.
	sessionLife = 12 * time.Hour
	// maxSessions limits browsers that are let in, and links that wait; the oldest go.
	maxSessions = 32
)

// hash is of a secret of 256 random bits, which needs no salt.
type hash [sha256.Size]byte

// session is a browser that is let in.
type session struct {
	cookie, key hash
	used        time.Time
}

type code struct {
	hash hash
	ends time.Time
}

// sessions are in memory only: they end with the daemon. The zero value is ready.
type sessions struct {
	mu    sync.Mutex
	codes []code
	list  []session
}

func newSecret() (text string, of hash) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	text = base64.RawURLEncoding.EncodeToString(secret)
	return text, sha256.Sum256([]byte(text))
}

func (h hash) is(other hash) bool { return subtle.ConstantTimeCompare(h[:], other[:]) == 1 }

// invite returns a code that lets one browser in.
func (s *sessions) invite(now time.Time) (text string, ends time.Time) {
	text, of := newSecret()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes = append(s.codes, code{of, now.Add(codeLife)})
	s.codes = s.codes[max(0, len(s.codes)-maxSessions):]
	return text, now.Add(codeLife)
}

// enter exchanges a code for a session, once.
func (s *sessions) enter(text string, now time.Time) (cookie, key, name string, ok bool) {
	given := hash(sha256.Sum256([]byte(text)))
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.codes, func(c code) bool { return c.hash.is(given) })
	if i < 0 {
		return "", "", "", false
	}
	ends := s.codes[i].ends
	s.codes = slices.Delete(s.codes, i, i+1)
	if !now.Before(ends) {
		return "", "", "", false
	}
	one := session{used: now}
	cookie, one.cookie = newSecret()
	key, one.key = newSecret()
	s.list = append(s.list, one)
	s.list = s.list[max(0, len(s.list)-maxSessions):]
	return cookie, key, one.name(), true
}

// name tells sessions apart where people read of them; it is no secret.
func (s session) name() string { return "live page " + hex.EncodeToString(s.cookie[:4]) }

// allows reports whether a cookie and a key are of one session, and which.
func (s *sessions) allows(cookie, key string, now time.Time) (name string, ok bool) {
	c, k := hash(sha256.Sum256([]byte(cookie))), hash(sha256.Sum256([]byte(key)))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(one session) bool { return now.Sub(one.used) > sessionLife })
	for i, one := range s.list {
		if one.cookie.is(c) && one.key.is(k) {
			s.list[i].used = now
			return one.name(), true
		}
	}
	return "", false
}
