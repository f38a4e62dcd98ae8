package providertest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// service is how one of the services speaks.
type service struct {
	header, prefix string // of the key
	describe       func(*Server, *session) any
}

var services = map[string]service{
	"browserbase": {"X-BB-API-Key", "", func(s *Server, one *session) any {
		status := one.ended
		if status == "" {
			status = "RUNNING"
		}
		return map[string]any{"id": one.id, "connectUrl": s.endpoint(one), "expiresAt": one.expires.UTC().Format(time.RFC3339Nano), "status": status}
	}},
	"browser-use": {"X-Browser-Use-API-Key", "", func(s *Server, one *session) any {
		status := "active"
		if one.ended != "" {
			status = "stopped"
		}
		return map[string]any{
			"id": one.id, "cdpUrl": s.discovery(one), "liveUrl": "https://live.test/" + one.id, "timeoutAt": one.expires.UTC().Format(time.RFC3339Nano), "status": status,
		}
	}},
	"firecrawl": {"Authorization", "Bearer ", func(s *Server, one *session) any {
		return map[string]any{
			"success": true, "id": one.id, "cdpUrl": s.endpoint(one), "liveViewUrl": "https://live.test/" + one.id, "expiresAt": one.expires.UTC().Format(time.RFC3339Nano),
		}
	}},
	"cdp": {"Authorization", "Bearer ", func(s *Server, one *session) any {
		return map[string]any{"browser": map[string]any{
			"name": one.id, "sockets": []string{s.endpoint(one)}, "until": one.expires.Unix(), "watch": "https://live.test/" + one.id,
		}}
	}},
}

func (s *Server) routes(mux *http.ServeMux) {
	s.handle(mux, "POST /v1/sessions", "browserbase", s.rentOut)
	s.handle(mux, "GET /v1/sessions/{id}", "browserbase", s.show)
	s.handle(mux, "POST /v1/sessions/{id}", "browserbase", s.end)
	s.handle(mux, "POST /api/v3/browsers", "browser-use", s.rentOut)
	s.handle(mux, "GET /api/v3/browsers/{id}", "browser-use", s.show)
	s.handle(mux, "PATCH /api/v3/browsers/{id}", "browser-use", s.end)
	s.handle(mux, "POST /v2/browser", "firecrawl", s.rentOut)
	s.handle(mux, "GET /v2/browser", "firecrawl", s.list)
	s.handle(mux, "DELETE /v2/browser/{id}", "firecrawl", s.end)
	s.handle(mux, "POST /rent", "cdp", s.rentOut)
	s.handle(mux, "GET /rent/{id}", "cdp", s.show)
	s.handle(mux, "POST /rent/{id}/longer", "cdp", s.extend)
	s.handle(mux, "POST /rent/{id}/end", "cdp", s.end)
	mux.HandleFunc("GET /connect/{id}", s.connect)
	mux.HandleFunc("GET /discover/{id}/json/version", s.version)
	mux.HandleFunc("GET /discover/{id}/devtools/browser/{guid}", s.connect)
}

// answer is what a service does for a request; the session is nil if it names none.
type answer func(w http.ResponseWriter, r *http.Request, of string, one *session, body map[string]any)

// handle records each request to a service, and lets only those through that have the key and name a session of its.
func (s *Server) handle(mux *http.ServeMux, pattern, of string, do answer) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		body, answered := s.asked(w, r)
		if answered {
			return
		}
		if r.Header.Get(services[of].header) != services[of].prefix+Key {
			Status(http.StatusUnauthorized)(s, w, r)
			return
		}
		s.mu.Lock()
		one := s.sessions[r.PathValue("id")]
		s.mu.Unlock()
		if r.PathValue("id") != "" && one == nil {
			Status(http.StatusNotFound)(s, w, r)
			return
		}
		do(w, r, of, one, body)
	})
}

// needed are the features that the plan may lack, in the order in which the service complains.
var needed = []string{"keepAlive", "proxies"}

func (s *Server) rentOut(w http.ResponseWriter, r *http.Request, of string, _ *session, body map[string]any) {
	s.mu.Lock()
	lacks := slices.Clone(s.lacks)
	s.mu.Unlock()
	for _, feature := range needed {
		if body[feature] == true && slices.Contains(lacks, feature) {
			Status(http.StatusPaymentRequired)(s, w, r)
			return
		}
	}
	s.write(w, of, s.rent())
}

func (s *Server) show(w http.ResponseWriter, _ *http.Request, of string, one *session, _ map[string]any) {
	s.mu.Lock()
	s.sign(one)
	if one.ended == "" && !time.Now().Before(one.expires) {
		one.ended = "TIMED_OUT"
	}
	s.mu.Unlock()
	s.write(w, of, one)
}

func (s *Server) extend(w http.ResponseWriter, _ *http.Request, of string, one *session, _ map[string]any) {
	s.mu.Lock()
	one.expires = time.Now().Add(time.Hour)
	s.mu.Unlock()
	s.write(w, of, one)
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request, of string, _ *session, _ map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, one := range s.sessions {
		if one.ended == "" {
			s.sign(one)
			list = append(list, services[of].describe(s, one))
		}
	}
	writeJSON(w, map[string]any{"success": true, "sessions": list})
}

func (s *Server) end(w http.ResponseWriter, _ *http.Request, _ string, one *session, _ map[string]any) {
	s.mu.Lock()
	one.ended = "COMPLETED"
	s.tell()
	cuts := one.cuts
	one.cuts = nil
	s.mu.Unlock()
	for _, cut := range cuts {
		cut()
	}
	writeJSON(w, map[string]any{"success": true})
}

func (s *Server) write(w http.ResponseWriter, of string, one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	writeJSON(w, services[of].describe(s, one))
}

// The endpoint and the discovery address of a session. The caller holds the lock.
func (s *Server) endpoint(one *session) string {
	return strings.Replace(s.URL, "http", "ws", 1) + "/connect/" + one.id + "?signature=" + one.ticket
}

func (s *Server) discovery(one *session) string {
	return s.URL + "/discover/" + one.id + "?signature=" + one.ticket
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}
