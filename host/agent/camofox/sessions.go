package camofox

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Options says how to use a server.
type Options struct {
	// URL is the server's, and Key what it asks for, if anything.
	URL, Key string
	// Profile names the user whose cookies the server keeps; all tasks are then that user, and nothing is removed at their
	// ends. Empty: each task is a user of its own, who is removed.
	Profile string
	// Schemes are the URL schemes that may be loaded.
	Schemes scheme.Policy
	// EvaluateDisabled refuses URLs that bring script of the agent's. Set it as in [agent.Options].
	EvaluateDisabled bool
	// Timeout bounds a call that names no time of its own. Default 30 s.
	Timeout time.Duration
	// Vision answers the questions of browser_vision. Nil: whoever receives the picture does.
	Vision agent.Vision
	// Logger receives what goes wrong where no call is told. Nil: nobody.
	Logger *slog.Logger
}

// FromEnvironment returns the URL and the key of a server from environment variables.
func FromEnvironment(getenv func(string) string) (address, key string) {
	return getenv(envURL), getenv(envKey)
}

// Server is a Camofox server, with a session for each task. It is safe for concurrent use.
type Server struct {
	client  *client
	options Options
	log     *slog.Logger

	mu       sync.Mutex
	sessions map[string]*session // by task
}

// session is what a task has at the server.
type session struct {
	user string
	key  string // of its group of tabs

	busy  chan struct{} // a lock, held during a call; it guards what follows
	tab   string        // in use; empty: none yet
	shown bool          // the address at which people watch has been looked for
	used  time.Time
}

// New returns a server without sessions; nothing is asked of it yet. The error says which variable is wrong.
func New(o Options) (*Server, error) {
	c, err := newClient(o.URL, o.Key)
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Server{client: c, options: o, log: log, sessions: map[string]*session{}}, nil
}

// session returns that of a task.
func (s *Server) session(task string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.sessions[task]
	if one == nil {
		one = &session{user: "hermes-cdp-" + rand.Text(), key: task, busy: make(chan struct{}, 1), used: time.Now()}
		if s.options.Profile != "" {
			one.user = persistent(s.options.Profile)
		}
		s.sessions[task] = one
	}
	return one
}

// lock waits until no other call is using the session.
func (one *session) lock(ctx context.Context) error {
	select {
	case one.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: another call of the task is still running", fault.ErrTimeout)
	}
}

func (one *session) unlock() {
	one.used = time.Now()
	<-one.busy
}

// persistent is always the same for a profile, and says nothing of its name.
func persistent(profile string) string {
	sum := sha256.Sum256([]byte("hermes-cdp profile " + profile))
	return "hermes-cdp-" + hex.EncodeToString(sum[:8])
}

// End ends the session of a task, if it has one.
func (s *Server) End(ctx context.Context, task string) error {
	s.mu.Lock()
	one := s.sessions[task]
	delete(s.sessions, task)
	s.mu.Unlock()
	if one == nil {
		return nil
	}
	if err := one.lock(ctx); err != nil {
		return err
	}
	defer one.unlock()
	return s.remove(ctx, one)
}

// remove removes a session from the server, or only its tab where the server keeps the user.
func (s *Server) remove(ctx context.Context, one *session) error {
	path := "/sessions/" + url.PathEscape(one.user)
	if s.options.Profile != "" {
		if one.tab == "" {
			return nil
		}
		path = "/tabs/" + url.PathEscape(one.tab)
	}
	err := s.client.send(ctx, http.MethodDelete, path, url.Values{"userId": {one.user}}, nil, nil)
	if err == nil && s.options.Profile == "" {
		// A server may keep the cookies of each user on its disk. One that does not has no such path.
		err = s.client.send(ctx, http.MethodDelete, path+"/storage_state", nil, nil, nil)
	}
	if errors.Is(err, errNoTab) {
		return nil
	}
	return err
}

// Close ends all sessions.
func (s *Server) Close(ctx context.Context) error {
	var errs []error
	for _, task := range s.tasks(0) {
		errs = append(errs, s.End(ctx, task))
	}
	return errors.Join(errs...)
}

// unusedFor reports whether no call has used the session for a time; 0: in any case.
func (one *session) unusedFor(idle time.Duration) bool {
	if idle == 0 {
		return true
	}
	select {
	case one.busy <- struct{}{}:
		defer func() { <-one.busy }()
		return time.Since(one.used) >= idle
	default:
		return false
	}
}

// tasks lists those that have not been used for a time.
func (s *Server) tasks(idle time.Duration) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for task, one := range s.sessions {
		if one.unusedFor(idle) {
			list = append(list, task)
		}
	}
	return list
}

// EndIdle ends sessions that have not been used for a limit, until ctx ends.
func (s *Server) EndIdle(ctx context.Context, limit time.Duration) {
	ticker := time.NewTicker(min(limit/4, 30*time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, task := range s.tasks(limit) {
			if err := s.End(ctx, task); err != nil && ctx.Err() == nil {
				s.log.Warn("an idle session at the Camofox server did not end", "task", task, "error", err)
			}
		}
	}
}

// health is what the server says of itself.
type health struct {
	VNCURL  string `json:"vncUrl"`
	VNCPort int    `json:"vncPort"`
}

// live returns the URL at which people can watch the browser; empty if the server tells none.
func (s *Server) live(ctx context.Context) string {
	var h health
	if s.client.get(ctx, "/health", nil, &h) != nil {
		return ""
	}
	if u, err := url.Parse(h.VNCURL); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "vnc") {
		return h.VNCURL
	}
	if h.VNCPort > 0 && h.VNCPort < 1<<16 {
		return (&url.URL{Scheme: "http", Host: s.client.base.Hostname() + ":" + strconv.Itoa(h.VNCPort)}).String()
	}
	return ""
}
