package origin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// webSource is a URL.
type webSource struct {
	url    *url.URL
	client *http.Client
}

func newAddress(text string, client *http.Client) (webSource, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return webSource{}, errors.New("it is not an https URL, such as https://example.com/policy.wasm")
	}
	return webSource{u, client}, nil
}

func (a webSource) String() string { return withoutSecrets(a.url.String()) }

// withoutSecrets is a URL for people: without user, query and fragment, which contain the signature of signed URLs, and
// without possible tokens in its path.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "an address"
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
	return secret.Address(u.String())
}

// Fetch implements [Source].
func (a webSource) Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url.String(), nil)
	if err != nil {
		return nil, errors.New("the URL cannot be requested")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, httpsonly.WithoutURL(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the server answered %s", response.Status)
	case response.ContentLength > limit:
		return nil, tooLarge(response.ContentLength, limit)
	}
	return readAll(&progressReader{response.Body, 0, max(0, response.ContentLength), progress}, limit)
}

// progressReader reports the progress of a download.
type progressReader struct {
	from        io.Reader
	done, total int64
	progress    func(done, total int64)
}

// Read implements io.Reader.
func (c *progressReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.done += int64(n)
	c.progress(c.done, c.total)
	return n, err
}

// sourceOf is the source of a signature.
func sourceOf(text string, client *http.Client) (Source, error) {
	if strings.HasPrefix(text, "https://") {
		return newAddress(text, client)
	}
	return file(text), nil
}
