package config

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
)

// nearest returns the candidate that name was probably meant to be, or "" if none is close. A candidate whose last part
// is close counts too, so that cdp_url finds browser.cdp_url.
func nearest(name string, candidates []string) string {
	return misspelt.Nearest(name, candidates, max(2, min(4, len(name)/3)), func(name, candidate string) int {
		edits := misspelt.Edits(name, candidate)
		if i := strings.LastIndexByte(candidate, '.'); i >= 0 && !strings.Contains(name, ".") {
			edits = min(edits, misspelt.Edits(name, candidate[i+1:])+1)
		}
		return edits
	})
}
