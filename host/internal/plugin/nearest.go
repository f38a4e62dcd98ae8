package plugin

import "github.com/hermes-cdp/hermes-cdp/internal/misspelt"

// maxComparedName bounds the work on names that come from an untrusted file.
const maxComparedName = 64

// didYouMean suggests the candidate nearest to a name, if one is closer than half its length.
func didYouMean(name string, candidates []string) string {
	return misspelt.DidYouMean(misspelt.Nearest(name, candidates, len(name)/2, func(name, candidate string) int {
		return misspelt.Edits(name[:min(len(name), maxComparedName)], candidate)
	}))
}
