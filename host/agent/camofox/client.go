package camofox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

const (
	// Name is the name of the provider, and the variables say where the server is, and its key.
	Name    = "camofox"
	envURL  = "CAMOFOX_URL"
	envKey  = "CAMOFOX_API_KEY"
	maxBody = 64 << 20 // of an answer; a picture of a long page is large
	// maxReason is how much of a server's words an error quotes, in runes.
	maxReason = 300
)

// client sends requests to the server.
type client struct {
	base *url.URL
	key  secret.Text
	http *http.Client
}

func newClient(address, key string) (*client, error) {
	base, err := url.Parse(strings.TrimSuffix(address, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("%s must be an http:// or https:// URL", envURL)
	case strings.ContainsAny(key, "\r\n\x00"):
		return nil, fmt.Errorf("%s is no key: it has the end of a line in it", envKey)
	case key != "" && base.Scheme == "http" && base.Hostname() != "localhost" && !net.ParseIP(base.Hostname()).IsLoopback():
		return nil, fmt.Errorf("%s must begin with https://: a key is not sent to another machine in the clear", envURL)
	}
	return &client{base: base, key: secret.New(key), http: &http.Client{
		// What a request has would go along, and the key with it to another port of the same machine.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// get asks for something of a user's.
func (c *client) get(ctx context.Context, path string, query url.Values, answer any) error {
	return c.send(ctx, http.MethodGet, path, query, nil, answer)
}

// post does something. A POST is never repeated: nobody knows what a lost one has done.
func (c *client) post(ctx context.Context, path string, body map[string]any, answer any) error {
	return c.send(ctx, http.MethodPost, path, nil, body, answer)
}

func (c *client) send(ctx context.Context, method, path string, query url.Values, body map[string]any, answer any) error {
	to := c.base.JoinPath(path)
	to.RawQuery = query.Encode()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	asked, err := http.NewRequestWithContext(ctx, method, to.String(), content)
	if err != nil {
		return err
	}
	asked.Header.Set("Content-Type", "application/json")
	if key := c.key.Reveal(); key != "" {
		asked.Header.Set("Authorization", "Bearer "+key)
	}
	reply, err := c.http.Do(asked)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	defer func() { _ = reply.Body.Close() }() // everything of interest has been read
	said, err := io.ReadAll(io.LimitReader(reply.Body, maxBody+1))
	switch {
	case err != nil:
		return c.unreachable(ctx, err)
	case reply.StatusCode < 200 || reply.StatusCode > 299:
		return c.refused(reply.StatusCode, said)
	case len(said) > maxBody:
		return c.failed(0, "the answer is larger than 64 MiB")
	}
	if picture, ok := answer.(*[]byte); ok {
		*picture = said
		return nil
	}
	if answer != nil && json.Unmarshal(said, answer) != nil {
		return c.failed(0, "the answer is not the JSON that was expected; is there a Camofox server at "+envURL+"?")
	}
	return nil
}

// unreachable says why there is no answer, without the URL.
func (c *client) unreachable(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w: the Camofox server has not answered; what was asked for may still happen", fault.ErrTimeout)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return c.failed(0, c.clean(err.Error())+"; start the Camofox server, or mend "+envURL)
}

// refusal is what the server says of a request that failed.
type refusal struct {
	Error string `json:"error"`
	Code  string `json:"code"`
}

// refused returns the error for an HTTP status. The server's words may be those of a page.
func (c *client) refused(status int, said []byte) error {
	var why refusal
	_ = json.Unmarshal(said, &why) // else the status says it all
	reason := c.clean(cmp.Or(why.Error, http.StatusText(status)))
	switch {
	case status < 400:
		return c.failed(status, "it redirects, which is not followed; set "+envURL+" to where the server is")
	case status == http.StatusUnauthorized, status == http.StatusForbidden && c.key.Reveal() == "":
		return c.failed(status, reason+"; check the key in "+envKey)
	case why.Code == "stale_refs", why.Code == "page_changed":
		return fmt.Errorf("%w: %s", fault.ErrStaleRef, reason)
	case why.Code == "page_crashed":
		return fmt.Errorf("%w: %s", fault.ErrTargetCrashed, reason)
	case status == http.StatusNotFound, status == http.StatusGone:
		return fmt.Errorf("%w: %s", errNoTab, reason)
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %s", fault.ErrBadArguments, reason)
	case strings.Contains(reason, "net::") || strings.Contains(reason, "NS_ERROR") || why.Code == "destination_unavailable" || why.Code == "ssl_error":
		return fmt.Errorf("%w: %s", fault.ErrNavigate, reason)
	}
	return c.failed(status, reason)
}

// errNoTab is said of tabs that the server does not know, or no longer.
var errNoTab = fmt.Errorf("%w: the Camofox server has no such tab", fault.ErrTargetGone)

func (c *client) failed(status int, reason string) error {
	return &provider.Error{Provider: Name, Op: "request", Status: status, Reason: reason}
}

// clean makes what a server says one short line without the key.
func (c *client) clean(text string) string {
	if key := c.key.Reveal(); key != "" {
		text = strings.ReplaceAll(text, key, secret.Redacted)
	}
	return pagetext.ShortenRunes(pagetext.Line(text), maxReason)
}
