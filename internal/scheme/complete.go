package scheme

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// Complete gives an address without a scheme the one that it lacks: https, or http for port 80, and for a loopback or
// private host unless its port is 443. A public host is never asked without encryption unless the address says so;
// there is no second attempt.
//
// What comes before a colon may be a scheme: it is a host only if it has a dot or is localhost, and if a port follows.
// Everything else is returned unchanged. As no other scheme is ever added, the result is checked like any URL.
func Complete(address string) string {
	bare := strings.TrimFunc(ignored.Replace(address), func(r rune) bool { return r <= ' ' })
	end := strings.IndexAny(bare, `/?#\`)
	if end < 0 {
		end = len(bare)
	}
	parts := authority.FindStringSubmatch(bare[:end])
	if parts == nil {
		return address
	}
	host, port := strings.ToLower(strings.TrimSuffix(parts[1], ".")), parts[2]
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return address
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	bracketed := strings.HasPrefix(host, "[")
	switch {
	case err == nil && ip.Is6() != bracketed, err != nil && (bracketed || numeric.MatchString(host)):
		return address
	case err != nil && host != "localhost" && !strings.Contains(host, "."):
		return address
	case port == "443":
		return "https://" + bare
	case port == "80", err == nil && isPrivate(ip), err != nil && private.MatchString(host):
		return "http://" + bare
	}
	return "https://" + bare
}

var (
	// authority matches a host, which may be an address, and its port.
	authority = regexp.MustCompile(`^(\[[0-9A-Fa-f:.]+\]|[\pL\pM\pN_-]+(?:\.[\pL\pM\pN_-]+)*\.?)(?::([0-9]+))?$`)
	// numeric matches a host that a browser takes for an IPv4 address:
	// https://url.spec.whatwg.org/#ends-in-a-number-checker
	numeric = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)
	// private matches the names of hosts that are not public: RFC 6761, 6762 and 8375, and ICANN's .internal.
	private = regexp.MustCompile(`^(.*\.)?(localhost|local|internal|test|home\.arpa)$`)
)

func isPrivate(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
}
