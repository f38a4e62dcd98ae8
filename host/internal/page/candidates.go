package page

import (
	"cmp"
	"slices"
	"strings"
)

// maxCandidates is how many elements are offered in place of one that is gone.
const maxCandidates = 5

// Candidates finds the elements of a tree that may have taken the place of one that is gone: with the same role and
// frame, and a similar name, the most similar first.
func Candidates(t *Tree, gone Ref) []*Node {
	type near struct {
		n     *Node
		score float64
	}
	var found []near
	for _, n := range t.nodes {
		if n.Acts && n.Role == gone.Role && n.Key.Frame == gone.Key.Frame && n.Key != gone.Key {
			if score := similarity(shortName(n.Name), gone.Name); score > 0 {
				found = append(found, near{n, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	out := make([]*Node, 0, maxCandidates)
	for _, f := range found[:min(len(found), maxCandidates)] {
		out = append(out, f.n)
	}
	return out
}

// similarity is 1 for equal names and 0 for names that have nothing in common; in between it measures how many pairs of
// letters they share.
func similarity(a, b string) float64 {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return 1
	}
	pa, pb := pairs(a), pairs(b)
	if len(pa)+len(pb) == 0 {
		return 0
	}
	shared := 0
	for pair, n := range pa {
		shared += min(n, pb[pair])
	}
	return 0.99 * 2 * float64(shared) / float64(total(pa)+total(pb))
}

func pairs(s string) map[[2]rune]int {
	m := map[[2]rune]int{}
	before := ' '
	for _, r := range s {
		m[[2]rune{before, r}]++
		before = r
	}
	return m
}

func total(m map[[2]rune]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}
