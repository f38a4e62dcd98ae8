// Package misspelt finds the name that was probably meant by an unknown one.
package misspelt

// Nearest returns the candidate with the fewest edits from a name, or "" if all have more than a number of edits.
func Nearest(name string, candidates []string, within int, edits func(name, candidate string) int) string {
	best := ""
	for _, c := range candidates {
		if n := edits(name, c); n <= within {
			best, within = c, n-1
		}
	}
	return best
}

// DidYouMean returns a suggestion as the end of an error message, or "" if there is none.
func DidYouMean(suggestion string) string {
	if suggestion == "" {
		return ""
	}
	return "; did you mean " + suggestion + "?"
}

// Edits returns the Levenshtein distance in bytes.
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			edits := diagonal
			if a[i] != b[j] {
				edits = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], edits
		}
	}
	return row[len(b)]
}
