// Package httpsonly makes the client by which modules are downloaded, and sent to registries.
package httpsonly

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// responseTimeout is how long a server may take to start its response. The context bounds the whole download.
	responseTimeout = 30 * time.Second
	maxRedirects    = 5
)

var errScheme = errors.New("a URL that is not https")

// Client is a client that sends nothing but https: a hash reveals tampering, but no one should be able to read a signed
// URL, or credentials. It goes by base; nil: it trusts the system's certificate authorities, and uses the environment's
// proxy.
func Client(base *http.Client) *http.Client {
	client := http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: responseTimeout}).DialContext,
		ResponseHeaderTimeout: responseTimeout, TLSHandshakeTimeout: responseTimeout, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
	if base != nil {
		client = *base
	}
	client.Transport = guarded{client.Transport}
	client.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		switch {
		case to.URL.Scheme != "https":
			return fmt.Errorf("it redirects to %w", errScheme)
		case len(via) > maxRedirects:
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return nil
	}
	return &client
}

// guarded refuses what a server asks for by other ways than redirects, such as the place of an upload.
type guarded struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		return nil, fmt.Errorf("it leads to %w", errScheme)
	}
	return g.next.RoundTrip(r)
}

// WithoutURL is the cause of an error of a request that shows the whole URL.
func WithoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
