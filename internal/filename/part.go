// Package filename makes parts of file names of other names.
package filename

import "strings"

// maxPart is the maximum length of a part.
const maxPart = 40

// Part returns a name as a part of a file name on every system: letters, digits, dots, underscores and hyphens.
// Different names may give the same part.
func Part(name string) string {
	part := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, name)
	if part == "" {
		return "_"
	}
	return part[:min(len(part), maxPart)]
}
