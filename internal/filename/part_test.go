package filename

import (
	"strings"
	"testing"
)

func TestAPartHasNothingThatASystemReadsOtherwise(t *testing.T) {
	for name, want := range map[string]string{
		"shop-1.b":               "shop-1.b",
		"":                       "_",
		"../../etc/passwd":       ".._.._etc_passwd",
		`C:\x|y`:                 "C__x_y",
		"größe\n\x00":            "gr__e__",
		strings.Repeat("a", 500): strings.Repeat("a", 40),
	} {
		if got := Part(name); got != want {
			t.Errorf("Part(%q) = %q, want %q", name, got, want)
		}
	}
}
