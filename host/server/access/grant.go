package access

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// wildcard ends a pattern that matches all task names with the prefix before it.
const wildcard = "*"

// DefaultTask is the task of an operator's request that names none.
const DefaultTask = "default"

// Grant is what an agent's token allows. It is immutable and ends with the token.
type Grant struct {
	// Name is the name of the token.
	Name string
	// Tasks are the names of the tasks that it is bound to; a name that ends with * matches all names with that prefix.
	// There is at least one.
	Tasks []string
	// Toolsets restrict the tools: only tools in one of them are offered. There is at least one.
	Toolsets []string

	ended context.Context
}

// Context returns a context that ends when the token is revoked or expires.
func (g *Grant) Context() context.Context { return g.ended }

// maxTask limits the name of an agent's task, in bytes, as people read it in lists.
const maxTask = 128

// Allows reports whether the token is bound to a task, which need not exist. No token is bound to names that people
// cannot read: too long, or with control characters.
func (g *Grant) Allows(task string) bool {
	if len(task) > maxTask || strings.ContainsFunc(task, unicode.IsControl) {
		return false
	}
	return slices.ContainsFunc(g.Tasks, func(pattern string) bool { return matches(pattern, task) })
}

func matches(pattern, task string) bool {
	if prefix, open := strings.CutSuffix(pattern, wildcard); open {
		return strings.HasPrefix(task, prefix)
	}
	return task == pattern
}

// task returns the task for a request. If the request names none, it is the default task if the token is bound to it,
// else the first that it is bound to.
func (g *Grant) task(asked string) (string, error) {
	switch {
	case asked != "" && !g.Allows(asked):
		return "", fmt.Errorf("%w: the token %s is not bound to the task %q", fault.ErrForbidden, g.Name, asked)
	case asked != "":
		return asked, nil
	case g.Allows(DefaultTask):
		return DefaultTask, nil
	}
	if prefix, open := strings.CutSuffix(g.Tasks[0], wildcard); open {
		return prefix + DefaultTask, nil
	}
	return g.Tasks[0], nil
}

// ownTask returns a new name that the token is bound to. If the token is bound to exact names only, it returns the
// first of them, which is not the session's own.
func (g *Grant) ownTask() (task string, own bool) {
	for _, pattern := range g.Tasks {
		if prefix, open := strings.CutSuffix(pattern, wildcard); open {
			return prefix + newTaskName(), true
		}
	}
	return g.Tasks[0], false
}

func newTaskName() string { return "mcp-" + strings.ToLower(rand.Text()[:8]) }

// namePattern matches names of tokens, and toolsetPattern those of toolsets and tools.
var (
	namePattern    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	toolsetPattern = regexp.MustCompile(`^(\*|[A-Za-z0-9_-]{1,64})$`)
)

// check validates a token that is to be created or was read from a file.
func (t Token) check() error {
	if !namePattern.MatchString(t.Name) {
		return fmt.Errorf("%w: the name is %q, want 1 to 64 letters, digits, dots, dashes and underscores", fault.ErrBadToken, t.Name)
	}
	if len(t.Tasks) == 0 {
		return fmt.Errorf("%w: %s is bound to no task: name some, or a pattern such as shop-*", fault.ErrBadToken, t.Name)
	}
	if len(t.Toolsets) == 0 {
		return fmt.Errorf("%w: %s is bound to no toolset: name some, such as browser, or all", fault.ErrBadToken, t.Name)
	}
	for _, pattern := range t.Tasks {
		prefix := strings.TrimSuffix(pattern, wildcard)
		if pattern == "" || strings.Contains(prefix, wildcard) || len(pattern) > maxTask/2 || strings.ContainsFunc(pattern, unicode.IsControl) {
			return fmt.Errorf("%w: the task of %s is %q, want a name of at most %d bytes, or the beginning of names followed by one *", fault.ErrBadToken, t.Name, pattern, maxTask/2)
		}
	}
	for _, name := range t.Toolsets {
		if !toolsetPattern.MatchString(name) {
			return fmt.Errorf("%w: a toolset of %s is %q, want the name of a toolset or a tool", fault.ErrBadToken, t.Name, name)
		}
	}
	return nil
}
