package netguard

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

const (
	// knownFor is how long the outcome of a look-up counts. Chromium keeps what it resolves for a minute.
	knownFor = 30 * time.Second
	// maxKnown is how many are kept.
	maxKnown = 4096
)

// Checker decides on the requests of a browser that uses no [Proxy], or one that allows more. It looks up a name here,
// and the browser looks it up again where it runs, so a name with two answers goes unnoticed.
type Checker struct {
	policy   netrules.Policy
	resolver *net.Resolver
	counts   *Tally
	log      *slog.Logger

	mu    sync.Mutex
	known map[string]checked
}

// checked is what became of a host.
type checked struct {
	refusal *fault.NetworkRefusedError // nil: it may be reached
	until   time.Time
}

// NewChecker returns a checker. Of the options it uses the policy, the resolver, the tally and the logger.
func NewChecker(o Options) *Checker {
	c := &Checker{policy: o.Policy, resolver: o.Resolver, counts: o.Tally, log: o.Logger, known: map[string]checked{}}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.counts == nil {
		c.counts = &Tally{}
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Known decides on a URL whose host needs no look-up, or was looked up a short time ago.
func (c *Checker) Known(rawURL string) (refusal *fault.NetworkRefusedError, known bool) {
	host := netrules.HostOf(rawURL)
	refusal, known = c.knownHost(host)
	if known {
		c.count(refusal)
	}
	return refusal, known
}

func (c *Checker) knownHost(host string) (refusal *fault.NetworkRefusedError, known bool) {
	if class := c.policy.Host(host); class != "" {
		return &fault.NetworkRefusedError{Host: host, Class: class}, true
	}
	if _, err := netip.ParseAddr(host); err == nil || c.policy.Name(host) || netrules.IsLoopbackName(host) {
		return nil, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	got, ok := c.known[host]
	return got.refusal, ok && time.Now().Before(got.until)
}

// Check decides on a URL; nil: it may be requested. A name may be reached if all of its addresses may, as nobody knows
// which of them the browser takes. One that has none here cannot be checked, and is refused.
func (c *Checker) Check(ctx context.Context, rawURL string) *fault.NetworkRefusedError {
	if refusal, known := c.Known(rawURL); known {
		return refusal
	}
	host := netrules.HostOf(rawURL)
	refusal, certain := c.lookUp(ctx, host)
	if certain {
		c.remember(host, refusal)
	}
	c.count(refusal)
	return refusal
}

// lookUp resolves a name. The outcome is certain if it was the answer, and not the time that it took.
func (c *Checker) lookUp(ctx context.Context, host string) (refusal *fault.NetworkRefusedError, certain bool) {
	addresses, err := c.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		var dns *net.DNSError
		return &fault.NetworkRefusedError{Host: host, Class: netrules.Unresolved}, errors.As(err, &dns) && dns.IsNotFound
	}
	for _, address := range addresses {
		if class := c.policy.Address(address); class != "" {
			return &fault.NetworkRefusedError{Host: host, Address: address.Unmap().String(), Class: class}, true
		}
	}
	return nil, true
}

// remember keeps what became of a host. When there is no room, the old ones have gone stale anyway.
func (c *Checker) remember(host string, refusal *fault.NetworkRefusedError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxKnown {
		c.known = map[string]checked{}
	}
	c.known[host] = checked{refusal, time.Now().Add(knownFor)}
}

func (c *Checker) count(refusal *fault.NetworkRefusedError) {
	c.counts.requests.Add(1)
	if refusal != nil {
		c.counts.refused.Add(1)
		c.log.Info("an address was refused to the browser", "host", refusal.Host, "address", refusal.Address, "class", refusal.Class)
	}
}
