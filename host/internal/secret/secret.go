// Package secret knows under which names people keep what must not be shown.
package secret

import "regexp"

// Redacted stands where a secret was.
const Redacted = "[redacted]"

var name = regexp.MustCompile(`(?i)(secret|token|passw|passphrase|credential|api[-_]?key|private[-_]?key|access[-_]?key|authorization|cookie)`)

// Name reports whether a value of that name is likely to be a secret.
func Name(s string) bool { return name.MatchString(s) }
