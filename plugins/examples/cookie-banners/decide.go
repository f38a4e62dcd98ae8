package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

// wellKnown are the hosts of consent managers, with their subdomains.
var wellKnown = []string{
	"cookielaw.org", "onetrust.com", "cookiebot.com", "consensu.org", "privacy-mgmt.com", "usercentrics.eu", "usercentrics.com",
	"trustarc.com", "didomi.io", "iubenda.com", "cookieyes.com", "cookie-script.com",
	"termly.io", "osano.com", "axept.io", "consentmanager.net", "cookiefirst.com", "cookiehub.net", "civiccomputing.com", "sirdata.com",
}

// decide blocks what a page loads from a consent manager. Somebody who visits one gets its pages.
func decide(s *settings, e *request.Event) request.Verdict {
	if e.ResourceType != "script" && e.ResourceType != "stylesheet" && (e.ResourceType != "document" || e.FrameKind == abi.FrameKindTop) {
		return request.Abstain()
	}
	host := hostOf(e.URL)
	manager := within(host, wellKnown)
	if manager == "" {
		manager = within(host, s.hosts)
	}
	if manager == "" || within(hostOf(e.TopOrigin), []string{manager}) != "" || within(hostOf(e.TopOrigin), s.except) != "" {
		return request.Abstain()
	}
	return request.Block("a cookie banner of " + manager).Because("cookie banners")
}

// hostOf is the host of an absolute URL, in small letters.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	if colon := strings.LastIndexByte(rest, ':'); colon >= 0 {
		rest = rest[:colon]
	}
	return strings.ToLower(rest)
}

// within returns the first domain that a host is or is below; empty: none.
func within(host string, domains []string) string {
	for _, domain := range domains {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return domain
		}
	}
	return ""
}
