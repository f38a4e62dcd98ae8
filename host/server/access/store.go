package access

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// lookEvery is how often a store checks whether its file has changed, to end requests in progress whose tokens were
// revoked.
const lookEvery = time.Second

// Store has the tokens of agents, in a file. It follows changes that others make to the file. It is safe for concurrent
// use.
type Store struct {
	path string
	log  *slog.Logger
	stop context.CancelFunc
	done sync.WaitGroup

	mu   sync.Mutex
	seen fs.FileInfo // the file when it was last read; nil: there was none
	all  map[string]*live
}

// live is a valid token.
type live struct {
	stored
	grant *Grant
	end   context.CancelFunc
}

// Request describes a token to create.
type Request struct {
	// Name is for people; it is unique.
	Name string `json:"name"`
	// Tasks and Toolsets are as in [Grant].
	Tasks    []string `json:"tasks"`
	Toolsets []string `json:"toolsets"`
	// Lifetime is how long it is valid; 0: it does not expire.
	Lifetime time.Duration `json:"lifetime_ns,omitempty"`
}

// Made is a new token. It is the only time that the secret is shown.
type Made struct {
	Token
	Secret string `json:"token"`
}

// Open reads a file of tokens, which need not exist; without a path there are no tokens and none can be created. The
// error says that the file does not belong to this user or is not a token file. Close the store when it is no longer
// needed.
func Open(path string, log *slog.Logger) (*Store, error) {
	s := &Store{path: path, log: log, all: map[string]*live{}}
	if err := s.follow(); err != nil {
		return nil, fmt.Errorf("control.agent_tokens: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.done.Go(func() { s.watch(ctx) })
	return s, nil
}

// Close closes the store and ends all grants.
func (s *Store) Close() {
	s.stop()
	s.done.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.adopt(content{})
}

// watch checks the file regularly: a token that another process revoked may have an open stream.
func (s *Store) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.look()
		case <-ctx.Done():
			return
		}
	}
}

// look follows the file and logs errors. A file that cannot be read, or that others could have written, lets nobody in.
func (s *Store) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.follow()
	if err == nil {
		return
	}
	if len(s.all) > 0 {
		s.log.Error("the file of agents' tokens is refused: no agent is let in until it is corrected", "error", err)
	}
	s.adopt(content{})
	s.seen = nil // read the file again once it is corrected, even if it looks unchanged
}

// follow reads the file if it has changed.
func (s *Store) follow() error {
	if s.path == "" {
		return nil
	}
	info, err := os.Lstat(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		info = nil
	}
	if sameFile(s.seen, info) {
		return nil
	}
	c, err := readFile(s.path)
	if err != nil {
		return err
	}
	s.seen = info
	s.adopt(c)
	return nil
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}

// adopt takes over the tokens of a file. Unchanged tokens go on; removed ones end at once.
func (s *Store) adopt(c content) {
	was := s.all
	s.all = make(map[string]*live, len(c.Tokens))
	for _, t := range c.Tokens {
		if before := was[t.Name]; before != nil && before.bindsAs(t) {
			before.LastUsed = t.LastUsed
			s.all[t.Name] = before
			continue
		}
		s.all[t.Name] = newLive(t)
	}
	for name, t := range was {
		if s.all[name] != t {
			t.end()
		}
	}
}

// bindsAs reports whether two tokens are the same and allow the same.
func (t stored) bindsAs(other stored) bool {
	t.LastUsed = other.LastUsed
	return reflect.DeepEqual(t, other)
}

func newLive(t stored) *live {
	l := &live{stored: t, grant: &Grant{Name: t.Name, Tasks: t.Tasks, Toolsets: t.Toolsets}}
	if t.Expires.IsZero() {
		l.grant.ended, l.end = context.WithCancel(context.Background())
	} else {
		l.grant.ended, l.end = context.WithDeadline(context.Background(), t.Expires)
	}
	return l
}

// Grant returns what a token allows; nil: it is unknown or has ended.
func (s *Store) Grant(token string) *Grant {
	s.look()
	found, grant := s.find(token)
	now := time.Now()
	if grant == nil || found.Expired(now) || grant.ended.Err() != nil {
		return nil
	}
	hour := now.UTC().Truncate(usedGrain)
	if hour.Before(found.Created) {
		hour = found.Created // the first hour began before the token was created
	}
	s.use(found.Name, found.SHA256, hour)
	return grant
}

