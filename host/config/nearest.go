package config

import "strings"

// nearest returns the candidate that name was probably meant to be, or "" if none is close. A candidate whose last part
// is close counts too, so that cdp_url finds browser.cdp_url.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", max(2, min(4, len(name)/3))+1
	for _, candidate := range candidates {
		distance := levenshtein(name, candidate)
		if i := strings.LastIndexByte(candidate, '.'); i >= 0 && !strings.Contains(name, ".") {
			distance = min(distance, levenshtein(name, candidate[i+1:])+1)
		}
		if distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// didYouMean words a suggestion, or nothing if there is none.
func didYouMean(suggestion string) string {
	if suggestion == "" {
		return ""
	}
	return "; did you mean " + suggestion + "?"
}

// levenshtein counts the single-byte insertions, deletions and substitutions between two texts.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
