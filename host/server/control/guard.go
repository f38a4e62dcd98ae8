package control

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// Guard tells callers apart, on each of a daemon's ways in, before a mux of [NewMux] looks at their roles. A token that is
// given decides on all of them: who sends an agent's is that agent, also where others need none.
type Guard struct {
	// Token is the operator's; empty: nobody is the operator by a token.
	Token string
	// Agents gives what the token of an agent allows; nil, as its result: it is none.
	Agents func(token string) *access.Grant
	// Log is told what cannot be answered.
	Log *slog.Logger
}

// OperatorSocket protects a unix socket that only the operator can open, see [ListenSocket]: without a token everybody there
// is the operator.
func (g Guard) OperatorSocket(next http.Handler) http.Handler {
	return g.telling(next, func(r *http.Request) (access.Caller, error) {
		if len(r.Header.Values("Authorization")) == 0 {
			return access.AsOperator(), nil
		}
		return g.byToken(r)
	})
}

// AgentsSocket protects a unix socket that is for agents: only their tokens count, and the operator's does not.
func (g Guard) AgentsSocket(next http.Handler) http.Handler {
	g.Token = ""
	return g.telling(next, g.byToken)
}

// Port protects a loopback port, which every program and every web page on the machine can reach: a request needs a token,
// must name a loopback host (a page can make a name of its own resolve to this machine), and must not come from another
// origin's page.
func (g Guard) Port(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return g.telling(next, func(r *http.Request) (access.Caller, error) {
		switch err := origin.Check(r); {
		case !isLoopbackHost(r.Host):
			return access.Caller{}, fmt.Errorf("%w: the Host header does not name a loopback address", ErrForbidden)
		case !isOwnOrigin(r): // of requests that change nothing, too, which the check lets through
			return access.Caller{}, fmt.Errorf("%w: the Origin header names another origin", ErrForbidden)
		case err != nil:
			return access.Caller{}, fmt.Errorf("%w: %w", ErrForbidden, err)
		}
		return g.byToken(r)
	})
}

// telling tells a handler from whom a request is, and ends the request with the token that it came by.
func (g Guard) telling(next http.Handler, who func(*http.Request) (access.Caller, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := who(r)
		if err != nil {
			if errors.Is(err, ErrUnauthorized) {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			writeError(w, err, g.Log)
			return
		}
		ctx, cancel := context.WithCancelCause(access.With(r.Context(), caller))
		defer cancel(nil)
		if grant := caller.Grant(); grant != nil {
			defer context.AfterFunc(grant.Context(), func() { cancel(errTokenEnded) })()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// errTokenEnded is why a request ends whose token does.
var errTokenEnded = fmt.Errorf("%w: the token was revoked, or has expired", ErrUnauthorized)

// byToken tells who sends a token.
func (g Guard) byToken(r *http.Request) (access.Caller, error) {
	values := r.Header.Values("Authorization")
	if len(values) == 1 {
		if token, ok := strings.CutPrefix(values[0], "Bearer "); ok && token != "" {
			if g.isOperators(token) {
				return access.AsOperator(), nil
			}
			if grant := g.Agents(token); grant != nil {
				return access.AsAgent(grant), nil
			}
		}
	}
	return access.Caller{}, fmt.Errorf("%w: send Authorization: Bearer with a token: an agent's of hermes-cdp token new, "+
		"or, except on the agents' socket, the content of the token file", ErrUnauthorized)
}

// isOperators compares hashes, which have one length, so that the time tells nothing.
func (g Guard) isOperators(token string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && g.Token != ""
}

// isOwnOrigin tells whether a request comes from no page, or from one of this server's.
func isOwnOrigin(r *http.Request) bool {
	from := r.Header.Get("Origin")
	if from == "" {
		return r.Header.Get("Sec-Fetch-Site") != "cross-site"
	}
	u, err := url.Parse(from)
	return err == nil && u.Host == r.Host
}

func isLoopbackHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
