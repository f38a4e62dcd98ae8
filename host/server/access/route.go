package access

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Binding says how a route restricts an agent to its tasks.
type Binding string

// The bindings. The operator's routes have none.
const (
	// ByTask: by the query parameter task. A request that names somebody else's task is refused.
	ByTask Binding = "task"
	// ByRecording: by the task of a recording. Recordings of other tasks are not found.
	ByRecording Binding = "recording"
	// BySession: by the token that began a session, and its task. Sessions of other tokens are not found.
	BySession Binding = "session"
)

// Route is one route that a daemon serves. Role and Does are required, and Binding if agents are let in.
type Route struct {
	// Pattern is a pattern of [http.ServeMux], such as "GET /v1/status".
	Pattern string
	// Role is the role that a caller must have at least.
	Role Role
	// Binding restricts agents to their tasks.
	Binding Binding
	// Does says in a few words what the route does.
	Does string
	// Handler serves the callers that Role lets in.
	Handler http.Handler
}

// check validates a route.
func (r Route) check() error {
	switch {
	case r.Role != Agent && r.Role != Operator:
		return fmt.Errorf("the route %q has no role", r.Pattern)
	case (r.Role == Agent) != (r.Binding != ""):
		return fmt.Errorf("the route %q of role %s has the binding %q: routes for agents have a binding, and no others", r.Pattern, r.Role, r.Binding)
	case r.Does == "" || r.Handler == nil:
		return fmt.Errorf("the route %q is not described, or has no handler", r.Pattern)
	}
	return nil
}

// NewMux serves a table of routes, and other for everything else. fail answers a caller who is not let in. An invalid
// route is a bug in the program and panics.
func NewMux(routes []Route, other http.Handler, fail func(http.ResponseWriter, error)) *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range slices.Concat(routes, []Route{{Pattern: "/", Role: Agent, Binding: ByTask, Does: "says that nothing is there", Handler: other}}) {
		if err := r.check(); err != nil {
			panic(err)
		}
		mux.Handle(r.Pattern, r.guarded(fail))
	}
	return mux
}

// guarded lets in callers with the route's role.
func (r Route) guarded(fail func(http.ResponseWriter, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch c := CallerOf(request.Context()); {
		case c.Role() >= r.Role:
			r.Handler.ServeHTTP(w, request)
		case c.Role() == Agent:
			fail(w, fmt.Errorf("%w: %s is the operator's; the token %s is an agent's", fault.ErrForbidden, r.Pattern, c.Grant().Name))
		default:
			fail(w, fault.ErrUnauthorized)
		}
	})
}

// IsOwnHost reports whether a Host header is an address, localhost, or the given name; empty: there is none. Anybody
// can make any other name resolve to this machine, and so have a page of theirs ask it.
func IsOwnHost(hostport, name string) bool {
	asked, _, err := net.SplitHostPort(hostport)
	if err != nil {
		asked = strings.Trim(hostport, "[]")
	}
	_, err = netip.ParseAddr(asked)
	return err == nil || strings.EqualFold(asked, "localhost") || name != "" && strings.EqualFold(asked, name)
}
