package config

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// ProblemKind is the class of a [Problem].
type ProblemKind string

// The classes of problems.
const (
	// ProblemUnreadable is a file that cannot be read.
	ProblemUnreadable ProblemKind = "unreadable"
	// ProblemSyntax is text that is no YAML, no .env file, or no key=value.
	ProblemSyntax ProblemKind = "syntax"
	// ProblemUnknownKey is a key that the schema does not have.
	ProblemUnknownKey ProblemKind = "unknown_key"
	// ProblemWrongType is a value of another type than the key's.
	ProblemWrongType ProblemKind = "wrong_type"
	// ProblemBadValue is a value of the right type that is not allowed, or a value that is missing.
	ProblemBadValue ProblemKind = "bad_value"
)

// Problem is one fault in the configuration. It holds no secret.
type Problem struct {
	Kind   ProblemKind `json:"kind"`
	Key    string      `json:"key,omitempty"`
	Reason string      `json:"reason"`
	Origin Origin      `json:"origin"`
}

// Error says what is wrong, and what to do about it.
func (p Problem) Error() string {
	if at := p.Origin.String(); at != "" {
		return at + ": " + p.Reason
	}
	return p.Reason
}

// Error is every fault that [Load] found, on one line. It holds no secret.
type Error struct {
	Problems []Problem
}

// Error says what is wrong, and what to do about it.
func (e *Error) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Error()
	}
	if len(texts) == 1 {
		return "configuration: " + texts[0]
	}
	return fmt.Sprintf("configuration: %d problems: %s", len(texts), strings.Join(texts, "; "))
}

// Unwrap gives each [Problem], for errors.As.
func (e *Error) Unwrap() []error {
	errs := []error{fault.ErrConfiguration}
	for _, p := range e.Problems {
		errs = append(errs, p)
	}
	return errs
}
