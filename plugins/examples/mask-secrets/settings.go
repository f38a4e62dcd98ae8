package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// wellKnown are the beginnings of tokens of GitHub, GitLab, Slack, Stripe, OpenAI and Anthropic, AWS, Google, and of
// JWTs.
var wellKnown = []string{
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "sk_live_", "rk_live_", "sk-", "AKIA", "ASIA", "AIza", "eyJ",
}

// settings is the configuration of the module.
type settings struct {
	prefixes []string
	cards    bool
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{prefixes: append(wellKnown[:len(wellKnown):len(wellKnown)], r.Strings("prefixes")...), cards: r.Bool("cards", true)}
	for i, prefix := range s.prefixes[len(wellKnown):] {
		if len(prefix) < 3 {
			r.RefuseItem("prefixes", i, "at least three characters, or words would be masked")
		}
	}
	return s, r.Err()
}
