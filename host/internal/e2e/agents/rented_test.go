package agents

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
)

// The requests of a task that loses its connection once: a browser is rented, its endpoint renewed, and the session
// released, each once.
var rentedRequests = map[string][]string{
	"browserbase": {"POST /v1/sessions", "GET /v1/sessions/{id}", "POST /v1/sessions/{id}"},
	"browser-use": {"POST /api/v3/browsers", "GET /api/v3/browsers/{id}", "PATCH /api/v3/browsers/{id}"},
	"firecrawl":   {"POST /v2/browser", "GET /v2/browser?status=active", "DELETE /v2/browser/{id}"},
	"cdp":         {"POST /rent", "GET /rent/{id}", "POST /rent/{id}/end"},
}

// renter is a user whose browser is rented from a fake service.
type renter struct {
	*user
	service *providertest.Server
	leases  string // the directory of the journal
	logged  *safeBuffer
}

// newService is a fake service with a browser of its own, and the provider that rents from it.
func newService(t *testing.T, named string, lifetime time.Duration) (*providertest.Server, provider.Provider) {
	t.Helper()
	browser, _ := shared.Own(t)
	service := providertest.New(t, browser)
	service.Lifetime(lifetime)
	return service, provider.Choose(named, service.Getenv, &provider.Service{
		URL: service.URL + "/rent", Headers: map[string]string{"Authorization": "Bearer ${RENT_TOKEN}"}, Getenv: service.Getenv,
		ID: "/browser/name", Endpoint: "/browser/sockets/0", ExpiresAt: "/browser/until", LiveView: "/browser/watch",
		RenewURL: service.URL + "/rent/{id}", KeepAliveURL: service.URL + "/rent/{id}/longer",
		ReleaseURL: service.URL + "/rent/{id}/end", ReleaseMethod: http.MethodPost,
	})
}

// newRenter starts a host whose tools rent their browser from a provider of the service when they need it.
func newRenter(t *testing.T, named string, lifetime time.Duration) *renter {
	t.Helper()
	service, p := newService(t, named, lifetime)
	r := &renter{service: service, leases: filepath.Join(t.TempDir(), "leases"), logged: &safeBuffer{}}
	b := newBench(t, "", host.Options{
		Rental: host.RentalOptions{Journal: r.leases, Providers: []provider.Provider{p}}, Logger: slog.New(slog.NewTextHandler(r.logged, nil)),
	})
	open := func(ctx context.Context, id string) (*host.Task, error) {
		return b.host.Rent(ctx, id, &host.RentOptions{Provider: p}, &host.TaskOptions{DialogPolicy: "must_respond"})
	}
	registry, err := agent.New(b.host, agent.Options{Toolsets: agent.Toolsets{Use: []string{everyTool}}, Browser: b.options, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	b.registry = registry
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	task, err := open(ctx, t.Name())
	if err != nil {
		t.Fatal(err)
	}
	r.user = &user{bench: b, Task: task, t: t, ctx: ctx}
	return r
}

// open shows a page with a button that asks.
func (r *renter) open() agent.Result {
	r.t.Helper()
	return r.good("browser_navigate", arguments{"url": "data:text/html,<button onclick=\"document.title='sure: '+confirm('Sure?')\">Ask</button>"})
}

// keepsSecrets checks that no key and no signed endpoint is in what was logged, in the journal, or in more texts.
func (r *renter) keepsSecrets(more ...string) {
	r.t.Helper()
	texts := append(more, r.logged.String())
	files, _ := filepath.Glob(filepath.Join(r.leases, "*"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			r.t.Error(err)
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		for _, secret := range r.service.Secrets() {
			if strings.Contains(text, secret) {
				r.t.Errorf("the secret %s is in %s", secret, text)
			}
		}
	}
}

func TestATaskOnEachProvider(t *testing.T) {
	for name, requests := range rentedRequests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRenter(t, name, time.Hour)
			r.open()
			blocked := r.bad("browser_click", arguments{"role": "button", "name": "Ask"}, "blocked_by_dialog")
			r.good("browser_dialog", arguments{"action": "accept"})
			r.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")})

			events := r.Events(100)
			r.service.Cut()
			for e := range events.C {
				if e.Kind == host.EventReconnected {
					break
				}
			}
			if shown := r.good("browser_snapshot", nil); !strings.Contains(shown.Text, "sure: true") {
				t.Errorf("after the loss the page is %s", show(shown))
			}
			rented := r.Rented()
			if running := r.service.Running(); rented.Provider != name || !reflect.DeepEqual(running, []string{rented.SessionID}) || rented.ExpiresAt.IsZero() || rented.LiveView == "" {
				t.Errorf("the task says %+v, the service runs %v", rented, running)
			}
			r.keepsSecrets(shared.Dump(rented), shared.Dump(r.Snapshot()))
			if err := r.Task.Close(r.ctx); err != nil {
				t.Error(err)
			}
			var lines []string
			for _, one := range r.service.Requests() {
				lines = append(lines, one.Line)
			}
			if !reflect.DeepEqual(lines, requests) || len(r.service.Running()) > 0 {
				t.Errorf("the service got %v, want %v, and runs %v", lines, requests, r.service.Running())
			}
			r.keepsSecrets()
		})
	}
}

