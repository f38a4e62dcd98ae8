// Package netrules decides which hosts and addresses a browser may reach. Addresses of the public internet always may
// be; all others only if the operator allows them.
package netrules

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

// Key is the configuration key that allows more.
const Key = "browser.network.allow"

// The words of [Key].
const (
	All        = "all"        // nothing is refused
	None       = "none"       // nothing is added to the public internet
	Loopback   = "loopback"   // this machine
	Private    = "private"    // networks without public addresses, at home and in companies, VPNs included
	LinkLocal  = "link-local" // the machines on the same wire
	Metadata   = "metadata"   // what tells virtual machines their credentials
	Special    = "special"    // everything else that is not public: multicast, documentation, reserved
	publicWord = "public"
)

// Unresolved is the class of a name whose addresses are not known.
const Unresolved = "unresolved"

// Policy is what a browser may reach in addition to the public internet. The zero value adds nothing.
type Policy struct {
	all      bool
	classes  map[string]bool
	prefixes []netip.Prefix
	names    []string // exact ones, and those that begin with a dot for everything below
}

// Parse reads the words of [Key]: the classes, addresses, prefixes such as 10.1.0.0/16, and names of hosts, which
// begin with *. for everything below a domain.
func Parse(words []string) (Policy, error) {
	p := Policy{classes: map[string]bool{}}
	for _, word := range words {
		if err := p.add(strings.ToLower(strings.TrimSuffix(word, "."))); err != nil {
			return Policy{}, err
		}
	}
	return p, nil
}

// hostName matches the name of a host, perhaps with *. before it. One that ends in a number would be an address.
var hostName = regexp.MustCompile(`^(\*\.)?[\pL\pM\pN_]([\pL\pM\pN_-]*)(\.[\pL\pM\pN_-]+)*$`)

func (p *Policy) add(word string) error {
	switch word {
	case All:
		p.all = true
		return nil
	case None:
		return nil
	case Loopback, Private, LinkLocal, Metadata, Special:
		p.classes[word] = true
		return nil
	}
	if prefix, err := netip.ParsePrefix(word); err == nil {
		p.prefixes = append(p.prefixes, prefix.Masked())
		return nil
	}
	if address, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
		address = address.Unmap()
		p.prefixes = append(p.prefixes, netip.PrefixFrom(address, address.BitLen()))
		return nil
	}
	if !hostName.MatchString(word) || endsInNumber.MatchString(word) {
		return fmt.Errorf("%q in it is none of all, none, loopback, private, link-local, metadata and special, no address, no prefix such as 10.1.0.0/16, and no name of a host", word)
	}
	p.names = append(p.names, strings.TrimPrefix(word, "*"))
	return nil
}

// All reports whether nothing is refused.
func (p Policy) All() bool { return p.all }

// Address returns the class of an address that may not be reached, else nothing.
func (p Policy) Address(address netip.Addr) (refused string) {
	address = address.WithZone("").Unmap()
	class := Class(address)
	if p.all || class == publicWord || p.classes[class] {
		return ""
	}
	for _, prefix := range p.prefixes {
		if prefix.Contains(address) {
			return ""
		}
	}
	return class
}

// Name reports whether a host may be reached by its name, whatever address that leads to.
func (p Policy) Name(host string) bool {
	host = normal(host)
	for _, name := range p.names {
		if below := strings.HasPrefix(name, "."); host == name || below && strings.HasSuffix(host, name) {
			return true
		}
	}
	return p.all
}

// Host decides on a host before its name is resolved: the class of what may not be reached, else nothing. It knows
// addresses in any form, the names of this machine, and those that only metadata services have.
func (p Policy) Host(host string) (refused string) {
	host = normal(host)
	if p.Name(host) {
		return ""
	}
	if address, err := netip.ParseAddr(host); err == nil {
		return p.Address(address)
	}
	switch {
	case IsLoopbackName(host):
		return p.Address(loopback)
	case metadataNames[host] && !p.classes[Metadata]:
		return Metadata
	case endsInNumber.MatchString(host) && !p.all:
		return Special // a browser writes addresses in the usual form; others read 0x7f.1 in different ways
	}
	return ""
}

// IsLoopbackName reports whether a name is this machine's own, which no resolver is asked for.
//
// https://www.rfc-editor.org/rfc/rfc6761#section-6.3
func IsLoopbackName(host string) bool {
	host = normal(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// HostOf is the host of a URL as browsers write it, without brackets; empty if it has none. Package net/url rejects
// some of what browsers accept, such as a % that begins no escape.
func HostOf(rawURL string) string {
	_, rest, _ := strings.Cut(rawURL, "://")
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndex(rest, "@")+1:]
	if strings.HasPrefix(rest, "[") {
		rest, _, _ = strings.Cut(rest, "]")
		return normal(rest)
	}
	rest, _, _ = strings.Cut(rest, ":")
	return normal(rest)
}

func normal(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "."))
}

// endsInNumber matches hosts that browsers take for IPv4 addresses.
//
// https://url.spec.whatwg.org/#ends-in-a-number-checker
var endsInNumber = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// metadataNames are resolved by the networks of clouds alone.
var metadataNames = map[string]bool{"metadata.google.internal": true, "metadata": true, "instance-data": true, "metadata.azure.internal": true}
