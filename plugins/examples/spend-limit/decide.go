package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/aftertool"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
	"github.com/hermes-cdp/hermes-cdp/sdk/kv"
)

// seen is the beginning of the keys of the store: the largest total of the last result about an origin that had one, in
// hundredths.
const seen = "total/"

// leaving are the tools with which an agent may leave a checkout.
var leaving = []string{"browser_navigate", "browser_back", "browser_forward", "browser_reload", "browser_tabs", "browser_dialog", "browser_close", "browser_resume"}

// learn remembers the total that the agent is about to read. It changes nothing.
func learn(s *settings, e *aftertool.Event) aftertool.Verdict {
	if e.Origin == "" || e.Source != "browser" {
		return aftertool.Abstain()
	}
	if total := s.totalIn(e.Text); total >= 0 {
		if err := kv.Set(key(e.Origin), []byte(sdk.Decimal(total))); err != nil {
			return aftertool.Fail("the total cannot be kept: " + err.Error())
		}
	}
	return aftertool.Abstain()
}

// decide denies what may buy something for more than the limit.
func decide(s *settings, e *beforetool.Event) beforetool.Verdict {
	if e.Source != "browser" || e.ReadOnly || isOneOf(leaving, e.Tool) || !s.isCheckout(e.URL) {
		return beforetool.Abstain()
	}
	stored, known, err := kv.Get(key(e.Origin))
	switch {
	case err != nil:
		return beforetool.Fail("the total cannot be read: " + err.Error())
	case !known && s.unknown == "allow":
		return beforetool.Abstain()
	case !known:
		return beforetool.Deny("no total of this checkout has been read yet: read the page first, with browser_snapshot").Because("unknown")
	}
	if total := number(string(stored)); total > s.limit*100 {
		return beforetool.Deny("the total is " + amount(total) + ", and the limit is " + sdk.Decimal(s.limit) + "; read the page again if it has changed").Because("limit")
	}
	return beforetool.Abstain()
}

// key is that of an origin, which may be too long for one.
func key(origin string) string {
	if len(origin) > 200 {
		origin = origin[len(origin)-200:]
	}
	return seen + origin
}

func (s *settings) isCheckout(url string) bool {
	url = strings.ToLower(url)
	for _, pattern := range s.pages {
		if glob.Match(pattern, url) {
			return true
		}
	}
	return false
}

func isOneOf(list []string, word string) bool {
	for i := range list {
		if list[i] == word {
			return true
		}
	}
	return false
}