// find compares with all tokens, so that the time reveals nothing about which one matches. It gives a copy of what is
// stored, since another call may record a use meanwhile.
func (s *Store) find(token string) (found stored, grant *Grant) {
	hash := hashOf(token)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.all {
		if t.is(hash) {
			found, grant = t.stored, t.grant
		}
	}
	return found, grant
}

// use records the hour in which a token was used, once per hour.
func (s *Store) use(name, hash string, hour time.Time) {
	s.mu.Lock()
	known := s.all[name] == nil || !s.all[name].LastUsed.Before(hour)
	s.mu.Unlock()
	if known {
		return
	}
	err := s.change(func(c *content) error {
		for i, t := range c.Tokens {
			if t.Name == name && t.SHA256 == hash {
				c.Tokens[i].LastUsed = hour
			}
		}
		return nil
	})
	if err != nil {
		s.log.Warn("the last use of an agent's token could not be recorded", "token", name, "error", err)
	}
}

// New creates a token. Errors: [fault.ErrBadToken], [fault.ErrTokenExists], and those of the file.
func (s *Store) New(r Request) (Made, error) {
	token := Token{Name: r.Name, Tasks: r.Tasks, Toolsets: r.Toolsets, Created: time.Now().UTC().Truncate(time.Second)}
	if r.Lifetime < 0 {
		return Made{}, fmt.Errorf("%w: it would expire before it is valid", fault.ErrBadToken)
	}
	if r.Lifetime > 0 {
		token.Expires = time.Now().UTC().Add(r.Lifetime)
	}
	if err := token.check(); err != nil {
		return Made{}, err
	}
	made := Made{Token: token, Secret: makeToken()}
	hash := hashOf(made.Secret)
	err := s.change(func(c *content) error {
		if slices.ContainsFunc(c.Tokens, func(t stored) bool { return t.Name == r.Name }) {
			return fmt.Errorf("%w: %s; revoke it first, or choose another name", fault.ErrTokenExists, r.Name)
		}
		c.Tokens = append(c.Tokens, stored{Token: token, SHA256: hex.EncodeToString(hash[:])})
		return nil
	})
	if err != nil {
		return Made{}, err
	}
	return made, nil
}

// Revoke ends a token and everything that is in progress with it. Errors: [fault.ErrUnknownToken] and those of the
// file.
func (s *Store) Revoke(name string) (Token, error) {
	var gone Token
	err := s.change(func(c *content) error {
		i := slices.IndexFunc(c.Tokens, func(t stored) bool { return t.Name == name })
		if i < 0 {
			return fmt.Errorf("%w: %q; hermes-cdp token list shows the existing ones", fault.ErrUnknownToken, name)
		}
		gone = c.Tokens[i].Token
		c.Tokens = slices.Delete(c.Tokens, i, i+1)
		return nil
	})
	return gone, err
}

// List returns all tokens by name, including expired ones. The error is that of the file.
func (s *Store) List() ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(); err != nil {
		return nil, err
	}
	list := make([]Token, 0, len(s.all))
	for _, t := range s.all {
		list = append(list, t.Token)
	}
	slices.SortFunc(list, func(a, b Token) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// change reads, changes and writes the file, under a lock against other processes.
func (s *Store) change(how func(*content) error) (err error) {
	if s.path == "" {
		return errors.New("control.agent_tokens: set it: the environment names no home directory for its default")
	}
	if err := OwnDirectory(filepath.Dir(s.path)); err != nil {
		return fmt.Errorf("control.agent_tokens: %w", err)
	}
	lock, err := LockFile(s.path + ".lock")
	if err != nil {
		return fmt.Errorf("control.agent_tokens: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := readFile(s.path)
	if err != nil {
		return fmt.Errorf("control.agent_tokens: %w", err)
	}
	if err := how(&c); err != nil {
		return err
	}
	if err := writeFile(s.path, c); err != nil {
		return fmt.Errorf("control.agent_tokens: %w", err)
	}
	return s.follow()
}
