package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/download"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

// decide denies as soon as it can know: by name and origin when the download begins, by what is in the file once it is
// here.
func decide(s *settings, e *download.Event) download.Verdict {
	name := strings.ToLower(e.Name)
	for _, pattern := range s.denyNames {
		if glob.Match(pattern, name) {
			return download.Deny("files with names like " + pattern + " are not allowed").Because("deny_names")
		}
	}
	if len(s.origins) > 0 && !matches(s.origins, e.Origin) {
		return download.Deny("files from " + e.Origin + " are not allowed").Because("origins")
	}
	if limit := uint64(s.maxMB) * 1_000_000; limit > 0 && e.Size > limit {
		return download.Deny("files of more than " + sdk.Decimal(s.maxMB) + " MB are not allowed").Because("max_mb")
	}
	if !e.Complete {
		return download.Abstain()
	}
	kind := e.MediaType
	if kind == "" {
		kind = "unknown type"
	}
	if matches(s.denyTypes, kind) {
		return download.Deny("the file is " + kind + ", which is not allowed").Because("deny_types")
	}
	if len(s.types) > 0 && !matches(s.types, kind) {
		return download.Deny("the file is " + kind + "; allowed are " + strings.Join(s.types, ", ")).Because("types")
	}
	return download.Abstain()
}

func matches(patterns []string, text string) bool {
	for _, pattern := range patterns {
		if glob.Match(pattern, text) {
			return true
		}
	}
	return false
}
