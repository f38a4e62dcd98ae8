package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

const (
	cookieName = "hermes_cdp_live"
	// keyHeader carries the key, which no other origin can have and no form can send.
	keyHeader = "X-Hermes-Key"
)

// policy allows the page's own files and nothing else: no inline script or style, no other server, no markup from text.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// protect sets the headers of every answer, and refuses requests that name another host or come from another page.
func (s *Server) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			w.Header().Set(name, value)
		}
		switch {
		case !access.IsOwnHost(r.Host, s.host):
			s.fail(w, fmt.Errorf("%w: the Host header names another host than control.ui_address", fault.ErrForbidden))
		case !isOwnOrigin(r):
			s.fail(w, fmt.Errorf("%w: the request comes from a page of another origin", fault.ErrForbidden))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOwnOrigin lets through what comes from no page, from a link that somebody follows to the page itself, and from the
// page.
func isOwnOrigin(r *http.Request) bool {
	if from := r.Header.Get("Origin"); from != "" {
		u, err := url.Parse(from)
		return err == nil && u.Scheme == schemeOf(r) && u.Host == r.Host
	}
	site := r.Header.Get("Sec-Fetch-Site")
	opens := r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	return site == "" || site == "none" || site == "same-origin" || opens
}

// schemeOf is https behind a proxy that says so; it only has to agree with what the browser says of its own page.
func schemeOf(r *http.Request) string {
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https"
	}
	return "http"
}

// identify tells who sends a request. A token in it decides: an agent's is that agent's, whatever cookie comes with it.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := access.Caller{}
		cookie, err := r.Cookie(cookieName)
		switch given := r.Header.Values("Authorization"); {
		case len(given) == 1 && s.o.Agents != nil:
			if grant := s.o.Agents(strings.TrimPrefix(given[0], "Bearer ")); grant != nil {
				caller = access.AsAgent(grant)
			}
		case len(given) == 0 && err == nil:
			if name, ok := s.sessions.allows(cookie.Value, r.Header.Get(keyHeader), time.Now()); ok {
				caller = access.AsOperatorBy(access.By{Who: "operator", Via: name})
			}
		}
		next.ServeHTTP(w, r.WithContext(access.With(r.Context(), caller)))
	})
}

// login lets a browser in that has a code.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&in); err != nil {
		s.fail(w, fmt.Errorf("%w: the body is not the JSON of a code", fault.ErrBadRequest))
		return
	}
	cookie, key, name, ok := s.sessions.enter(in.Code, time.Now())
	if s.o.Entered != nil {
		s.o.Entered(access.With(r.Context(), access.AsOperatorBy(access.By{Who: "operator", Via: cmp.Or(name, "live page")})), ok)
	}
	if !ok {
		s.fail(w, fmt.Errorf("%w: the link was used already, or is too old: hermes-cdp ui makes another", fault.ErrUnauthorized))
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: schemeOf(r) == "https"})
	control.WriteJSON(w, http.StatusOK, map[string]string{"key": key}, s.o.Log)
}

func (s *Server) fail(w http.ResponseWriter, err error) {
	e := control.ErrorOf(err)
	control.WriteJSON(w, e.Code.HTTPStatus(), control.ErrorBody{Error: e}, s.o.Log)
}
