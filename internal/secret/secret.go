// Package secret recognizes the names of values that must not be shown.
package secret

import "regexp"

// Redacted replaces a secret.
const Redacted = "[redacted]"

var name = regexp.MustCompile(`(?i)(secret|token|passw|passphrase|credential|api[-_]?key|private[-_]?key|access[-_]?key|authorization|cookie)`)

// Name reports whether a value with a name is probably a secret.
func Name(s string) bool { return name.MatchString(s) }
