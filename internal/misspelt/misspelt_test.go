package misspelt

import (
	"testing"

	"pgregory.net/rapid"
)

func TestEditsAreADistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if (Edits(a, b) == 0) != (a == b) {
			t.Error("the distance is zero for different words, or not for equal ones")
		}
		if Edits(a, b) != Edits(b, a) {
			t.Error("the distance is not symmetric")
		}
		if Edits(a, c) > Edits(a, b)+Edits(b, c) {
			t.Error("a detour is shorter")
		}
	})
	if got := Edits("kitten", "sitting"); got != 3 {
		t.Errorf("kitten to sitting is %d edits", got)
	}
}
