package netguard

import (
	"net"
)

// name is what the browser calls the proxy. With a name of its own for it, no address is left that the browser would
// connect to by itself. Nobody can register it (RFC 6761).
const name = "proxy.hermes-cdp.invalid"

// Origin is the proxy in a challenge of Chromium's.
func (p *Proxy) Origin() string {
	_, port, _ := net.SplitHostPort(p.Addr().String()) // it is one
	return "http://" + net.JoinHostPort(name, port)
}

// Switches make Chromium use the proxy for everything, loopback included, and nothing else: it resolves no name, for
// prefetches and WebTransport neither, and sends no UDP.
//
// https://chromium.googlesource.com/chromium/src/+/main/net/docs/proxy.md
func (p *Proxy) Switches() []string {
	return []string{
		"--proxy-server=" + p.Origin(),
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP " + name + " 127.0.0.1,MAP * ~NOTFOUND",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// Owned are the switches that would lead around the proxy, and so cannot be given beside it.
func Owned() []string {
	return []string{
		"--proxy-server", "--proxy-bypass-list", "--proxy-pac-url", "--proxy-auto-detect", "--no-proxy-server", "--host-resolver-rules",
		"--host-rules", "--webrtc-ip-handling-policy", "--force-webrtc-ip-handling-policy",
	}
}
