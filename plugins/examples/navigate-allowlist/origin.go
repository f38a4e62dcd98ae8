package main

import "strings"

// origin is the parts of an origin. Browsers write them in lower case, with names in Punycode and without the default
// port of the scheme.
//
// https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
type origin struct{ scheme, host, port string }

// parseOrigin parses an origin such as "https://example.com:8443"; ok is false for an opaque or invalid one.
func parseOrigin(s string) (o origin, ok bool) {
	scheme, rest, found := strings.Cut(s, "://")
	host, port, ok := splitHost(rest)
	return origin{scheme, host, port}, found && ok && scheme != ""
}

// splitHost splits off the port. An IPv6 address, which has colons, is in brackets.
func splitHost(s string) (host, port string, ok bool) {
	end := len(s)
	for i := len(s) - 1; i >= 0 && s[i] != ']'; i-- {
		if s[i] == ':' {
			end = i
			port = s[i+1:]
			if !isPort(port) {
				return "", "", false
			}
			break
		}
	}
	host = s[:end]
	return host, port, isHost(host)
}

func isPort(s string) bool { return s != "" && len(s) <= 5 && only(s, "0123456789") }

// isHost accepts names, IPv4 addresses, and IPv6 addresses in brackets.
func isHost(s string) bool {
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		return only(s[1:len(s)-1], "0123456789abcdef:.")
	}
	for i := range len(s) {
		if s[i] == '.' && (i == 0 || s[i-1] == '.') {
			return false
		}
	}
	return s != "" && only(s, "abcdefghijklmnopqrstuvwxyz0123456789-._")
}

func only(s, allowed string) bool {
	for i := range len(s) {
		if strings.IndexByte(allowed, s[i]) < 0 {
			return false
		}
	}
	return true
}
