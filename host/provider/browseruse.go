package provider

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
)

// BrowserUseOptions configures [NewBrowserUse].
type BrowserUseOptions struct {
	// Key is the API key. It is required.
	Key string
	// BaseURL is the address of the API. Default https://api.browser-use.com/api/v3.
	BaseURL string
}

// BrowserUse rents browsers from Browser Use.
//
// https://docs.browser-use.com/cloud/browser
type BrowserUse struct{ client *client }

var _ Provider = (*BrowserUse)(nil)

// NewBrowserUse returns the provider. It sends nothing yet. The error says that the URL cannot be used.
func NewBrowserUse(o BrowserUseOptions) (*BrowserUse, error) {
	c, err := newClient(NameBrowserUse, cmp.Or(o.BaseURL, "https://api.browser-use.com/api/v3"), "X-Browser-Use-API-Key", "", o.Key, envBrowserUseKey)
	if err != nil {
		return nil, err
	}
	return &BrowserUse{c}, nil
}

// Name implements [Provider].
func (b *BrowserUse) Name() string { return NameBrowserUse }

// browserUseSession is what the service says about a browser. The endpoint has either name.
type browserUseSession struct {
	ID         string `json:"id"`
	CDPURL     string `json:"cdpUrl"`
	ConnectURL string `json:"connectUrl"`
	LiveURL    string `json:"liveUrl"`
	TimeoutAt  string `json:"timeoutAt"`
	Status     string `json:"status"`
}

func (s browserUseSession) session() Session {
	return Session{ID: s.ID, Endpoint: cmp.Or(s.CDPURL, s.ConnectURL), LiveView: s.LiveURL, ExpiresAt: moment(s.TimeoutAt)}
}

// Create implements [Provider].
func (b *BrowserUse) Create(ctx context.Context, r Request) (Session, error) {
	body := struct {
		Timeout int `json:"timeout,omitempty"` // minutes
	}{int(math.Ceil(r.Lifetime.Minutes()))}
	var answer browserUseSession
	err := b.client.do(ctx, request{op: opCreate, method: http.MethodPost, path: "/browsers", body: body, answer: &answer, timeout: CreateTimeout})
	if err != nil {
		return Session{}, err
	}
	return b.client.created(ctx, answer.session(), b.Release)
}

// Renew implements [Provider].
func (b *BrowserUse) Renew(ctx context.Context, s Session) (Session, error) {
	var answer browserUseSession
	err := b.client.do(ctx, request{op: opRenew, method: http.MethodGet, path: b.path(s.ID), answer: &answer, ended: gone, timeout: ReleaseTimeout})
	if err != nil {
		return s, err
	}
	ended := ""
	if answer.Status == "stopped" {
		ended = answer.Status
	}
	return b.client.renewed(s, answer.session(), ended)
}

// KeepAlive implements [Provider]: the service cannot.
func (b *BrowserUse) KeepAlive(_ context.Context, s Session) (Session, error) {
	return s, errors.ErrUnsupported
}

// Release implements [Provider].
func (b *BrowserUse) Release(ctx context.Context, id string) error {
	body := struct {
		Action string `json:"action"`
	}{"stop"}
	return released(b.client.do(ctx, request{op: opRelease, method: http.MethodPatch, path: b.path(id), body: body, timeout: ReleaseTimeout}))
}

func (b *BrowserUse) path(id string) string { return "/browsers/" + url.PathEscape(id) }
