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
	// maxBody bounds what is read of an answer, in bytes.
	maxBody = 1 << 20
	// firstWait is about the pause before the second try, where the endpoint names none; each further one is longer.
	firstWait = 500 * time.Millisecond
	// dialTimeout bounds one connection.
	dialTimeout = 10 * time.Second
)

// Client asks one model. Its methods may be called from any goroutine.
type Client struct {
	options Options
	address string // of the chat completions
	origin  string // scheme and host, to which alone the key is sent
	http    *http.Client
}

// New gives a client; nothing is sent yet. The error is an [*OptionError].
func New(o Options) (*Client, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, err // Check has parsed it, too
	}
	c := &Client{options: o.withDefaults(), address: u.JoinPath("chat", "completions").String(), origin: u.Scheme + "://" + u.Host}
	transport := o.Transport
	if transport == nil {
		// Questions are rare: no connection waits for the next one.
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true, TLSHandshakeTimeout: dialTimeout}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: c.stay}
	return c, nil
}

// stay refuses redirects to where neither the key nor the picture is to go.
func (c *Client) stay(r *http.Request, via []*http.Request) error {
	if origin := r.URL.Scheme + "://" + r.URL.Host; origin != c.origin {
		return fmt.Errorf("it redirects to %s, where nothing is sent to; if that is right, configure that address", origin)
	}
	if len(via) >= 5 || r.Method != http.MethodPost {
		return errors.New("it redirects without end, or to what takes no question")
	}
	return nil
}

// Ask asks a question about a picture, a PNG, and gives the model's answer, which is untrusted text. The time of ctx holds,
// with that of [Options.Timeout]; within it an endpoint that is busy (429) or fails (5xx) is asked again, when it says so.
// The error is an [*Error].
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

// noAnswer is the reason where the time was over.
const noAnswer = "no answer in time"

// asking is one question under way.
type asking struct {
	client  *Client
	key     string
	request request
}

// patiently tries until there is an answer, an error that stays, or no time for another try.
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
		if err != nil && ctx.Err() == nil { // what came before the end of the time says more than that
			last = err
		}
		return text, err
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(left))
	if err != nil && ctx.Err() != nil && last != nil {
		return "", last
	}
	return answer, err
}

// once sends the question. An error that may pass is not permanent.
func (a *asking) once(ctx context.Context) (string, error) {
	body, err := json.Marshal(a.request)
	if err != nil {
		return "", backoff.Permanent(&Error{Reason: err.Error()})
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.client.address, bytes.NewReader(body))
	if err != nil {
		return "", backoff.Permanent(&Error{Reason: "the address can not be used"})
	}
	r.Header.Set("Content-Type", "application/json")
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	answer, err := a.client.http.Do(r)
	if err != nil {
		return "", a.unreachable(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }() // it was read as far as it is of interest
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

// unreachable says why there is no answer. The address, which may have secrets, is left out.
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

// refused is the error of a status. One that may pass is tried again, when the endpoint says so.
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

// retryAfter reads a number of seconds, or a date.
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

// clean takes the key out of a text, which endpoints quote, and cuts it.
func (a *asking) clean(text string) string {
	if a.key != "" {
		text = strings.ReplaceAll(text, a.key, "[redacted]")
	}
	return shorten(text)
}
