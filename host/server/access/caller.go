package access

import (
	"context"
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Role is what a caller is to a daemon. A greater role may do everything that a lesser one may.
type Role int

// The roles. The zero value is no role.
const (
	Agent Role = iota + 1
	Operator
)

// String returns the word used in documents.
func (r Role) String() string {
	switch r {
	case Agent:
		return "agent"
	case Operator:
		return "operator"
	}
	return "nobody"
}

// Caller is the sender of a request. The zero value is nobody, who may do nothing.
type Caller struct {
	role  Role
	grant *Grant // of an agent
	by    By
}

// By says how an operator came in, as far as that is known, for the record of what operators do.
type By struct {
	// Who is the user of this machine, or what identifies the operator otherwise.
	Who string
	// Via is the way in, such as socket.
	Via string
	// PID is the process that asked; 0: it is not known.
	PID int
}

// AsOperator returns a caller who may do everything.
func AsOperator() Caller { return Caller{role: Operator} }

// AsOperatorBy is AsOperator for an operator of whom more is known.
func AsOperatorBy(by By) Caller { return Caller{role: Operator, by: by} }

// AsAgent returns a caller who may do what a token allows.
func AsAgent(g *Grant) Caller { return Caller{role: Agent, grant: g} }

// Role returns the caller's role.
func (c Caller) Role() Role { return c.role }

// By returns how an operator came in; the zero value if that is not known.
func (c Caller) By() By { return c.by }

// Grant returns what an agent's token allows; nil for all others.
func (c Caller) Grant() *Grant { return c.grant }

// Allows reports whether the caller may work on a task.
func (c Caller) Allows(task string) bool {
	return c.role == Operator || c.grant != nil && c.grant.Allows(task)
}

// Task returns the task for a request that names the given one, or none. The error is [fault.ErrForbidden], whether or
// not the task exists.
func (c Caller) Task(asked string) (string, error) {
	switch {
	case c.role == Operator && asked == "":
		return DefaultTask, nil
	case c.role == Operator:
		return asked, nil
	case c.grant != nil:
		return c.grant.task(asked)
	}
	return "", fault.ErrUnauthorized
}

// SessionTask is Task for a session, which gets its own task if it names none. own reports that; such a task ends with
// the session.
func (c Caller) SessionTask(asked string) (task string, own bool, err error) {
	switch {
	case asked != "":
		task, err = c.Task(asked)
		return task, false, err
	case c.role == Operator:
		return newTaskName(), true, nil
	case c.grant != nil:
		task, own = c.grant.ownTask()
		return task, own, nil
	}
	return "", false, fault.ErrUnauthorized
}

// Within returns the toolsets that restrict the caller's tools; nil: no restriction.
func (c Caller) Within() []string {
	switch {
	case c.role == Operator:
		return nil
	case c.grant != nil:
		return c.grant.Toolsets
	}
	return []string{}
}

type callerKey struct{}

// With returns a context that carries the sender of a request.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the sender of a request, or nobody without [With].
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Unguarded serves everybody as the operator, for use where callers have already been identified.
func Unguarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(With(r.Context(), AsOperator())))
	})
}
