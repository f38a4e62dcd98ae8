package provider

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"time"
)

// BrowserbaseOptions configures [NewBrowserbase].
type BrowserbaseOptions struct {
	// Key is the API key. It is required.
	Key string
	// ProjectID is the project that sessions belong to; empty: that of the key.
	ProjectID string
	// BaseURL is the address of the API. Default https://api.browserbase.com.
	BaseURL string
	// NoKeepAlive lets the service end a session with its connection, so that a lost one cannot be restored.
	NoKeepAlive bool
	// NoProxies sends the browser's requests from the service's own addresses.
	NoProxies bool
	// AdvancedStealth asks for a browser that is harder to recognize.
	AdvancedStealth bool
	// Timeout is how long a session may last. 0: as the project is configured.
	Timeout time.Duration
}

// Browserbase rents browsers from Browserbase.
//
// https://docs.browserbase.com/reference/api
type Browserbase struct {
	client  *client
	options BrowserbaseOptions // without the key
}

var _ Provider = (*Browserbase)(nil)

// NewBrowserbase returns the provider. It sends nothing yet. The error says that the URL cannot be used.
func NewBrowserbase(o BrowserbaseOptions) (*Browserbase, error) {
	c, err := newClient(NameBrowserbase, cmp.Or(o.BaseURL, "https://api.browserbase.com"), "X-BB-API-Key", "", o.Key, envBrowserbaseKey)
	if err != nil {
		return nil, err
	}
	o.Key = ""
	return &Browserbase{client: c, options: o}, nil
}

// Name implements [Provider].
func (b *Browserbase) Name() string { return NameBrowserbase }

// browserbaseCreate is the body of a request for a session.
type browserbaseCreate struct {
	ProjectID string `json:"projectId,omitempty"`
	KeepAlive bool   `json:"keepAlive"`
	Proxies   bool   `json:"proxies"`
	Timeout   int    `json:"timeout,omitempty"` // seconds
	Settings  struct {
		AdvancedStealth bool `json:"advancedStealth"`
	} `json:"browserSettings"`
}

// browserbaseSession is what the service says about a session.
type browserbaseSession struct {
	ID         string `json:"id"`
	ConnectURL string `json:"connectUrl"`
	ExpiresAt  string `json:"expiresAt"`
	Status     string `json:"status"`
}

func (s browserbaseSession) session() Session {
	return Session{
		ID: s.ID, Endpoint: s.ConnectURL, ExpiresAt: moment(s.ExpiresAt), LiveView: "https://www.browserbase.com/sessions/" + url.PathEscape(s.ID),
	}
}

// Create implements [Provider]. Where the plan has no sessions that outlive their connection, or no proxies (402), it
// does without them, and notes that.
func (b *Browserbase) Create(ctx context.Context, r Request) (Session, error) {
	ctx, cancel := context.WithTimeout(ctx, CreateTimeout)
	defer cancel()
	ask := browserbaseCreate{
		ProjectID: b.options.ProjectID, KeepAlive: !b.options.NoKeepAlive, Proxies: !b.options.NoProxies,
		Timeout: int(math.Ceil(cmp.Or(r.Lifetime, b.options.Timeout).Seconds())),
	}
	ask.Settings.AdvancedStealth = b.options.AdvancedStealth
	var notes []string
	for {
		var answer browserbaseSession
		err := b.client.do(ctx, request{op: opCreate, method: http.MethodPost, path: "/v1/sessions", body: ask, answer: &answer, timeout: CreateTimeout})
		switch {
		case err == nil:
			s := answer.session()
			s.Notes = notes
			return b.client.created(ctx, s, b.Release)
		case !isStatus(err, http.StatusPaymentRequired):
			return Session{}, err
		case ask.KeepAlive:
			ask.KeepAlive = false
			notes = append(notes, "the plan at browserbase has no keepAlive: a lost connection ends the browser")
		case ask.Proxies:
			ask.Proxies = false
			notes = append(notes, "the plan at browserbase has no proxies: sites see the address of the service")
		default:
			return Session{}, err
		}
	}
}

// Renew implements [Provider].
func (b *Browserbase) Renew(ctx context.Context, s Session) (Session, error) {
	var answer browserbaseSession
	err := b.client.do(ctx, request{op: opRenew, method: http.MethodGet, path: b.path(s.ID), answer: &answer, ended: gone, timeout: ReleaseTimeout})
	if err != nil {
		return s, err
	}
	ended := ""
	if answer.Status != "RUNNING" && answer.Status != "PENDING" {
		ended = answer.Status
	}
	return b.client.renewed(s, answer.session(), ended)
}

// KeepAlive implements [Provider]: the service cannot.
func (b *Browserbase) KeepAlive(_ context.Context, s Session) (Session, error) {
	return s, errors.ErrUnsupported
}

// Release implements [Provider].
func (b *Browserbase) Release(ctx context.Context, id string) error {
	body := struct {
		ProjectID string `json:"projectId,omitempty"`
		Status    string `json:"status"`
	}{b.options.ProjectID, "REQUEST_RELEASE"}
	return released(b.client.do(ctx, request{op: opRelease, method: http.MethodPost, path: b.path(id), body: body, timeout: ReleaseTimeout}))
}

func (b *Browserbase) path(id string) string { return "/v1/sessions/" + url.PathEscape(id) }

// isStatus reports whether an error is an answer with a status.
func isStatus(err error, status int) bool {
	var known *Error
	return errors.As(err, &known) && known.Status == status
}
