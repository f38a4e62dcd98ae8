package main

// origin is where an address leads, taken apart. Browsers write it in lower case, with names in Punycode and without the
// port that the scheme has by itself.
//
// https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
type origin struct{ scheme, host, port string }

// parseOrigin reads "https://example.com:8443"; ok is false for an opaque origin, and for what is none.
func parseOrigin(s string) (o origin, ok bool) {
	for i := 0; i+3 <= len(s); i++ {
		if s[i:i+3] == "://" {
			o.scheme, s = s[:i], s[i+3:]
			o.host, o.port, ok = splitHost(s)
			return o, ok && o.scheme != ""
		}
	}
	return origin{}, false
}

// splitHost cuts the port off. The colons of an IPv6 address stand in brackets.
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

func isPort(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= 5
}

// isHost takes names, IPv4 addresses, and IPv6 addresses in brackets.
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
		found := false
		for k := range len(allowed) {
			found = found || allowed[k] == s[i]
		}
		if !found {
			return false
		}
	}
	return true
}
