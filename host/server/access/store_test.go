//go:build unix

package access

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func openStore(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "state", "tokens.json") }

func makes(t *testing.T, s *Store, name string) Made {
	t.Helper()
	made, err := s.New(Request{Name: name, Tasks: []string{name + "-*"}, Toolsets: []string{"browser"}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestATokenIsKeptAsAHashInAFileOfItsOwners(t *testing.T) {
	path := newPath(t)
	s := openStore(t, path)
	made := makes(t, s, "shop")
	if grant := s.Grant(made.Secret); grant == nil || grant.Name != "shop" || !grant.Allows("shop-1") || grant.Allows("mail") {
		t.Fatalf("the grant is %+v", grant)
	}
	for _, wrong := range []string{"", "x", made.Secret[:len(made.Secret)-1], made.Secret + "A", strings.ToUpper(made.Secret)} {
		if s.Grant(wrong) != nil {
			t.Errorf("%q is taken for the token", wrong)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hash := hashOf(made.Secret)
	if bytes.Contains(text, []byte(made.Secret)) || !bytes.Contains(text, fmt.Appendf(nil, "%x", hash[:])) {
		t.Errorf("the file has %s", text)
	}
	if len(made.Secret) != len(tokenPrefix)+43 { // 256 bits in base64
		t.Errorf("the token has %d characters", len(made.Secret))
	}
	for file, want := range map[string]fs.FileMode{path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700 | fs.ModeDir} {
		if info, err := os.Stat(file); err != nil || info.Mode() != want {
			t.Errorf("%s has the mode %v, %v; want %v", file, info.Mode(), err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".tokens-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if again := openStore(t, path).Grant(made.Secret); again == nil {
		t.Error("another store does not know the token")
	}
}

func TestARevokedTokenEndsAtOnce(t *testing.T) {
	s := openStore(t, newPath(t))
	shop, mail := makes(t, s, "shop"), makes(t, s, "mail")
	grant, other := s.Grant(shop.Secret), s.Grant(mail.Secret)
	if gone, err := s.Revoke("shop"); err != nil || gone.Name != "shop" {
		t.Fatalf("revoked %+v, %v", gone, err)
	}
	if grant.Context().Err() == nil || s.Grant(shop.Secret) != nil {
		t.Error("it has not ended")
	}
	if other.Context().Err() != nil || s.Grant(mail.Secret) != other {
		t.Error("another has ended with it")
	}
	if _, err := s.Revoke("shop"); !errors.Is(err, fault.ErrUnknownToken) {
		t.Errorf("once more: %v", err)
	}
	again := makes(t, s, "shop")
	if s.Grant(shop.Secret) != nil || s.Grant(again.Secret) == nil {
		t.Error("a later token of the name is taken for the one before")
	}
}

func TestAStoreFollowsWhatAnotherProcessDoes(t *testing.T) {
	path := newPath(t)
	daemon, command := openStore(t, path), openStore(t, path)
	made := makes(t, command, "shop")
	grant := daemon.Grant(made.Secret)
	if grant == nil {
		t.Fatal("a token that was made elsewhere is not known")
	}
	if _, err := command.Revoke("shop"); err != nil {
		t.Fatal(err)
	}
	<-grant.Context().Done() // without any request
	if daemon.Grant(made.Secret) != nil {
		t.Error("a token that was revoked elsewhere is known")
	}
}

func TestAFileThatIsNotItsOwnersAloneLetsNobodyIn(t *testing.T) {
	path := newPath(t)
	s := openStore(t, path)
	made := makes(t, s, "shop")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good := func() {
		t.Helper()
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		if s.Grant(made.Secret) == nil {
			t.Fatal("a file that is right again is refused")
		}
	}
	for name, spoil := range map[string]func() error{
		"others can read it":  func() error { return os.Chmod(path, 0o640) },
		"others can write it": func() error { return os.Chmod(path, 0o602) },
		"it is a link":        func() error { return errors.Join(os.Rename(path, path+".2"), os.Symlink(path+".2", path)) },
		"it is half a file":   func() error { return os.WriteFile(path, text[:len(text)/2], 0o600) },
		"it has a key nobody knows": func() error {
			return os.WriteFile(path, bytes.Replace(text, []byte(`"tasks"`), []byte(`"only"`), 1), 0o600)
		},
		"a token has no toolsets": func() error { return os.WriteFile(path, bytes.Replace(text, []byte(`"browser"`), nil, 1), 0o600) },
		"a token has no tasks":    func() error { return os.WriteFile(path, bytes.Replace(text, []byte(`"shop-*"`), nil, 1), 0o600) },
		"a token has no hash": func() error {
			return os.WriteFile(path, bytes.Replace(text, []byte(`"sha256": "`), []byte(`"sha256": "zz`), 1), 0o600)
		},
		"it is of a later version": func() error {
			return os.WriteFile(path, bytes.Replace(text, []byte(`"version": 1`), []byte(`"version": 2`), 1), 0o600)
		},
		"it is gone": func() error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			good()
			grant := s.Grant(made.Secret)
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			if s.Grant(made.Secret) != nil || grant.Context().Err() == nil {
				t.Error("the token is taken")
			}
			again, err := Open(path, slog.New(slog.DiscardHandler))
			if err == nil {
				again.Close()
			}
			if gone := name == "it is gone"; gone != (err == nil) || !gone && !strings.Contains(err.Error(), path) {
				t.Errorf("a start on it: %v", err)
			}
		})
	}
	good()
}

func TestATokenEndsByItself(t *testing.T) {
	path := newPath(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		made, err := s.New(Request{Name: "shop", Tasks: []string{"a"}, Toolsets: []string{"browser"}, Lifetime: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		grant := s.Grant(made.Secret)
		time.Sleep(time.Hour - time.Second) //nolint:forbidigo // the time of the bubble
		if grant.Context().Err() != nil || s.Grant(made.Secret) != grant {
			t.Error("it has ended before its time")
		}
		time.Sleep(time.Second) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		if grant.Context().Err() == nil || s.Grant(made.Secret) != nil {
			t.Error("it has not ended")
		}
		if list, err := s.List(); err != nil || len(list) != 1 || !list[0].Expired(time.Now()) {
			t.Errorf("the list has %+v, %v", list, err)
		}
	})
}

func TestTheLastUseIsKnownToTheHour(t *testing.T) {
	path := newPath(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		made, err := s.New(Request{Name: "shop", Tasks: []string{"a"}, Toolsets: []string{"browser"}})
		if err != nil {
			t.Fatal(err)
		}
		last := func() time.Time {
			list, err := s.List()
			if err != nil {
				t.Fatal(err)
			}
			return list[0].LastUsed
		}
		if !last().IsZero() {
			t.Errorf("before its first use it was used at %v", last())
		}
		for range 3 {
			before, err := os.Stat(path)
			grant := s.Grant(made.Secret)
			first, errAfter := os.Stat(path)
			if err != nil || errAfter != nil || os.SameFile(before, first) {
				t.Errorf("the first use in an hour is not written: %v, %v", err, errAfter)
			}
			if again := s.Grant(made.Secret); again != grant {
				t.Error("a use makes it another token")
			}
			if now, err := os.Stat(path); err != nil || !os.SameFile(first, now) {
				t.Errorf("each use is written: %v", err)
			}
			if want := time.Now().UTC().Truncate(time.Hour); !last().Equal(want) {
				t.Errorf("it was used at %v, want %v", last(), want)
			}
			time.Sleep(time.Hour) //nolint:forbidigo // the time of the bubble
		}
	})
}

// The hour began before the token was created, and the list must not say that it was used then.
func TestATokenIsNeverUsedBeforeItIsMade(t *testing.T) {
	path := newPath(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		time.Sleep(40 * time.Minute) //nolint:forbidigo // the time of the bubble
		made, err := s.New(Request{Name: "shop", Tasks: []string{"a"}, Toolsets: []string{"browser"}})
		if err != nil {
			t.Fatal(err)
		}
		usedAt := func(want time.Time) {
			t.Helper()
			s.Grant(made.Secret)
			list, err := s.List()
			if err != nil || !list[0].LastUsed.Equal(want) {
				t.Errorf("made at %v, it was used at %v, want %v; %v", made.Created, list[0].LastUsed, want, err)
			}
		}
		usedAt(made.Created)
		first, err := os.Stat(path)
		time.Sleep(10 * time.Minute) //nolint:forbidigo // the time of the bubble
		usedAt(made.Created)
		if again, errAgain := os.Stat(path); err != nil || errAgain != nil || !os.SameFile(first, again) {
			t.Errorf("each use in its first hour is written: %v, %v", err, errAgain)
		}
		time.Sleep(time.Hour) //nolint:forbidigo // the time of the bubble
		usedAt(time.Now().UTC().Truncate(time.Hour))
	})
}

func TestWhatATokenCannotBe(t *testing.T) {
	s := openStore(t, newPath(t))
	right := Request{Name: "shop", Tasks: []string{"a"}, Toolsets: []string{"browser"}}
	for name, change := range map[string]func(*Request){
		"no name":                func(r *Request) { r.Name = "" },
		"a name with a slash":    func(r *Request) { r.Name = "a/b" },
		"a name that is a path":  func(r *Request) { r.Name = ".." },
		"a long name":            func(r *Request) { r.Name = strings.Repeat("a", 65) },
		"no tasks":               func(r *Request) { r.Tasks = nil },
		"an empty task":          func(r *Request) { r.Tasks = []string{"a", ""} },
		"a star in the middle":   func(r *Request) { r.Tasks = []string{"a*b"} },
		"two stars":              func(r *Request) { r.Tasks = []string{"a**"} },
		"a control character":    func(r *Request) { r.Tasks = []string{"a\x1b[2J"} },
		"no toolsets":            func(r *Request) { r.Toolsets = nil },
		"an empty toolset":       func(r *Request) { r.Toolsets = []string{""} },
		"a time that was before": func(r *Request) { r.Lifetime = -time.Second },
	} {
		r := right
		change(&r)
		if made, err := s.New(r); !errors.Is(err, fault.ErrBadToken) || made.Secret != "" {
			t.Errorf("%s: %+v, %v", name, made, err)
		}
	}
	if _, err := s.New(right); err != nil {
		t.Fatal(err)
	}
	if made, err := s.New(right); !errors.Is(err, fault.ErrTokenExists) || made.Secret != "" {
		t.Errorf("the name again: %+v, %v", made, err)
	}
}

func TestWithoutAFileThereAreNoTokens(t *testing.T) {
	s := openStore(t, "")
	if s.Grant("x") != nil {
		t.Error("a token is taken")
	}
	if list, err := s.List(); err != nil || len(list) > 0 {
		t.Errorf("there are %v, %v", list, err)
	}
	if _, err := s.New(Request{Name: "a", Tasks: []string{"a"}, Toolsets: []string{"all"}}); err == nil || !strings.Contains(err.Error(), "control.agent_tokens") {
		t.Errorf("the error is %v", err)
	}
}

// Hammer: many stores of one file, each in many goroutines, create, use and revoke tokens. None is lost, and of several
// that want the same name, one gets it.
func TestManyMakeTokensAtOnceHammer(t *testing.T) {
	const stores, each = 4, 8
	path := newPath(t)
	var work sync.WaitGroup
	var mu sync.Mutex
	taken := 0
	made := map[string]string{}
	for i := range stores {
		s := openStore(t, path)
		for j := range each {
			work.Go(func() {
				token, err := s.New(Request{Name: fmt.Sprintf("t-%d-%d", i, j), Tasks: []string{"a"}, Toolsets: []string{"browser"}})
				if err != nil || s.Grant(token.Secret) == nil {
					t.Errorf("a token: %v", err)
				}
				_, err = s.New(Request{Name: "one", Tasks: []string{"a"}, Toolsets: []string{"browser"}})
				if err != nil && !errors.Is(err, fault.ErrTokenExists) {
					t.Error(err)
				}
				if j == 0 {
					if _, err := s.Revoke(token.Name); err != nil {
						t.Error(err)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				made[token.Name] = token.Secret
				if err == nil {
					taken++
				}
			})
		}
	}
	work.Wait()
	if taken != 1 {
		t.Errorf("%d got the same name", taken)
	}
	s := openStore(t, path)
	for name, secret := range made {
		if revoked := strings.HasSuffix(name, "-0"); (s.Grant(secret) == nil) != revoked {
			t.Errorf("%s: revoked %v", name, revoked)
		}
	}
	if list, err := s.List(); err != nil || len(list) != stores*(each-1)+1 {
		t.Errorf("there are %d, %v", len(list), err)
	}
}

func TestASecretThatOthersMayKnowIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for mode, content := range map[fs.FileMode]string{0o644: "known", 0o600: "\n", 0o640: "known"} {
		if err := errors.Join(os.WriteFile(path, []byte(content), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSecret(path); err == nil || strings.Contains(err.Error(), "known") {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
}
