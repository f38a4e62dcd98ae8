package netguard

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Failure is a connection that was asked for and is not there.
type Failure struct {
	// HostPort is what was asked for.
	HostPort string
	// Err says why; it is a [*fault.NetworkRefusedError] if the address may not be reached.
	Err error
	// Reason is what a browser without a proxy would say, such as net::ERR_NAME_NOT_RESOLVED; empty if it would be no
	// better.
	Reason string
}

// failures are the newest ones.
type failures struct {
	mu    sync.Mutex
	count uint64
	list  [64]Failure
}

// note records a connection that was not opened.
func (p *Proxy) note(hostPort string, err error) {
	f := Failure{HostPort: strings.ToLower(hostPort), Err: err, Reason: reasonOf(err)}
	if refusal := refusalIn(err); refusal != nil {
		p.counts.refused.Add(1)
		p.log.Info("an address was refused to the browser", "host", refusal.Host, "address", refusal.Address, "class", refusal.Class)
	} else {
		p.counts.failed.Add(1)
	}
	p.failures.mu.Lock()
	defer p.failures.mu.Unlock()
	p.failures.list[p.failures.count%uint64(len(p.failures.list))] = f
	p.failures.count++
}

func refusalIn(err error) (refusal *fault.NetworkRefusedError) {
	errors.As(err, &refusal)
	return refusal
}

// Mark is a point in the order of failures, for [Proxy.Since].
func (p *Proxy) Mark() uint64 {
	p.failures.mu.Lock()
	defer p.failures.mu.Unlock()
	return p.failures.count
}

// Since returns the newest failure after a mark to connect to where a URL leads; nil if there was none.
func (p *Proxy) Since(mark uint64, rawURL string) *Failure {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil
	}
	wanted := strings.ToLower(hostPort(u))
	p.failures.mu.Lock()
	defer p.failures.mu.Unlock()
	for n := p.failures.count; n > mark && p.failures.count-n < uint64(len(p.failures.list)); n-- {
		if f := p.failures.list[(n-1)%uint64(len(p.failures.list))]; f.HostPort == wanted {
			return &f
		}
	}
	return nil
}

// upstreamError says that another proxy did not connect.
type upstreamError struct{ err error }

func (e *upstreamError) Error() string { return "the proxy of browser.proxy: " + e.err.Error() }

func (e *upstreamError) Unwrap() error { return e.err }

// cause is the error without the address of the proxy, which is for the operator alone.
func (e *upstreamError) cause() string {
	if dns := (*net.DNSError)(nil); errors.As(e.err, &dns) {
		return "its name could not be resolved"
	}
	err := e.err
	for op := (*net.OpError)(nil); errors.As(err, &op); {
		err = op.Err
	}
	return strings.TrimPrefix(err.Error(), "unknown error ") // which x/net puts before what SOCKS answered
}

// reasonOf is the error of a browser that connects by itself.
//
// https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h
func reasonOf(err error) string {
	var dns *net.DNSError
	var upstream *upstreamError
	switch {
	case errors.As(err, &upstream):
		return "net::ERR_PROXY_CONNECTION_FAILED (the proxy of browser.proxy did not connect: " + upstream.cause() + ")"
	case errors.As(err, &dns):
		return "net::ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "net::ERR_ADDRESS_UNREACHABLE"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		return "net::ERR_CONNECTION_TIMED_OUT"
	}
	return ""
}
