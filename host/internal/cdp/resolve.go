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

// versionLimit is the most that is read of an answer to /json/version, in bytes.
const versionLimit = 1 << 20

// Resolve turns a browser's address into the WebSocket address for [Dial]. ws:// and wss:// are given back as they are;
// http://host:port, https://host and host:port are asked at /json/version, also below a path. The browser does not know
// by which way it was reached: scheme, host and path prefix of its answer are replaced by the given ones, and the
// query and user information of the address are kept on both requests. client is the HTTP client to ask with; nil is one
// that follows no redirect. Errors are an [*AddressError].
//
// See https://chromedevtools.github.io/devtools-protocol/#endpoints.
func Resolve(ctx context.Context, address string, client *http.Client) (string, error) {
	const step = "browser discovery"
	u, err := parseAddress(address)
	if err != nil {
		return "", &AddressError{Address: Redact(address), Step: step, Err: err}
	}
	switch u.Scheme {
	case "ws", "wss":
		return strings.TrimSpace(address), nil
	case "http", "https":
	default:
		return "", &AddressError{Address: Redact(address), Step: step,
			Err: fmt.Errorf("unknown scheme %q; ws, wss, http, https or host:port are known", u.Scheme)}
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/json/version")
	if strings.Contains(prefix, "/devtools/") { // a WebSocket address with the wrong scheme
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
		return "", newAddressError(address, step, status, err)
	}
	endpoint, err := parseVersion(body)
	if err != nil {
		return "", newAddressError(address, step, 0, err)
	}
	path := endpoint.Path
	if !strings.HasPrefix(path, prefix+"/") {
		path = prefix + path
	}
	return webSocketURL(u, path, endpoint.RawQuery), nil
}

// webSocketURL is the address u with another path, its scheme changed to WebSocket, and a query joined before its own.
func webSocketURL(u *url.URL, path, query string) string {
	out := url.URL{Scheme: "ws", User: u.User, Host: u.Host, Path: path, RawQuery: joinQuery(query, u.RawQuery)}
	if u.Scheme == "https" {
		out.Scheme = "wss"
	}
	return out.String()
}

// joinQuery appends those pairs of b that a lacks. The text is kept as it is: signatures may cover its encoding.
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
func get(ctx context.Context, client *http.Client, address string) (body []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
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

// parseVersion finds the WebSocket address in the answer to /json/version.
func parseVersion(body []byte) (*url.URL, error) {
	var version struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(body, &version); err != nil {
		return nil, errors.New("the answer to /json/version is not JSON; is this the address of a browser's debugging port?")
	}
	if version.WebSocketDebuggerURL == "" {
		return nil, errors.New("the answer to /json/version names no webSocketDebuggerUrl")
	}
	u, err := url.Parse(version.WebSocketDebuggerURL)
	if err != nil {
		return nil, errors.New("the answer to /json/version names an unreadable webSocketDebuggerUrl")
	}
	return u, nil
}

// newHTTPClient is a client for addresses that may carry a key: it keeps nothing, and does not take the key elsewhere by
// following a redirect.
func newHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
