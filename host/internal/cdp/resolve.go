package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// versionLimit is how much of a response to /json/version is read, in bytes.
const versionLimit = 1 << 20

// Resolve turns a browser's endpoint into the WebSocket URL for [Dial]. ws:// and wss:// are returned unchanged; for
// http://host:port, https://host and host:port, also with a path, it requests /json/version. The browser does not know
// how it was reached: scheme, host and path prefix of its answer are replaced by the given ones, and the query and user
// information of the endpoint are kept on both requests. client is the HTTP client to use; nil means one that follows
// no redirects. Errors are an [*EndpointError].
//
// See https://chromedevtools.github.io/devtools-protocol/#endpoints.
func Resolve(ctx context.Context, endpoint string, client *http.Client) (string, error) {
	const step = "browser discovery"
	u, err := parseEndpoint(endpoint)
	if err != nil {
		return "", &EndpointError{Endpoint: Redact(endpoint), Step: step, Err: err}
	}
	switch u.Scheme {
	case "ws", "wss":
		return strings.TrimSpace(endpoint), nil
	case "http", "https":
	default:
		return "", &EndpointError{Endpoint: Redact(endpoint), Step: step,
			Err: fmt.Errorf("unknown scheme %q; want ws, wss, http, https or host:port", u.Scheme)}
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/json/version")
	if strings.Contains(prefix, "/devtools/") { // a WebSocket URL with the wrong scheme
		return webSocketURL(u, u.Path, ""), nil
	}
	if client == nil {
		client = newHTTPClient()
		defer client.CloseIdleConnections()
	}
	ask := *u
	ask.Path, ask.RawPath, ask.Fragment = prefix+"/json/version", "", ""
	body, status, err := get(ctx, client, ask.String())
	if err != nil || status != http.StatusOK {
		if status == http.StatusOK {
			status = 0
		}
		return "", newAddressError(endpoint, step, status, err)
	}
	found, err := parseVersion(body)
	if err != nil {
		return "", newAddressError(endpoint, step, 0, err)
	}
	path := found.Path
	if !strings.HasPrefix(path, prefix+"/") {
		path = prefix + path
	}
	return webSocketURL(u, path, found.RawQuery), nil
}

// webSocketURL returns u with another path, the WebSocket scheme, and a query joined before its own.
func webSocketURL(u *url.URL, path, query string) string {
	out := url.URL{Scheme: "ws", User: u.User, Host: u.Host, Path: path, RawQuery: joinQuery(query, u.RawQuery)}
	if u.Scheme == "https" {
		out.Scheme = "wss"
	}
	return out.String()
}

// joinQuery appends those pairs of b that a lacks. They are not re-encoded, as a signature may cover the encoding.
func joinQuery(a, b string) string {
	have := map[string]bool{}
	for _, pair := range strings.Split(a, "&") {
		have[pair] = true
	}
	for _, pair := range strings.Split(b, "&") {
		if pair == "" || have[pair] {
			continue
		}
		if a != "" {
			a += "&"
		}
		a += pair
	}
	return a
}

// get fetches a small document.
func get(ctx context.Context, client *http.Client, url string) (body []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, versionLimit))
	return body, resp.StatusCode, err
}

// parseVersion returns the WebSocket URL in a response to /json/version.
func parseVersion(body []byte) (*url.URL, error) {
	var version struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(body, &version); err != nil {
		return nil, errors.New("the response to /json/version is not JSON; is this the debugging port of a browser?")
	}
	if version.WebSocketDebuggerURL == "" {
		return nil, errors.New("the response to /json/version has no webSocketDebuggerUrl")
	}
	u, err := url.Parse(version.WebSocketDebuggerURL)
	if err != nil {
		return nil, errors.New("the response to /json/version has an unreadable webSocketDebuggerUrl")
	}
	return u, nil
}

// newHTTPClient returns a client for URLs that may contain a key: it stores nothing, and does not pass the key on by
// following a redirect.
func newHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
