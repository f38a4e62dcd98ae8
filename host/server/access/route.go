package access

import (
	"fmt"
	"net/http"
	"slices"
)

// Binding says what holds an agent to its tasks on a route.
type Binding string

// The bindings. Routes of the operator's have none.
const (
	// ByTask is the query parameter task: a request that names a foreign one is refused.
	ByTask Binding = "task"
	// ByRecording is the task that a recording is of: a foreign one is not found.
	ByRecording Binding = "recording"
	// BySession is the token that began a session, and the task of that session: a foreign one is not found.
	BySession Binding = "session"
)

// Route is one thing that a daemon serves. Role and Does are required, and Binding where agents are let in.
type Route struct {
	// Pattern is that of [http.ServeMux], such as "GET /v1/status".
	Pattern string
	// Role is the least that a caller must have.
	Role Role
	// Binding is what holds agents to their tasks.
	Binding Binding
	// Does says what the route is for, in a few words.
	Does string
	// Handler serves the callers that Role lets in.
	Handler http.Handler
}

// check tells what a route lacks.
func (r Route) check() error {
	switch {
	case r.Role != Agent && r.Role != Operator:
		return fmt.Errorf("the route %q has no role", r.Pattern)
	case (r.Role == Agent) != (r.Binding != ""):
		return fmt.Errorf("the route %q is the %s's and has the binding %q: every agent route is bound, and no other", r.Pattern, r.Role, r.Binding)
	case r.Does == "" || r.Handler == nil:
		return fmt.Errorf("the route %q is not described, or has no handler", r.Pattern)
	}
	return nil
}

// NewMux serves a table of routes, and other for whatever is not in it. Fail answers a caller who is not let in. A route that
// has no role is a slip of the program, and panics.
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

// guarded lets in whom the role does.
func (r Route) guarded(fail func(http.ResponseWriter, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch c := CallerOf(request.Context()); {
		case c.Role() >= r.Role:
			r.Handler.ServeHTTP(w, request)
		case c.Role() == Agent:
			fail(w, fmt.Errorf("%w: %s is the operator's; the token %s is an agent's", ErrForbidden, r.Pattern, c.Grant().Name))
		default:
			fail(w, ErrUnauthorized)
		}
	})
}