// What a task may reach holds in a rented browser, also after its connection was lost, and in the one that is started
// because none could be rented.
func TestARentedBrowserReachesOnlyWhatItsTaskAllows(t *testing.T) {
	for name, fails := range map[string]bool{"rented": false, "started instead": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var came atomic.Int64
			site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
			t.Cleanup(site.Close)
			service, p := newService(t, provider.NameCDP, time.Hour)
			if fails {
				service.Fail(providertest.Status(http.StatusUnauthorized), providertest.Status(http.StatusUnauthorized))
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
			t.Cleanup(cancel)
			task, err := common.NewHost(t, host.Options{}).Rent(ctx, t.Name(), &host.RentOptions{Provider: p, Fallback: &host.LaunchOptions{Executable: hosttest.Executable(t)}},
				&host.TaskOptions{Network: host.RequestNetwork{Allow: []string{"public"}}})
			if err != nil {
				t.Fatal(err)
			}
			refused := func() {
				t.Helper()
				if _, err := task.Tab("").Navigate(ctx, site.URL, nil); !errors.Is(err, host.ErrNetworkRefused) {
					t.Errorf("the navigation: %v, want %s", err, host.ErrNetworkRefused)
				}
				value, err := task.Tab("").Evaluate(ctx, "fetch('"+site.URL+"', {mode: 'no-cors'}).then(() => 'arrived', () => 'failed')", &host.EvaluateOptions{AwaitPromise: true})
				if err != nil || string(value.Value) != `"failed"` {
					t.Errorf("the request of a script: %s, %v", value.Value, err)
				}
			}
			refused()
			if !fails {
				events := task.Events(100)
				service.Cut()
				for e := range events.C {
					if e.Kind == host.EventReconnected {
						break
					}
				}
				refused()
			}
			if got := came.Load(); got > 0 || fails != (task.Fallback() != "") {
				t.Errorf("%d requests arrived, the fallback is %q", got, task.Fallback())
			}
		})
	}
}

