package netrules

import (
	"net/netip"
	"strings"
)

// Class is the class of an address. What is embedded in an IPv6 address decides on it, as that is where packets end up.
func Class(address netip.Addr) string {
	address = address.WithZone("").Unmap()
	if inner, ok := embedded(address); ok {
		if class := Class(inner); class != publicWord {
			return class
		}
	}
	for _, row := range classes {
		if row.prefix.Contains(address) {
			return row.class
		}
	}
	if address.Is4() {
		return publicWord
	}
	if !globalUnicast.Contains(address) {
		return Special
	}
	return publicWord
}

// embedded is the IPv4 address to which a translator or a tunnel passes on what is sent to an IPv6 address: NAT64
// (RFC 6052), 6to4 (RFC 3056), and the deprecated IPv4-compatible form (RFC 4291).
func embedded(address netip.Addr) (netip.Addr, bool) {
	if !address.Is6() {
		return netip.Addr{}, false
	}
	b := address.As16()
	switch {
	case nat64.Contains(address), compatible.Contains(address) && b[12] != 0:
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(address):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}

var (
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour     = netip.MustParsePrefix("2002::/16")
	compatible    = netip.MustParsePrefix("::/96")
	globalUnicast = netip.MustParsePrefix("2000::/3")
)

// classes are in the order in which they are asked: a single address stands before the network that it is in.
//
// https://www.iana.org/assignments/iana-ipv4-special-registry
// https://www.iana.org/assignments/iana-ipv6-special-registry
var classes = rows(
	// AWS and most others; then Alibaba, Azure, Oracle and Google.
	Metadata, "169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 fd00:ec2::254/128 fd00:ec2::23/128",
	Metadata, "100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fd20:ce::254/128",
	// A connection to 0.0.0.0 reaches this machine.
	Loopback, "127.0.0.0/8 ::1/128 0.0.0.0/32 ::/128",
	LinkLocal, "169.254.0.0/16 fe80::/10",
	Private, "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7 fec0::/10",
	publicWord, "64:ff9b::/96 192.0.0.9/32 192.0.0.10/32",
	Special, "0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
	Special, "2001::/23 2001:db8::/32 3fff::/20",
)

type row struct {
	class  string
	prefix netip.Prefix
}

func rows(pairs ...string) (list []row) {
	for i := 0; i < len(pairs); i += 2 {
		for _, prefix := range strings.Fields(pairs[i+1]) {
			list = append(list, row{pairs[i], netip.MustParsePrefix(prefix)})
		}
	}
	return list
}
