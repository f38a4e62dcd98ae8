package plugin

// nearest returns the candidate with the smallest edit distance to name, or "" if none is closer than half its length.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", len(name)/2+1
	for _, c := range candidates {
		if d := editDistance(name, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean phrases the nearest candidate as the end of an error message.
func didYouMean(name string, candidates []string) string {
	if best := nearest(name, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// maxComparedName bounds the work on names that come from an untrusted file.
const maxComparedName = 64

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), maxComparedName)], b[:min(len(b), maxComparedName)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
