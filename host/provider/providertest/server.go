package providertest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Key is the key that the server accepts.
const Key = "key-7f3a9c51d2e8"

// Server is all services at once. Its methods are safe for concurrent use.
type Server struct {
	// URL is where the server is.
	URL string

	t       testing.TB
	browser string // WebSocket URL of the browser that is rented out

	mu       sync.Mutex
	sessions map[string]*session
	tickets  []string // all that there ever were
	requests []Request
	faults   []Fault
	lacks    []string
	lifetime time.Duration
	holds    bool
	held     int
	arrived  chan struct{} // closed and replaced with each request
}

// session is a rented browser.
type session struct {
	id      string
	ticket  string // of the endpoint; it works once
	expires time.Time
	ended   string   // the status of one that has ended
	cuts    []func() // end the connections to it
}

// Request is one that the server got: the method and the path, and the body as compact JSON with sorted keys. The id
// of a session reads {id}.
type Request struct{ Line, Body string }

// Fault answers one request in place of the service, or lets the service do that.
type Fault func(s *Server, w http.ResponseWriter, r *http.Request) (answered bool)

// New starts a server that ends with the test. browser is the WebSocket URL of the browser that it rents out; empty:
// its endpoints lead nowhere.
func New(t testing.TB, browser string) *Server {
	s := &Server{t: t, browser: browser, sessions: map[string]*session{}, lifetime: time.Hour, arrived: make(chan struct{})}
	mux := http.NewServeMux()
	s.routes(mux)
	server := httptest.NewUnstartedServer(mux)
	s.URL = "http://" + server.Listener.Addr().String() // before the first request can come
	server.Start()
	t.Cleanup(func() {
		s.Cut()
		server.Close()
	})
	return s
}

// Getenv is the environment of a program that is to use the server.
func (s *Server) Getenv(name string) string {
	return map[string]string{
		"BROWSERBASE_API_KEY": Key, "BROWSERBASE_PROJECT_ID": "project-1", "BROWSERBASE_BASE_URL": s.URL,
		"BROWSER_USE_API_KEY": Key, "BROWSER_USE_BASE_URL": s.URL + "/api/v3",
		"FIRECRAWL_API_KEY": Key, "FIRECRAWL_API_URL": s.URL,
		"RENT_TOKEN": Key,
	}[name]
}

// Fail answers the next requests with faults, one each, before the service does its work again.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Lack makes the plan lack features, for which Browserbase answers 402.
func (s *Server) Lack(features ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lacks = features
}

// Lifetime is how long sessions that are made from now on last.
func (s *Server) Lifetime(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lifetime = d
}

// Hold leaves connections that are made from now on without an answer, and Held counts them.
func (s *Server) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds = true
}

// Held counts the connections that got no answer.
func (s *Server) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Requests are those that the server got until now, without connections.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Running are the ids of the sessions that nobody has ended.
func (s *Server) Running() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, one := range s.sessions {
		if one.ended == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Await waits until the condition holds, and checks it again after each request and connection. The test fails if it
// never does.
func (s *Server) Await(condition func() bool) {
	s.t.Helper()
	patience := time.After(time.Minute)
	for {
		s.mu.Lock()
		arrived := s.arrived
		s.mu.Unlock()
		if condition() {
			return
		}
		select {
		case <-arrived:
		case <-patience:
			s.t.Fatalf("the service has only got %v", s.Requests())
		}
	}
}

// Cut ends every connection to a browser, as a network would.
func (s *Server) Cut() {
	s.mu.Lock()
	var cuts []func()
	for _, one := range s.sessions {
		cuts, one.cuts = append(cuts, one.cuts...), nil
	}
	s.mu.Unlock()
	for _, cut := range cuts {
		cut()
	}
}

// End ends every session as the service does when its time is over, and cuts its connections.
func (s *Server) End() {
	s.mu.Lock()
	for _, one := range s.sessions {
		one.ended = "TIMED_OUT"
	}
	s.mu.Unlock()
	s.Cut()
}

// Secrets are the keys and tickets that nobody may be shown.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{Key}, s.tickets...)
}

// Status answers with a status, a message that quotes the key, and a header with its value.
func Status(status int, header ...string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"message": "no, for %s\n<script>"}`, Key)
		return true
	}
}

// Malformed answers with what is no JSON.
func Malformed(_ *Server, w http.ResponseWriter, _ *http.Request) bool {
	_, _ = io.WriteString(w, "<html>")
	return true
}

// Delay makes the service wait for a channel before it answers.
func Delay(until <-chan struct{}) Fault {
	return func(*Server, http.ResponseWriter, *http.Request) bool {
		<-until
		return false
	}
}

// Slow does not answer until the client has gone.
func Slow(_ *Server, _ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// Lost does what was asked for, and loses the connection before it says so.
func Lost(s *Server, _ http.ResponseWriter, _ *http.Request) bool {
	s.rent()
	panic(http.ErrAbortHandler)
}

// rent makes a session.
func (s *Server) rent() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := &session{id: "session-" + rand.Text(), expires: time.Now().Add(s.lifetime)}
	s.sessions[one.id] = one
	s.sign(one)
	return one
}

// tell wakes those who await something. The caller holds the lock.
func (s *Server) tell() {
	close(s.arrived)
	s.arrived = make(chan struct{})
}

// sign gives a session another endpoint. The caller holds the lock.
func (s *Server) sign(one *session) {
	one.ticket = "ticket-" + rand.Text()
	s.tickets = append(s.tickets, one.ticket)
}

// asked records a request, and answers it with a fault if there is one.
func (s *Server) asked(w http.ResponseWriter, r *http.Request) (body map[string]any, answered bool) {
	text, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(text, &body)
	compact := ""
	if len(text) > 0 {
		sorted, _ := json.Marshal(body)
		compact = string(sorted)
	}
	line := r.Method + " " + r.URL.RequestURI()
	if id := r.PathValue("id"); id != "" {
		line, compact = strings.ReplaceAll(line, id, "{id}"), strings.ReplaceAll(compact, id, "{id}")
	}
	s.mu.Lock()
	s.requests = append(s.requests, Request{line, compact})
	var fault Fault
	if len(s.faults) > 0 {
		fault, s.faults = s.faults[0], s.faults[1:]
	}
	s.tell()
	s.mu.Unlock()
	return body, fault != nil && fault(s, w, r)
}
