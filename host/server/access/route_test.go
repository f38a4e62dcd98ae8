package access

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func answers(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

func fails(w http.ResponseWriter, err error) {
	status := http.StatusUnauthorized
	if errors.Is(err, fault.ErrForbidden) {
		status = http.StatusForbidden
	}
	w.WriteHeader(status)
}

func TestARouteLetsInWhomItsRoleDoes(t *testing.T) {
	mux := NewMux([]Route{
		{Pattern: "GET /all", Role: Agent, Binding: ByTask, Does: "is for all", Handler: answers(201)},
		{Pattern: "GET /operators", Role: Operator, Does: "is for operators", Handler: answers(202)},
	}, answers(404), fails)
	for _, c := range []struct {
		path   string
		caller Caller
		want   int
	}{
		{"/all", AsOperator(), 201}, {"/all", agentOf("a"), 201}, {"/all", Caller{}, 401},
		{"/operators", AsOperator(), 202}, {"/operators", agentOf("*"), 403}, {"/operators", Caller{}, 401},
		{"/nothing", AsOperator(), 404}, {"/nothing", agentOf("a"), 404}, {"/nothing", Caller{}, 401},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.path, nil)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r.WithContext(With(r.Context(), c.caller)))
		if w.Code != c.want {
			t.Errorf("%s for %s: %d, want %d", c.path, c.caller.Role(), w.Code, c.want)
		}
	}
}

func TestARouteWithoutARoleCannotBeServed(t *testing.T) {
	whole := Route{Pattern: "/x", Role: Agent, Binding: ByTask, Does: "does", Handler: answers(200)}
	for name, change := range map[string]func(*Route){
		"no role":                    func(r *Route) { r.Role = 0 },
		"a role that there is not":   func(r *Route) { r.Role = Operator + 1 },
		"an agent that is not bound": func(r *Route) { r.Binding = "" },
		"an operator that is bound":  func(r *Route) { r.Role = Operator },
		"no words":                   func(r *Route) { r.Does = "" },
		"no handler":                 func(r *Route) { r.Handler = nil },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it is served")
				}
			}()
			r := whole
			change(&r)
			NewMux([]Route{r}, answers(404), fails)
		})
	}
}
