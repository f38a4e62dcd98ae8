package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Guard protects a handler on a loopback port, which every program and every web page on the machine can reach: a request
// needs the token, must name a loopback host (a page can make a name of its own resolve to this machine), and must not
// come from another origin's page.
func Guard(next http.Handler, token string, log *slog.Logger) http.Handler {
	want := sha256.Sum256([]byte(token))
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(given)) // of one length, so that the comparison tells nothing
		switch err := origin.Check(r); {
		case !isLoopbackHost(r.Host):
			writeError(w, fmt.Errorf("%w: the Host header names no loopback address", ErrForbidden), log)
		case !isOwnOrigin(r): // of requests that change nothing, too, which the check lets through
			writeError(w, fmt.Errorf("%w: the Origin header names another origin", ErrForbidden), log)
		case err != nil:
			writeError(w, fmt.Errorf("%w: %w", ErrForbidden, err), log)
		case !ok || subtle.ConstantTimeCompare(got[:], want[:]) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeError(w, fmt.Errorf("%w: send Authorization: Bearer with the content of the token file", ErrUnauthorized), log)
		default:
			next.ServeHTTP(w, r)
		}
	})
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
