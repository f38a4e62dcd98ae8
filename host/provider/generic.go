package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Service describes a service that hands out a CDP endpoint for a POST, for [NewCDP]. In URLs, headers and texts of
// bodies ${NAME} stands for a variable, and {id} for the id of the session.
type Service struct {
	// URL takes the POST that rents a browser, with Headers and the JSON of Body (nil: {}).
	URL     string
	Headers map[string]string
	Body    map[string]any
	// ID, Endpoint, ExpiresAt and LiveView are JSON Pointers (RFC 6901) into the answer. Defaults: /id and /cdpUrl, and
	// the other two unknown. A time is RFC 3339, or seconds since 1970.
	ID, Endpoint, ExpiresAt, LiveView string
	// RenewURL is asked (GET) for the same answer before each connection after the first. Empty: the first endpoint is
	// used again.
	RenewURL string
	// KeepAliveURL takes a POST that makes a session last longer, and gives the same answer. Empty: there is none.
	KeepAliveURL string
	// ReleaseURL takes the request that ends a session, with ReleaseMethod (default DELETE) and ReleaseBody (nil: none).
	ReleaseURL    string
	ReleaseMethod string
	ReleaseBody   map[string]any
	// Getenv reads variables; nil: there are none.
	Getenv func(name string) string
}

// CDP rents browsers from a [Service].
type CDP struct {
	client  *client
	service Service
}

var _ Provider = (*CDP)(nil)

// NewCDP returns the provider. It sends nothing yet. The error says which variable is missing, or which URL or pointer
// cannot be used.
func NewCDP(s Service) (*CDP, error) {
	c := &client{name: NameCDP, header: http.Header{}, variable: "provider.headers", http: newHTTP()}
	fill := &filling{getenv: s.Getenv}
	for _, u := range []*string{&s.URL, &s.RenewURL, &s.KeepAliveURL, &s.ReleaseURL} {
		if *u = fill.text(*u); *u == "" {
			continue
		}
		if err := mayHaveKey(*u); err != nil {
			return nil, fmt.Errorf("%s: %w", NameCDP, err)
		}
	}
	for name, value := range s.Headers {
		c.header.Set(name, fill.text(value))
	}
	s.Body, s.ReleaseBody = fill.object(s.Body), fill.object(s.ReleaseBody)
	if c.secrets = fill.used; len(fill.names) > 0 {
		c.variable = strings.Join(fill.names, ", ")
	}
	switch {
	case len(fill.missing) > 0:
		return nil, &Error{Provider: NameCDP, Op: opCreate, Reason: "the environment has no " + strings.Join(fill.missing, ", ")}
	case s.URL == "" || s.ReleaseURL == "":
		return nil, &Error{Provider: NameCDP, Op: opCreate, Reason: "provider.url rents a browser and provider.release_url ends it: both are required"}
	}
	for _, pointer := range []string{s.ID, s.Endpoint, s.ExpiresAt, s.LiveView} {
		if pointer != "" && !strings.HasPrefix(pointer, "/") {
			return nil, &Error{Provider: NameCDP, Op: opCreate, Reason: pointer + " is no JSON Pointer: it must begin with /"}
		}
	}
	return &CDP{client: c, service: s.withDefaults()}, nil
}

// Format implements [fmt.Formatter]: the URLs, headers and bodies of a service may have secrets.
func (c *CDP) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.Name()) }

func (s Service) withDefaults() Service {
	for field, value := range map[*string]string{&s.ID: "/id", &s.Endpoint: "/cdpUrl", &s.ReleaseMethod: http.MethodDelete} {
		if *field == "" {
			*field = value
		}
	}
	if s.Body == nil {
		s.Body = map[string]any{}
	}
	return s
}

// Name implements [Provider].
func (c *CDP) Name() string { return NameCDP }

