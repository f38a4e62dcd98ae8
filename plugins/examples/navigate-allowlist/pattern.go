package main

import "strings"

// pattern is one entry of the list.
type pattern struct {
	text       string
	origin          // an empty scheme stands for https, and for http if the configuration says so
	subdomains bool // of the host, at any depth, and not the host itself
}

// parsePattern parses an origin whose scheme may be missing, and whose host may begin with *. for its subdomains.
func parsePattern(text string) (p pattern, ok bool) {
	p.text = text
	scheme, rest, found := strings.Cut(text, "://")
	switch {
	case !found:
		rest = text
	case scheme != "http" && scheme != "https":
		return p, false
	default:
		p.scheme = scheme
	}
	rest, p.subdomains = strings.CutPrefix(rest, "*.")
	p.host, p.port, ok = splitHost(rest)
	if p.scheme == "https" && p.port == "443" || p.scheme == "http" && p.port == "80" {
		p.port = "" // as browsers write it
	}
	return p, ok && !(p.subdomains && p.host[0] == '[')
}

// matchesHost reports whether host and port match the pattern.
func (p *pattern) matchesHost(o origin) bool {
	if o.port != p.port {
		return false
	}
	if !p.subdomains {
		return o.host == p.host
	}
	cut := len(o.host) - len(p.host)
	return cut > 1 && o.host[cut-1] == '.' && o.host[cut:] == p.host
}

// matches reports whether the pattern allows the origin; insecure says whether http matches a pattern without a scheme.
func (p *pattern) matches(o origin, insecure bool) bool {
	if !p.matchesHost(o) {
		return false
	}
	if p.scheme != "" {
		return o.scheme == p.scheme
	}
	return o.scheme == "https" || insecure && o.scheme == "http"
}

// find returns the first pattern that allows the origin, or nil.
func find(list []pattern, o origin, insecure bool) *pattern {
	for i := range list {
		if list[i].matches(o, insecure) {
			return &list[i]
		}
	}
	return nil
}
