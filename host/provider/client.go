package provider

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
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// maxBody limits how much of an answer is read, in bytes, and maxReason how much of it an error quotes, in runes.
	maxBody   = 1 << 20
	maxReason = 200
	// firstWait is approximately the pause before the second attempt, unless the service sets one.
	firstWait = 500 * time.Millisecond
)

// client sends the requests of one provider.
type client struct {
	name     string
	base     string      // URL that the paths of requests are added to
	header   http.Header // of each request
	variable string      // the environment variable that has the key
	secrets  []string    // never shown; services quote them
	http     *http.Client
}

// newClient returns a client whose key is in a header, after a prefix such as Bearer. The error says that the URL
// cannot be used: a key is sent to another machine over https only.
func newClient(name, base, header, prefix, key, variable string) (*client, error) {
	if err := mayHaveKey(base); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &client{name: name, base: strings.TrimSuffix(base, "/"), header: http.Header{}, variable: variable, secrets: []string{key}, http: newHTTP()}
	c.header.Set(header, prefix+key)
	return c, nil
}

// newHTTP returns an HTTP client that keeps no connection open, as requests are rare, and follows no redirect: the key
// would go along.
func newHTTP() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func mayHaveKey(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("the URL of the service is no https:// URL")
	case u.Scheme == "http" && u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback():
		return errors.New("the URL of the service must begin with https://: a key is not sent to another machine in the clear")
	}
	return nil
}

// request is one request with everything that is tried for it.
type request struct {
	op, method, path string
	body             any                   // encoded as JSON; nil: none
	answer           any                   // decoded from JSON; nil: not read
	ended            func(status int) bool // statuses that say that the session has ended; nil: none
	timeout          time.Duration
}

// creates reports whether a browser may have been rented once the request has been sent.
func (r request) creates() bool { return r.op == opCreate }

const (
	opCreate    = "create"
	opRenew     = "renew"
	opKeepAlive = "keep alive"
	opRelease   = "release"
)

// gone are the statuses of requests for a session that no longer exists.
func gone(status int) bool { return status == http.StatusNotFound || status == http.StatusGone }

// do sends a request until there is an answer, a permanent error, or no time for another attempt. A busy service (429)
// is asked again when it says to, one that fails (5xx) after a pause. A POST that may have been accepted is not
// repeated.
func (c *client) do(ctx context.Context, r request) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = firstWait
	left := r.timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = max(time.Until(deadline), 1)
	}
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := c.once(ctx, r)
		if err != nil && (ctx.Err() == nil || last == nil) { // an earlier error says more than the timeout
			last = err
		}
		return struct{}{}, err
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(left))
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(cmp.Or(last, err), &known) {
		return known
	}
	return &Error{Provider: c.name, Op: r.op, Reason: noAnswer}
}

// noAnswer is the reason if the time was over.
const noAnswer = "no answer in time"

func (c *client) once(ctx context.Context, r request) error {
	asked, err := c.encode(ctx, r)
	if err != nil {
		return backoff.Permanent(err)
	}
	answer, err := c.http.Do(asked)
	if err != nil {
		return c.unreachable(ctx, r, err)
	}
	defer func() { _ = answer.Body.Close() }() // everything of interest has been read
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	if err != nil {
		return c.unreachable(ctx, r, err)
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return c.refused(r, answer, content)
	}
	if r.answer == nil {
		return nil
	}
	if err := json.Unmarshal(content, r.answer); err != nil {
		return backoff.Permanent(&Error{Provider: c.name, Op: r.op, Reason: "the answer is not the JSON that was expected", Uncertain: r.creates()})
	}
	return nil
}

func (c *client) encode(ctx context.Context, r request) (*http.Request, error) {
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, &Error{Provider: c.name, Op: r.op, Reason: "the body of the request is no JSON"}
		}
		body = bytes.NewReader(text)
	}
	asked, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return nil, &Error{Provider: c.name, Op: r.op, Reason: "the URL cannot be used"}
	}
	asked.Header = c.header.Clone()
	if r.body != nil {
		asked.Header.Set("Content-Type", "application/json")
	}
	return asked, nil
}

