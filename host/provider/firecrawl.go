package provider

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// FirecrawlOptions configures [NewFirecrawl].
type FirecrawlOptions struct {
	// Key is the API key. It is required.
	Key string
	// BaseURL is the address of the API. Default https://api.firecrawl.dev.
	BaseURL string
	// TTL is how long a session may last. Default 300 s.
	TTL time.Duration
}

// Firecrawl rents browsers from Firecrawl.
//
// https://docs.firecrawl.dev/api-reference/endpoint/browser-create
type Firecrawl struct {
	client *client
	ttl    time.Duration
}

var _ Provider = (*Firecrawl)(nil)

// NewFirecrawl returns the provider. It sends nothing yet. The error says that the URL cannot be used.
func NewFirecrawl(o FirecrawlOptions) (*Firecrawl, error) {
	c, err := newClient(NameFirecrawl, cmp.Or(o.BaseURL, "https://api.firecrawl.dev"), "Authorization", "Bearer ", o.Key, envFirecrawlKey)
	if err != nil {
		return nil, err
	}
	return &Firecrawl{client: c, ttl: cmp.Or(o.TTL, 300*time.Second)}, nil
}

// Name implements [Provider].
func (f *Firecrawl) Name() string { return NameFirecrawl }

// firecrawlSession is what the service says about a session.
type firecrawlSession struct {
	ID        string `json:"id"`
	CDPURL    string `json:"cdpUrl"`
	LiveView  string `json:"liveViewUrl"`
	ExpiresAt string `json:"expiresAt"`
}

func (s firecrawlSession) session() Session {
	return Session{ID: s.ID, Endpoint: s.CDPURL, LiveView: s.LiveView, ExpiresAt: moment(s.ExpiresAt)}
}

// Create implements [Provider].
func (f *Firecrawl) Create(ctx context.Context, r Request) (Session, error) {
	body := struct {
		TTL int `json:"ttl"` // seconds
	}{int(math.Ceil(cmp.Or(r.Lifetime, f.ttl).Seconds()))}
	var answer firecrawlSession
	err := f.client.do(ctx, request{op: opCreate, method: http.MethodPost, path: firecrawlPath, body: body, answer: &answer, timeout: CreateTimeout})
	if err != nil {
		return Session{}, err
	}
	return f.client.created(ctx, answer.session(), f.Release)
}

// Renew implements [Provider]. The service shows sessions only in its list of those that run.
func (f *Firecrawl) Renew(ctx context.Context, s Session) (Session, error) {
	var answer struct {
		Sessions []firecrawlSession `json:"sessions"`
	}
	err := f.client.do(ctx, request{op: opRenew, method: http.MethodGet, path: firecrawlPath + "?status=active", answer: &answer, timeout: ReleaseTimeout})
	if err != nil {
		return s, err
	}
	at := slices.IndexFunc(answer.Sessions, func(one firecrawlSession) bool { return one.ID == s.ID })
	if at < 0 {
		return f.client.renewed(s, Session{}, "it is not among those that run")
	}
	return f.client.renewed(s, answer.Sessions[at].session(), "")
}

// KeepAlive implements [Provider]: the service cannot.
func (f *Firecrawl) KeepAlive(_ context.Context, s Session) (Session, error) {
	return s, errors.ErrUnsupported
}

// Release implements [Provider].
func (f *Firecrawl) Release(ctx context.Context, id string) error {
	return released(f.client.do(ctx, request{op: opRelease, method: http.MethodDelete, path: firecrawlPath + "/" + url.PathEscape(id), timeout: ReleaseTimeout}))
}

const firecrawlPath = "/v2/browser"
