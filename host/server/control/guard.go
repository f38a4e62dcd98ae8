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

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Guard identifies callers on each of a daemon's sockets and ports, before a mux of [NewMux] checks their roles. A
// given token always decides: whoever sends an agent's token is that agent, even where none is needed.
type Guard struct {
	// Token is the operator's token; empty: there is none.
	Token secret.Text
	// Agents returns what an agent's token allows; nil: it is not an agent's token.
	Agents func(token string) *access.Grant
	// Log receives answers that cannot be written.
	Log *slog.Logger
}

// OperatorSocket protects a unix socket that only the operator can open, see [ListenSocket]: without a token the caller
// is the operator.
func (g Guard) OperatorSocket(next http.Handler) http.Handler {
	return g.telling(next, func(r *http.Request) (access.Caller, error) {
		by := access.By{Who: "operator", Via: "socket"}
		if peer, ok := r.Context().Value(peerKey{}).(access.By); ok {
			by = peer
		}
		if len(r.Header.Values("Authorization")) == 0 {
			return access.AsOperatorBy(by), nil
		}
		return g.byToken(r, by)
	})
}

// AgentsSocket protects a unix socket for agents: it accepts only their tokens, not the operator's.
func (g Guard) AgentsSocket(next http.Handler) http.Handler {
	g.Token = secret.Text{}
	return g.telling(next, func(r *http.Request) (access.Caller, error) { return g.byToken(r, access.By{}) })
}

// Port protects a loopback port, which every program and every web page on the machine can reach. A request needs a
// token. It must name a loopback host, as a page can make a name of its own resolve to this machine. It must not come
// from another origin's page.
func (g Guard) Port(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return g.telling(next, func(r *http.Request) (access.Caller, error) {
		switch err := origin.Check(r); {
		case !isLoopbackHost(r.Host):
			return access.Caller{}, fmt.Errorf("%w: the Host header does not name a loopback address", fault.ErrForbidden)
		case !isOwnOrigin(r): // also for safe methods, which CrossOriginProtection lets through
			return access.Caller{}, fmt.Errorf("%w: the Origin header names another origin", fault.ErrForbidden)
		case err != nil:
			return access.Caller{}, fmt.Errorf("%w: %w", fault.ErrForbidden, err)
		}
		return g.byToken(r, access.By{Who: "operator", Via: "address"})
	})
}

// telling adds the caller to a request's context, and ends the request when its token ends.
func (g Guard) telling(next http.Handler, who func(*http.Request) (access.Caller, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := who(r)
		if err != nil {
			if errors.Is(err, fault.ErrUnauthorized) {
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

// errTokenEnded says that a request ended because its token did.
var errTokenEnded = fmt.Errorf("%w: the token was revoked, or has expired", fault.ErrUnauthorized)

// byToken identifies the sender of a token; an operator came in as by says.
func (g Guard) byToken(r *http.Request, by access.By) (access.Caller, error) {
	values := r.Header.Values("Authorization")
	if len(values) == 1 {
		if token, ok := strings.CutPrefix(values[0], "Bearer "); ok && token != "" {
			if g.isOperators(token) {
				return access.AsOperatorBy(by), nil
			}
			if grant := g.Agents(token); grant != nil {
				return access.AsAgent(grant), nil
			}
		}
	}
	return access.Caller{}, fmt.Errorf("%w: send Authorization: Bearer with a token: an agent's of hermes-cdp token new, "+
		"or, except on the agents' socket, the content of the token file", fault.ErrUnauthorized)
}

// isOperators compares hashes, which have the same length, so that the time reveals nothing.
func (g Guard) isOperators(token string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.Token.Reveal()))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && g.Token.Reveal() != ""
}

// isOwnOrigin reports whether a request comes from no page, or from one of this server.
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
