// Package endpoint finds the WebSocket URL of a browser that accepts debugging.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

const (
	// Running stands for the endpoint of whichever browser this user has running here that can be debugged.
	Running = "running"
	// usualEndpoint is where tools expect a browser that accepts debugging.
	usualEndpoint = "127.0.0.1:9222"
)

// Resolve turns the endpoint of a browser into the WebSocket URL at which it can be dialed. Besides those that
// [cdp.Resolve] knows, it can be [Running], or lead to a browser of this user's that has no /json/version. Errors are a
// [*cdp.EndpointError], or [fault.ErrNoBrowser] for Running.
func Resolve(ctx context.Context, endpoint string) (string, error) {
	if strings.TrimSpace(endpoint) == Running {
		return running(ctx)
	}
	resolved, err := cdp.Resolve(ctx, endpoint, nil)
	var failed *cdp.EndpointError
	if !errors.As(err, &failed) || failed.Status != http.StatusNotFound {
		return resolved, err
	}
	if port := portHere(endpoint); port != "" {
		if found := browser.EndpointAt(ctx, port); found != "" {
			return found, nil
		}
	}
	return "", err
}

func running(ctx context.Context) (string, error) {
	if found := browser.Endpoints(ctx); len(found) > 0 {
		return found[0], nil
	}
	resolved, err := cdp.Resolve(ctx, usualEndpoint, nil)
	if err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("%w: none that is running here accepts debugging: allow it in Chrome at chrome://inspect/#remote-debugging, "+
			"or start a browser for it with \"hermes-cdp connect --start\" (%w)", fault.ErrNoBrowser, err)
	}
	return resolved, err
}

// portHere is the port of an endpoint on this machine; empty for any other.
func portHere(endpoint string) string {
	endpoint = strings.TrimSpace(endpoint)
	if _, rest, ok := strings.Cut(endpoint, "://"); ok {
		endpoint = rest
	} else if _, err := strconv.ParseUint(endpoint, 10, 16); err == nil {
		return endpoint
	}
	u, err := url.Parse("//" + endpoint)
	if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		return ""
	}
	return u.Port()
}
