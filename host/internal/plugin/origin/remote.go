package origin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/secret"
)

const (
	// responseTimeout is how long a server may take to begin its answer; the whole download is bounded by the context.
	responseTimeout = 30 * time.Second
	maxRedirects    = 5
)

// client is used where the caller gives none. It follows redirects to https alone: a hash would find what was exchanged
// on the way, and yet no one is to read a signed address.
func (o Options) client() *http.Client {
	client := http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: responseTimeout}).DialContext,
		ResponseHeaderTimeout: responseTimeout, TLSHandshakeTimeout: responseTimeout, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}}
	if o.Client != nil {
		client = *o.Client
	}
	client.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		switch {
		case to.URL.Scheme != "https":
			return errors.New("it redirects to an address that is not https")
		case len(via) > maxRedirects:
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return nil
	}
	return &client
}

// address is a place on the network.
type address struct {
	url    *url.URL
	client *http.Client
}

func newAddress(text string, client *http.Client) (address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return address{}, errors.New("it is not an https address, such as https://example.com/policy.wasm")
	}
	return address{u, client}, nil
}

func (a address) String() string { return withoutSecrets(a.url.String()) }

// withoutSecrets is an address for people: without its user, query and fragment, in which signed addresses have their
// signature, and without what may be a token in its path.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "an address"
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
	return secret.Address(u.String())
}

// Fetch implements [Source].
func (a address) Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url.String(), nil)
	if err != nil {
		return nil, errors.New("the address can not be requested")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, withoutAddress(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the server answered %s", response.Status)
	case response.ContentLength > limit:
		return nil, tooLarge(response.ContentLength, limit)
	}
	return readAll(&counted{response.Body, 0, max(0, response.ContentLength), progress}, limit)
}

// withoutAddress takes the cause out of an error that shows the whole address.
func withoutAddress(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// counted tells how much of a download is there.
type counted struct {
	from        io.Reader
	done, total int64
	progress    func(done, total int64)
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.done += int64(n)
	c.progress(c.done, c.total)
	return n, err
}

// sourceOf is the place of a signature.
func sourceOf(text string, client *http.Client) (Source, error) {
	if strings.HasPrefix(text, "https://") {
		return newAddress(text, client)
	}
	return file(text), nil
}