// unreachable says why there is no answer. It leaves out the URL, which may contain secrets.
func (c *client) unreachable(ctx context.Context, r request, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var op *net.OpError
	unsent := errors.As(err, &op) && op.Op == "dial"
	out := &Error{Provider: c.name, Op: r.op, Reason: c.clean(err.Error()), Uncertain: r.creates() && !unsent}
	switch {
	case ctx.Err() != nil:
		out.Reason = noAnswer
		return backoff.Permanent(out)
	case out.Uncertain:
		return backoff.Permanent(out)
	}
	return out
}

// refused returns the error for an HTTP status.
func (c *client) refused(r request, answer *http.Response, content []byte) error {
	err := &Error{Provider: c.name, Op: r.op, Status: answer.StatusCode, Reason: c.clean(reasonIn(content))}
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		err.Reason = strings.TrimPrefix(err.Reason+"; check the key in "+c.variable, "; ")
	case r.ended != nil && r.ended(status):
		err.Expired = true
	case status == http.StatusTooManyRequests, status >= 500:
		err.Uncertain = r.creates() && status >= 500
		if wait, ok := retryAfter(answer.Header.Get("Retry-After"), time.Now()); ok {
			return errors.Join(err, &backoff.RetryAfterError{Duration: wait})
		}
		return err
	}
	return backoff.Permanent(err)
}

// retryAfter parses a number of seconds or a date.
//
// https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<30 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// reasonIn finds what an answer says about an error, in one of the keys that services use.
func reasonIn(content []byte) string {
	var said map[string]any
	if json.Unmarshal(content, &said) != nil {
		return ""
	}
	if inner, ok := said["error"].(map[string]any); ok {
		said = inner
	}
	for _, key := range []string{"message", "error", "detail"} {
		if text, ok := said[key].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// clean removes secrets, which services may quote, from a text, and makes it one short line.
func (c *client) clean(text string) string {
	for _, secret := range c.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[redacted]")
		}
	}
	return pagetext.ShortenRunes(pagetext.Line(text), maxReason)
}

// created checks what a service answered to a request for a browser. A session that cannot be used is released.
func (c *client) created(ctx context.Context, s Session, release func(context.Context, string) error) (Session, error) {
	if s.ID == "" {
		return Session{}, &Error{Provider: c.name, Op: opCreate, Reason: "the answer names no id", Uncertain: true}
	}
	if s.Endpoint == "" {
		err := &Error{Provider: c.name, Op: opCreate, Reason: "the answer names no endpoint"}
		if release(context.WithoutCancel(ctx), s.ID) != nil {
			err.Uncertain = true
		}
		return Session{}, err
	}
	return shown(s), nil
}

// renewed checks what a service answered about an old session.
func (c *client) renewed(old, s Session, ended string) (Session, error) {
	if ended != "" {
		return old, &Error{Provider: c.name, Op: opRenew, Reason: "the session has ended (" + c.clean(ended) + ")", Expired: true}
	}
	if s.Endpoint == "" {
		return old, &Error{Provider: c.name, Op: opRenew, Reason: "the answer names no endpoint"}
	}
	s.ID, s.Notes, s.LiveView = old.ID, old.Notes, cmp.Or(s.LiveView, old.LiveView)
	if s.ExpiresAt.IsZero() {
		s.ExpiresAt = old.ExpiresAt
	}
	return shown(s), nil
}

// shown drops a live view that is no page.
func shown(s Session) Session {
	if u, err := url.Parse(s.LiveView); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		s.LiveView = ""
	}
	return s
}

// released is for a release: a session that is gone, or that is ending, needs none.
func released(err error) error {
	var known *Error
	if errors.As(err, &known) && (gone(known.Status) || known.Status == http.StatusConflict) {
		return nil
	}
	return err
}

// moment parses the time of an answer; zero if it is none.
func moment(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