func TestATaskWhoseProviderFailsHasALocalBrowserAndSaysWhy(t *testing.T) {
	t.Parallel()
	r := &renter{user: &user{t: t}, service: providertest.New(t, ""), logged: &safeBuffer{}}
	r.service.Fail(providertest.Status(http.StatusUnauthorized), providertest.Status(http.StatusUnauthorized))
	h := common.NewHost(t, host.Options{Logger: slog.New(slog.NewTextHandler(r.logged, nil))})
	p := provider.Choose("", r.service.Getenv, nil)
	_, strict := h.Rent(t.Context(), "strict", &host.RentOptions{Provider: p}, nil)
	if !errors.Is(strict, host.ErrProvider) || !strings.Contains(strict.Error(), "BROWSERBASE_API_KEY") {
		t.Fatalf("without a fallback the error is %v", strict)
	}
	registry, err := agent.New(h, agent.Options{Toolsets: agent.Toolsets{Use: []string{everyTool}}, Open: func(ctx context.Context, id string) (*host.Task, error) {
		return h.Rent(ctx, id, &host.RentOptions{Provider: p, Fallback: &host.LaunchOptions{Executable: hosttest.Executable(t)}}, nil)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	first, _ := registry.Call(t.Context(), agent.Call{Task: "t", Name: "browser_navigate", Arguments: []byte(`{"url":"data:text/html,local"}`)})
	second, _ := registry.Call(t.Context(), agent.Call{Task: "t", Name: "browser_snapshot"})
	why := "this is a local browser, as none could be rented: browserbase: create failed: HTTP status 401"
	if warnings := lookUp(t, first, "warnings.0"); !strings.Contains(warnings, why) || !strings.HasPrefix(first.Text, "warning: "+why) || first.IsError {
		t.Errorf("the first result is %s", show(first))
	}
	if lookUp(t, second, "warnings") != "null" {
		t.Errorf("the second result repeats it: %s", show(second))
	}
	task := h.Task("t")
	if !task.Launched() || task.Rented() != nil || !strings.Contains(task.Fallback(), "401") {
		t.Errorf("launched %v, rented %v, fallback %q", task.Launched(), task.Rented(), task.Fallback())
	}
	r.keepsSecrets(strict.Error(), first.Text, shared.Dump(first.Structured), task.Fallback())
}

func TestASessionThatHasEndedIsATypedErrorAndTheNextCallRentsAnother(t *testing.T) {
	t.Parallel()
	r := newRenter(t, provider.NameFirecrawl, time.Hour)
	r.open()
	r.service.End()
	<-r.Done()
	if _, err := r.Tab("").Evaluate(r.ctx, "1", nil); !errors.Is(err, host.ErrProviderSessionExpired) || !errors.Is(err, host.ErrBrowserGone) {
		t.Errorf("a call after the end gives %v", err)
	}
	again := r.open()
	if reason := lookUp(t, again, "restarted.reason"); !strings.Contains(reason, "the session has ended") {
		t.Errorf("the first result on the next browser is %s", show(again))
	}
	r.Task = r.host.Task(r.ID())
}

func TestASessionIsExtendedOrItsEndIsAnnounced(t *testing.T) {
	t.Parallel()
	for name, extended := range map[string]bool{"cdp": true, "browserbase": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRenter(t, name, 8*time.Second)
			if extended {
				r.service.Await(func() bool {
					return strings.HasSuffix(r.service.Requests()[len(r.service.Requests())-1].Line, "/longer")
				})
				r.open()
				if left := time.Until(r.Rented().ExpiresAt); left < 30*time.Minute || len(r.Notices()) > 0 {
					t.Errorf("it ends in %v, notices %q", left, r.Notices())
				}
				return
			}
			<-r.Done()
			if notices := r.Notices(); len(notices) != 1 || !strings.Contains(notices[0], "the rented browser ends at ") {
				t.Errorf("the notices are %q", notices)
			}
			if _, err := r.Tab("").Evaluate(r.ctx, "1", nil); !errors.Is(err, host.ErrProviderSessionExpired) {
				t.Errorf("a call after the end gives %v", err)
			}
			r.service.Await(func() bool { return len(r.service.Running()) == 0 })
		})
	}
}

func TestABrowserThatIsRentedTooLateIsReleased(t *testing.T) {
	t.Parallel()
	service := providertest.New(t, "")
	proceed := make(chan struct{})
	service.Fail(providertest.Delay(proceed))
	h := common.NewHost(t, host.Options{Rental: host.RentalOptions{Journal: t.TempDir()}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := h.Rent(ctx, "impatient", &host.RentOptions{Provider: provider.Choose("", service.Getenv, nil), Fallback: &host.LaunchOptions{}}, nil)
		ended <- err
	}()
	service.Await(func() bool { return len(service.Requests()) == 1 })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the start ends with %v", err)
	}
	close(proceed)
	service.Await(func() bool { return len(service.Requests()) == 2 && len(service.Running()) == 0 })
}

func TestASessionThatCannotBeRecordedIsNotUsed(t *testing.T) {
	t.Parallel()
	service := providertest.New(t, "")
	file := filepath.Join(t.TempDir(), "no-directory")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := common.NewHost(t, host.Options{Rental: host.RentalOptions{Journal: file}})
	_, err := h.Rent(t.Context(), "unrecorded", &host.RentOptions{Provider: provider.Choose("", service.Getenv, nil)}, nil)
	if !errors.Is(err, host.ErrProvider) || !strings.Contains(err.Error(), "cannot be recorded") || len(service.Running()) > 0 {
		t.Errorf("the error is %v, the service runs %v", err, service.Running())
	}
}

func TestAReleaseThatFailsIsTriedAgainByTheNextHost(t *testing.T) {
	t.Parallel()
	r := newRenter(t, provider.NameBrowserUse, time.Hour)
	r.service.Fail(providertest.Status(http.StatusBadRequest))
	if err := r.host.Close(r.ctx); !errors.Is(err, host.ErrProvider) || len(r.service.Running()) != 1 {
		t.Errorf("the host closes with %v, the service runs %v", err, r.service.Running())
	}
	common.NewHost(t, host.Options{Rental: host.RentalOptions{Journal: r.leases}}) // without the key
	common.NewHost(t, host.Options{Rental: host.RentalOptions{Journal: r.leases, Providers: []provider.Provider{provider.Choose(provider.NameBrowserUse, r.service.Getenv, nil)}}})
	r.service.Await(func() bool { return len(r.service.Running()) == 0 })
	r.keepsSecrets()
}

// safeBuffer is what several goroutines write to.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
