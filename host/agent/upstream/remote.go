package upstream

import (
	"context"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// remote is the transport to a server at a URL.
type remote struct {
	own  *http.Transport
	sdk  *mcp.StreamableClientTransport
	conn mcp.Connection // nil until Connect
}

func newRemote(s Server, headers map[string]string) *remote {
	own := http.DefaultTransport.(*http.Transport).Clone()
	return &remote{own: own, sdk: &mcp.StreamableClientTransport{
		Endpoint:   s.URL,
		HTTPClient: &http.Client{Transport: withHeaders{own, headers}, CheckRedirect: sameOrigin},
	}}
}

// Connect implements [mcp.Transport].
func (r *remote) Connect(ctx context.Context) (conn mcp.Connection, err error) {
	r.conn, err = r.sdk.Connect(ctx)
	return r.conn, err
}

// end closes the connections.
func (r *remote) end(bool) {
	if r.conn != nil {
		_ = r.conn.Close() // it may be closed already, or its handshake failed
	}
	r.own.CloseIdleConnections()
}

// why returns nil: only a server that this process started can end.
func (*remote) why() error { return nil }

// withHeaders adds headers to each request.
type withHeaders struct {
	next    http.RoundTripper
	headers map[string]string
}

// RoundTrip implements [http.RoundTripper].
func (h withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h.headers {
		r.Header.Set(name, value)
	}
	return h.next.RoundTrip(r)
}

// sameOrigin follows only redirects within the origin, as the headers are secrets meant for it.
func sameOrigin(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	if r.URL.Scheme != first.Scheme || r.URL.Host != first.Host {
		return fmt.Errorf("it redirects to another origin, which the headers are not meant for; if that is right, set the url to it")
	}
	if len(via) >= 5 {
		return fmt.Errorf("it redirects more than 5 times")
	}
	return nil
}
