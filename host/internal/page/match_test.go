package page

import (
	"regexp"
	"testing"
)

func TestWhatIsSoughtIsWrittenWithItsPlace(t *testing.T) {
	for name, m := range map[string]Match{
		"text":    {Text: "FINE  chair"},
		"pattern": {Pattern: regexp.MustCompile(`^Only \d+ left`)},
		"role":    {Role: "link"},
		"both":    {Role: "button", Name: "buy 3"},
		"context": {Text: "fine chair", Context: 1},
		"row":     {Text: "ash"},
		"inside":  {Text: "Item 39"},
		"none":    {Text: "no such thing"},
	} {
		refs := NewRefs()
		tree := play(t, "shop").read(t, refs)
		golden(t, "shop-find-"+name, write(t, tree, refs, View{Match: &m}).Text)
	}
}
