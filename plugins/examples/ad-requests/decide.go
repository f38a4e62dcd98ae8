package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

// decide blocks a request to a listed domain. Where somebody navigates to is not for this plugin to judge, and a page
// may load what is on the listed domain that it is on itself.
func decide(s *settings, e *request.Event) request.Verdict {
	if e.ResourceType == "document" && e.FrameKind == abi.FrameKindTop {
		return request.Abstain()
	}
	page := hostOf(e.TopOrigin)
	if page == "" { // a worker that several tabs share
		page = hostOf(e.FromOrigin)
	}
	host := hostOf(e.Origin)
	for name := host; name != ""; name = parent(name) {
		if rule := s.ruleOf(name); rule != "" && !within(page, name) && !s.allows(host) {
			return request.Block(s.reason).Because(rule)
		}
	}
	return request.Abstain()
}

// ruleOf says why a domain is blocked; empty if it is not.
func (s *settings) ruleOf(name string) string {
	if s.block[name] {
		return "own list"
	}
	if c, ok := categoryOf(name); ok && s.categories[c] {
		return categories[c]
	}
	return ""
}

func (s *settings) allows(host string) bool {
	for name := host; name != ""; name = parent(name) {
		if s.allow[name] {
			return true
		}
	}
	return false
}

// hostOf cuts the host out of an origin. It is empty for an opaque one.
func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	if i := strings.LastIndexByte(host, ':'); i >= 0 && host[len(host)-1] != ']' {
		host = host[:i]
	}
	return strings.TrimSuffix(host, ".")
}

// parent removes the first label; the parent of the last label is empty.
func parent(name string) string {
	_, above, _ := strings.Cut(name, ".")
	return above
}

// within reports whether a host is a domain or below it.
func within(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || rest[len(rest)-1] == '.')
}
