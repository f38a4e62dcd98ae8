package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk/navigate"
)

// decide says whether a frame may navigate to a URL. A redirect is an event of its own, so none leads off the list.
func decide(s *settings, e *navigate.Event) navigate.Verdict {
	if s.subframes == subframesAny && e.ParentFrameID != "" {
		return navigate.Allow().Because("subframes any")
	}
	lists := [][]pattern{s.allow}
	if len(e.Header.TaskConfig) > 0 {
		task, err := readTaskSettings(e.Header.TaskConfig)
		if err != nil {
			return navigate.Fail(err.Error())
		}
		lists = append(lists, task)
	}
	target, ok := parseOrigin(e.Origin)
	if !ok {
		return s.deny(e.Origin)
	}
	if rule := onAll(lists, target, s.http == httpAllow); rule != "" {
		return navigate.Allow().Because("allow " + rule)
	}
	if secure, ok := s.upgraded(e.URL, target, lists); ok {
		return navigate.Rewrite(secure).Because("http upgrade")
	}
	return s.deny(e.Origin)
}

// onAll returns the pattern of the first list, or nothing unless every list has a pattern for the origin.
func onAll(lists [][]pattern, o origin, insecure bool) (rule string) {
	for i, list := range lists {
		found := find(list, o, insecure)
		if found == nil {
			return ""
		}
		if i == 0 {
			rule = found.text
		}
	}
	return rule
}

// upgraded returns the same URL with https, if the configuration asks for it and the lists allow it. A URL with an
// explicit port is not upgraded: nobody knows what listens there.
func (s *settings) upgraded(url string, target origin, lists [][]pattern) (secure string, ok bool) {
	rest, found := strings.CutPrefix(url, "http://")
	if s.http != httpUpgrade || target.scheme != "http" || target.port != "" || !found {
		return "", false
	}
	target.scheme = "https"
	return "https://" + rest, onAll(lists, target, false) != ""
}

func (s *settings) deny(target string) navigate.Verdict {
	reason := s.reason
	switch {
	case reason != "":
	case len(s.allow) == 0:
		reason = "no origin is allowed: the configuration of navigate-allowlist has no list"
	default:
		reason = target + " is not on the list of allowed origins"
	}
	return navigate.Deny(reason).Because("not allowed")
}
