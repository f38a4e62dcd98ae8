package provider_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
)

// service describes the fake's service of its own.
func service(s *providertest.Server) *provider.Service {
	return &provider.Service{
		URL: s.URL + "/rent", Headers: map[string]string{"Authorization": "Bearer ${RENT_TOKEN}"},
		Body: map[string]any{"region": "eu", "stealth": true},
		ID:   "/browser/name", Endpoint: "/browser/sockets/0", ExpiresAt: "/browser/until", LiveView: "/browser/watch",
		RenewURL: s.URL + "/rent/{id}", KeepAliveURL: s.URL + "/rent/{id}/longer",
		ReleaseURL: s.URL + "/rent/{id}/end", ReleaseMethod: http.MethodPost, ReleaseBody: map[string]any{"reason": "done", "of": "{id}"},
		Getenv: s.Getenv,
	}
}

// hosted are the providers of services, with the requests that renting, renewing and releasing a browser takes.
var hosted = map[string][]providertest.Request{
	"browserbase": {
		{Line: "POST /v1/sessions", Body: `{"browserSettings":{"advancedStealth":false},"keepAlive":true,"projectId":"project-1","proxies":true}`},
		{Line: "GET /v1/sessions/{id}"},
		{Line: "POST /v1/sessions/{id}", Body: `{"projectId":"project-1","status":"REQUEST_RELEASE"}`},
	},
	"browser-use": {
		{Line: "POST /api/v3/browsers", Body: `{}`},
		{Line: "GET /api/v3/browsers/{id}"},
		{Line: "PATCH /api/v3/browsers/{id}", Body: `{"action":"stop"}`},
	},
	"firecrawl": {
		{Line: "POST /v2/browser", Body: `{"ttl":300}`},
		{Line: "GET /v2/browser?status=active"},
		{Line: "DELETE /v2/browser/{id}"},
	},
	"cdp": {
		{Line: "POST /rent", Body: `{"region":"eu","stealth":true}`},
		{Line: "GET /rent/{id}"},
		{Line: "POST /rent/{id}/end", Body: `{"of":"{id}","reason":"done"}`},
	},
}

// each runs a test with every provider.
func each(t *testing.T, do func(t *testing.T, s *providertest.Server, p provider.Provider)) {
	for name := range hosted {
		t.Run(name, func(t *testing.T) {
			s := providertest.New(t, "")
			do(t, s, provider.Choose(name, s.Getenv, service(s)))
		})
	}
}

// keepsSecrets checks that a text has no key and no signed endpoint.
func keepsSecrets(t *testing.T, s *providertest.Server, text string) {
	t.Helper()
	for _, secret := range s.Secrets() {
		if strings.Contains(text, secret) {
			t.Errorf("%q has the secret %s", text, secret)
		}
	}
}

func TestABrowserIsRentedRenewedAndReleased(t *testing.T) {
	each(t, func(t *testing.T, s *providertest.Server, p provider.Provider) {
		rented, err := p.Create(t.Context(), provider.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if left := time.Until(rented.ExpiresAt); left < 59*time.Minute || left > time.Hour || !strings.Contains(rented.LiveView, rented.ID) {
			t.Errorf("it ends in %v and is shown at %q", left, rented.LiveView)
		}
		renewed, err := p.Renew(t.Context(), rented)
		if err != nil || renewed.ID != rented.ID || renewed.Endpoint == rented.Endpoint || renewed.LiveView != rented.LiveView {
			t.Errorf("renewed it is %v, %v", renewed, err)
		}
		if running := s.Running(); !reflect.DeepEqual(running, []string{rented.ID}) {
			t.Errorf("the service runs %v", running)
		}
		if err := p.Release(t.Context(), rented.ID); err != nil || len(s.Running()) > 0 {
			t.Errorf("released with %v, the service runs %v", err, s.Running())
		}
		if got := s.Requests(); !reflect.DeepEqual(got, hosted[p.Name()]) {
			t.Errorf("the service got\n%v, want\n%v", got, hosted[p.Name()])
		}
		var logged strings.Builder
		slog.New(slog.NewTextHandler(&logged, nil)).Info("rented", "session", rented)
		keepsSecrets(t, s, fmt.Sprintf("%v %+v %#v %s %s", rented, rented, rented, rented, logged.String()))
		keepsSecrets(t, s, fmt.Sprintf("%v %+v %#v", p, p, p))
	})
}

func TestASessionThatHasEndedIsToldFromAFailure(t *testing.T) {
	each(t, func(t *testing.T, s *providertest.Server, p provider.Provider) {
		rented, err := p.Create(t.Context(), provider.Request{})
		if err != nil {
			t.Fatal(err)
		}
		s.Fail(providertest.Status(http.StatusBadRequest))
		if _, err := p.Renew(t.Context(), rented); !errors.Is(err, fault.ErrProvider) || errors.Is(err, fault.ErrProviderSessionExpired) {
			t.Errorf("a failure gives %v", err)
		}
		s.End()
		if p.Name() == provider.NameCDP { // whose answers have no status
			s.Fail(providertest.Status(http.StatusNotFound))
		}
		if _, err := p.Renew(t.Context(), rented); !errors.Is(err, fault.ErrProviderSessionExpired) || !errors.Is(err, fault.ErrBrowserGone) {
			t.Errorf("a session that has ended gives %v", err)
		}
		for _, status := range []int{http.StatusNotFound, http.StatusGone, http.StatusConflict, http.StatusCreated, http.StatusNoContent} {
			s.Fail(providertest.Status(status))
			if err := p.Release(t.Context(), rented.ID); err != nil {
				t.Errorf("a release that is answered with %d gives %v", status, err)
			}
		}
	})
}

func TestFailuresOfAService(t *testing.T) {
	for name, c := range map[string]struct {
		faults    []providertest.Fault
		want      string // in the error; empty: it works in the end
		requests  int
		running   int
		uncertain bool
	}{
		"a wrong key":            {[]providertest.Fault{providertest.Status(401)}, "check the key in ", 1, 0, false},
		"no money":               {[]providertest.Fault{providertest.Status(402), providertest.Status(402), providertest.Status(402)}, "402", -1, 0, false},
		"a conflict":             {[]providertest.Fault{providertest.Status(409)}, "HTTP status 409 (Conflict): no, for [redacted]", 1, 0, false},
		"busy":                   {[]providertest.Fault{providertest.Status(429, "Retry-After", "0")}, "", 2, 1, false},
		"busy for too long":      {[]providertest.Fault{providertest.Status(429, "Retry-After", "3600")}, "429", 1, 0, false},
		"broken for a moment":    {[]providertest.Fault{providertest.Status(503, "Retry-After", "0"), providertest.Status(500)}, "", 3, 1, false},
		"no JSON":                {[]providertest.Fault{providertest.Malformed}, "not the JSON", 1, 0, true},
		"lost after the request": {[]providertest.Fault{providertest.Lost}, "a browser may have been rented nevertheless", 1, 1, true},
		"a redirect":             {[]providertest.Fault{providertest.Status(307, "Location", "/elsewhere")}, "307", 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *providertest.Server, p provider.Provider) {
				s.Fail(c.faults...)
				rented, err := p.Create(t.Context(), provider.Request{})
				var known *provider.Error
				switch {
				case c.want == "" && err != nil:
					t.Fatal(err)
				case c.want != "" && (!errors.As(err, &known) || !strings.Contains(err.Error(), c.want) || known.Uncertain != c.uncertain):
					t.Errorf("the error is %#v, rented %v", err, rented)
				case known != nil:
					keepsSecrets(t, s, err.Error())
				}
				if got := len(s.Requests()); c.requests > 0 && got != c.requests || len(s.Running()) != c.running {
					t.Errorf("%d requests, %d run; want %d, %d", got, len(s.Running()), c.requests, c.running)
				}
			})
		})
	}
}

