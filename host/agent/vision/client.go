package vision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	// maxBody limits how much of an answer is read, in bytes.
	maxBody = 1 << 20
	// firstWait is approximately the pause before the second attempt, unless the endpoint sets one. Later ones are longer.
	firstWait = 500 * time.Millisecond
	// dialTimeout bounds opening a connection.
	dialTimeout = 10 * time.Second
)

// Client asks one model. It is safe for concurrent use.
type Client struct {
	options Options
	address string // URL of the chat completions endpoint
	origin  string // scheme and host, the only place to which the key is sent
	http    *http.Client
}

// New returns a client. It sends nothing yet. The error is an [*OptionError].
func New(o Options) (*Client, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, err // cannot happen: Check has parsed it
	}
	c := &Client{options: o.withDefaults(), address: u.JoinPath("chat", "completions").String(), origin: u.Scheme + "://" + u.Host}
	transport := o.Transport
	if transport == nil {
		// Questions are rare, so no connection is kept open for the next one.
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true, TLSHandshakeTimeout: dialTimeout}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: c.stay}
	return c, nil
}

// Format implements [fmt.Formatter]: the options have secrets.
func (c *Client) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s at %s", c.options.Model, c.origin)
}

// stay refuses redirects to places where the key and the picture must not go.
func (c *Client) stay(r *http.Request, via []*http.Request) error {
	if origin := r.URL.Scheme + "://" + r.URL.Host; origin != c.origin {
		return fmt.Errorf("it redirects to %s, to which nothing is sent; if that is right, configure that URL", origin)
	}
	if len(via) >= 5 || r.Method != http.MethodPost {
		return errors.New("it redirects too often, or to something that takes no question")
	}
	return nil
}

// Ask asks a question about a PNG picture and returns the model's answer, which is untrusted text. Both ctx and
// [Options.Timeout] bound it. Within that time an endpoint that is busy (429) or fails (5xx) is asked again, when it
// says to if it does. The error is an [*Error].
func (c *Client) Ask(ctx context.Context, question string, picture []byte) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	key, err := c.options.key()
	if err != nil {
		return "", &Error{Reason: err.Error()}
	}
	shown, err := dataURL(picture)
	if err != nil {
		return "", &Error{Reason: err.Error()}
	}
	a := &asking{client: c, key: key, request: newRequest(c.options, question, shown)}
	answer, err := a.patiently(ctx)
	var known *Error
	switch {
	case err == nil:
		return answer, nil
	case errors.As(err, &known):
		return "", known
	}
	return "", &Error{Reason: noAnswer}
}

// noAnswer is the reason if the time was over.
const noAnswer = "no answer in time"

// asking is one question in progress.
type asking struct {
	client  *Client
	key     string
	request request
}

// patiently retries until there is an answer, a permanent error, or no time for another attempt.
func (a *asking) patiently(ctx context.Context) (string, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = firstWait
	left := a.client.options.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = max(time.Until(deadline), 1)
	}
	var last error
	answer, err := backoff.Retry(ctx, func() (string, error) {
		text, err := a.once(ctx)
		if err != nil && ctx.Err() == nil { // an earlier error says more than the timeout
			last = err
		}
		return text, err
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(left))
	if err != nil && ctx.Err() != nil && last != nil {
		return "", last
	}
	return answer, err
}

// once sends the question once. Errors that cannot be retried are marked as permanent.
func (a *asking) once(ctx context.Context) (string, error) {
	body, err := json.Marshal(a.request)
	if err != nil {
		return "", backoff.Permanent(&Error{Reason: err.Error()})
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.client.address, bytes.NewReader(body))
	if err != nil {
		return "", backoff.Permanent(&Error{Reason: "the URL cannot be used"})
	}
	r.Header.Set("Content-Type", "application/json")
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	answer, err := a.client.http.Do(r)
	if err != nil {
		return "", a.unreachable(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }() // everything of interest has been read
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	switch {
	case err != nil:
		return "", a.unreachable(ctx, err)
	case answer.StatusCode != http.StatusOK:
		return "", a.refused(answer, content)
	case len(content) > maxBody:
		return "", backoff.Permanent(&Error{Reason: "the answer is too large"})
	}
	text, err := read(content)
	if err != nil {
		return "", backoff.Permanent(err)
	}
	return text, nil
}

// unreachable says why there is no answer. It leaves out the URL, which may contain secrets.
func (a *asking) unreachable(ctx context.Context, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if ctx.Err() != nil {
		return backoff.Permanent(&Error{Reason: noAnswer})
	}
	return backoff.Permanent(&Error{Reason: a.clean(err.Error())})
}

// refused returns the error for an HTTP status. Temporary ones can be retried, when the endpoint says to if it does.
func (a *asking) refused(answer *http.Response, content []byte) error {
	err := &Error{Status: answer.StatusCode, Reason: a.clean(reasonIn(content))}
	switch {
	case answer.StatusCode == http.StatusBadRequest && a.request.otherLimit(content):
		return errors.Join(err, &backoff.RetryAfterError{})
	case answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode < 500:
		return backoff.Permanent(err)
	}
	if wait, ok := retryAfter(answer.Header.Get("Retry-After"), time.Now()); ok {
		return errors.Join(err, &backoff.RetryAfterError{Duration: wait})
	}
	return err
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

// clean removes the key, which endpoints may quote, from a text and shortens it.
func (a *asking) clean(text string) string {
	if a.key != "" {
		text = strings.ReplaceAll(text, a.key, "[redacted]")
	}
	return shorten(text)
}
