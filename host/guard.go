package host

import (
	"fmt"
	"net"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Network says what a launched browser may reach, and through which proxy. The zero value restricts nothing.
//
// A restricted browser reaches the network through a proxy of the host only: it resolves no names, connects to nothing
// else and sends no UDP, so there is no QUIC, no WebTransport, and no WebRTC over UDP.
type Network struct {
	// Allow is what may be reached beside the addresses of the public internet: loopback, private, link-local, metadata,
	// special, addresses, prefixes such as 10.1.0.0/16, and names of hosts (*.corp.example for all below a domain). Nil,
	// or with the word all: everything. Not nil but empty: nothing. What is refused is ErrNetworkRefused.
	Allow []string
	// Proxy is the URL of another proxy for everything but this machine: http, https, socks5 or socks5h, with its user
	// and password. The browser does not learn it. Empty: the one that the environment names, or none.
	Proxy string
	// Resolve resolves names here, and gives that proxy the address that was checked. Otherwise it resolves them, and
	// only hosts that are addresses or known names are checked.
	Resolve bool
	// Resolver resolves names. Default: the resolver of the system.
	Resolver *net.Resolver
}

// guard starts the proxy that a browser needs for its options; nil: it needs none.
func (h *Host) guard(o Network) (*netguard.Proxy, error) {
	unrestricted := o.Allow == nil || slices.Contains(o.Allow, netrules.All)
	if unrestricted && o.Proxy == "" {
		return nil, nil
	}
	if unrestricted {
		o.Allow = []string{netrules.All}
	}
	policy, err := netrules.Parse(o.Allow)
	if err != nil {
		return nil, fmt.Errorf("%w: Network.Allow: %w", ErrBadArguments, err)
	}
	options := netguard.Options{Policy: policy, Resolve: o.Resolve, Resolver: o.Resolver, Tally: &h.network, Logger: h.log}
	if o.Proxy != "" {
		if options.Upstream, err = netguard.ParseProxy(o.Proxy); err != nil {
			return nil, fmt.Errorf("%w: Network.Proxy: %w", ErrBadArguments, err)
		}
	}
	return netguard.Start(options)
}

// String has no secrets.
func (o Network) String() string {
	return fmt.Sprintf("{Allow:%q Proxy:%s Resolve:%t}", o.Allow, secret.Address(o.Proxy), o.Resolve)
}

// NetworkCounters count what browsers with a [Network] asked for.
type NetworkCounters = netguard.Counters