func TestAServiceThatDoesNotAnswerIsGivenUp(t *testing.T) {
	each(t, func(t *testing.T, s *providertest.Server, p provider.Provider) {
		ctx, cancel := context.WithCancel(t.Context())
		s.Fail(providertest.Slow)
		go func() {
			s.Await(func() bool { return len(s.Requests()) == 1 })
			cancel()
		}()
		var known *provider.Error
		if _, err := p.Create(ctx, provider.Request{}); !errors.As(err, &known) || !known.Uncertain || known.Reason != "no answer in time" {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestWhatAPlanLacksIsDoneWithout(t *testing.T) {
	s := providertest.New(t, "")
	p := provider.Choose(provider.NameBrowserbase, s.Getenv, nil)
	s.Lack("keepAlive", "proxies")
	rented, err := p.Create(t.Context(), provider.Request{Lifetime: 90*time.Second + time.Millisecond})
	if err != nil || len(rented.Notes) != 2 {
		t.Fatalf("rented %v with notes %q, %v", rented, rented.Notes, err)
	}
	want := []providertest.Request{}
	for _, features := range []string{`"keepAlive":true,"projectId":"project-1","proxies":true`, `"keepAlive":false,"projectId":"project-1","proxies":true`,
		`"keepAlive":false,"projectId":"project-1","proxies":false`} {
		want = append(want, providertest.Request{Line: "POST /v1/sessions", Body: `{"browserSettings":{"advancedStealth":false},` + features + `,"timeout":91}`})
	}
	if got := s.Requests(); !reflect.DeepEqual(got, want) {
		t.Errorf("the service got\n%v, want\n%v", got, want)
	}
}

func TestOnlyOneServiceCanMakeASessionLonger(t *testing.T) {
	each(t, func(t *testing.T, s *providertest.Server, p provider.Provider) {
		s.Lifetime(time.Minute)
		rented, err := p.Create(t.Context(), provider.Request{})
		if err != nil {
			t.Fatal(err)
		}
		longer, err := p.KeepAlive(t.Context(), rented)
		if p.Name() != provider.NameCDP {
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("the error is %v", err)
			}
			return
		}
		if err != nil || longer.ID != rented.ID || time.Until(longer.ExpiresAt) < 50*time.Minute {
			t.Errorf("it ends at %v, %v", longer.ExpiresAt, err)
		}
	})
}

func TestAnAnswerThatLacksTheEndpointIsReleased(t *testing.T) {
	s := providertest.New(t, "")
	of := service(s)
	of.Endpoint = "/browser/sockets/1"
	if _, err := provider.Choose(provider.NameCDP, s.Getenv, of).Create(t.Context(), provider.Request{}); err == nil || len(s.Running()) > 0 {
		t.Errorf("the error is %v, the service runs %v", err, s.Running())
	}
}