// Create implements [Provider]. The lifetime of the request is left to the body.
func (c *CDP) Create(ctx context.Context, _ Request) (Session, error) {
	var answer any
	err := c.client.do(ctx, request{op: opCreate, method: http.MethodPost, path: c.service.URL, body: c.service.Body, answer: &answer, timeout: CreateTimeout})
	if err != nil {
		return Session{}, err
	}
	return c.client.created(ctx, c.session(answer), c.Release)
}

// Renew implements [Provider].
func (c *CDP) Renew(ctx context.Context, s Session) (Session, error) {
	if c.service.RenewURL == "" {
		return s, nil
	}
	return c.again(ctx, s, request{op: opRenew, method: http.MethodGet, path: withID(c.service.RenewURL, s.ID)})
}

// KeepAlive implements [Provider].
func (c *CDP) KeepAlive(ctx context.Context, s Session) (Session, error) {
	if c.service.KeepAliveURL == "" {
		return s, errors.ErrUnsupported
	}
	return c.again(ctx, s, request{op: opKeepAlive, method: http.MethodPost, path: withID(c.service.KeepAliveURL, s.ID)})
}

// again asks for the state of a session. What the answer leaves out is as it was.
func (c *CDP) again(ctx context.Context, s Session, r request) (Session, error) {
	var answer any
	r.answer, r.ended, r.timeout = &answer, gone, ReleaseTimeout
	if err := c.client.do(ctx, r); err != nil {
		return s, err
	}
	now := c.session(answer)
	if now.Endpoint == "" {
		now.Endpoint = s.Endpoint
	}
	return c.client.renewed(s, now, "")
}

// Release implements [Provider].
func (c *CDP) Release(ctx context.Context, id string) error {
	r := request{op: opRelease, method: c.service.ReleaseMethod, path: withID(c.service.ReleaseURL, id), timeout: ReleaseTimeout}
	if c.service.ReleaseBody != nil {
		r.body = mapTexts(c.service.ReleaseBody, func(text string) string { return strings.ReplaceAll(text, "{id}", id) })
	}
	return released(c.client.do(ctx, r))
}

func withID(at, id string) string { return strings.ReplaceAll(at, "{id}", url.PathEscape(id)) }

func (c *CDP) session(answer any) Session {
	return Session{
		ID: textAt(answer, c.service.ID), Endpoint: textAt(answer, c.service.Endpoint),
		LiveView: textAt(answer, c.service.LiveView), ExpiresAt: timeAt(answer, c.service.ExpiresAt),
	}
}

// at finds what a JSON Pointer points to; nil if there is nothing, or the pointer is empty.
//
// https://www.rfc-editor.org/rfc/rfc6901
func at(value any, pointer string) any {
	if pointer == "" {
		return nil
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		switch in := value.(type) {
		case map[string]any:
			value = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			value = in[i]
		default:
			return nil
		}
	}
	return value
}

// textAt is the text, or the whole number, that a pointer points to.
func textAt(value any, pointer string) string {
	switch v := at(value, pointer).(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func timeAt(value any, pointer string) time.Time {
	switch v := at(value, pointer).(type) {
	case string:
		return moment(v)
	case float64:
		return time.Unix(int64(v), 0)
	}
	return time.Time{}
}

// reference is a variable in a text.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// filling replaces references by variables, and remembers what it used.
type filling struct {
	getenv               func(string) string
	names, used, missing []string
}

func (f *filling) text(text string) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-1]
		value := ""
		if f.getenv != nil {
			value = f.getenv(name)
		}
		if value == "" {
			f.missing = append(f.missing, name)
			return ""
		}
		f.names, f.used = append(f.names, name), append(f.used, value)
		return value
	})
}

func (f *filling) object(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	return mapTexts(object, f.text).(map[string]any)
}

// mapTexts returns a copy of a JSON value with other texts.
func mapTexts(value any, to func(string) string) any {
	switch v := value.(type) {
	case string:
		return to(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = mapTexts(item, to)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = mapTexts(item, to)
		}
		return out
	}
	return value
}
