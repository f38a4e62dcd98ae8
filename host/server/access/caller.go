package access

import (
	"context"
	"errors"
	"net/http"
)

var (
	// ErrUnauthorized says that nobody could be told from a request: a token is missing, wrong, expired or revoked.
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden says that who sent a request may not do this.
	ErrForbidden = errors.New("forbidden")
	// ErrBadToken says what is wrong with a token that is asked for.
	ErrBadToken = errors.New("bad token")
	// ErrUnknownToken says that there is no token of a name.
	ErrUnknownToken = errors.New("unknown token")
	// ErrTokenExists says that a name is taken.
	ErrTokenExists = errors.New("the token exists already")
)

// Role is what somebody is to a daemon. Greater ones may do all that lesser ones may.
type Role int

// The roles. The zero value is nobody's.
const (
	Agent Role = iota + 1
	Operator
)

// String is the word that documents have for it.
func (r Role) String() string {
	switch r {
	case Agent:
		return "agent"
	case Operator:
		return "operator"
	}
	return "nobody"
}

// Caller is from whom a request is. The zero value is nobody, who may do nothing.
type Caller struct {
	role  Role
	grant *Grant // of an agent
}

// AsOperator is a caller who may do everything.
func AsOperator() Caller { return Caller{role: Operator} }

// AsAgent is a caller who may do what a token allows.
func AsAgent(g *Grant) Caller { return Caller{role: Agent, grant: g} }

// Role is the caller's.
func (c Caller) Role() Role { return c.role }

// Grant is what an agent's token allows; nil for all others.
func (c Caller) Grant() *Grant { return c.grant }

// Allows tells whether the caller may work on a task.
func (c Caller) Allows(task string) bool {
	return c.role == Operator || c.grant != nil && c.grant.Allows(task)
}

// Task is the task that a request means which names this one, or none. The error is [ErrForbidden], the same whether there is
// such a task or not.
func (c Caller) Task(asked string) (string, error) {
	switch {
	case c.role == Operator && asked == "":
		return DefaultTask, nil
	case c.role == Operator:
		return asked, nil
	case c.grant != nil:
		return c.grant.task(asked)
	}
	return "", ErrUnauthorized
}

// SessionTask is Task for a session, which has a task of its own where it names none. An own task ends with it.
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
	return "", false, ErrUnauthorized
}

// Within are the toolsets that bound the caller's tools; nil: nothing does.
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

// With says from whom a request is.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf tells from whom a request is: nobody, where [With] has not said it.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Unguarded serves everybody as the operator, for those who have told them apart already.
func Unguarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(With(r.Context(), AsOperator())))
	})
}
