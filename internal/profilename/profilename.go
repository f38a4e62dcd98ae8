// Package profilename says what a profile can be called.
package profilename

import "regexp"

var valid = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// Rule is what [Valid] wants, for errors.
const Rule = "a name of lower-case letters, digits, dots, underscores and hyphens that begins with a letter or a digit"

// Valid reports whether a profile can have a name: those of directories on every system, which lead nowhere else.
func Valid(name string) bool { return valid.MatchString(name) }
