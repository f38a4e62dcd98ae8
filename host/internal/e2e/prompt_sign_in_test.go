package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// provider is an identity provider at localhost, for pages at 127.0.0.1.
type provider struct {
	*world
	*shared.Provider
}

func newProvider(w *world) *provider {
	p := &provider{w, shared.NewProvider(func(path string, h http.HandlerFunc) { w.server.Handle(path, h) }, w.url("localhost", ""), w.url("127.0.0.1", ""))}
	w.open("/login")
	return p
}

// shop loads a page that asks to sign in once its button is clicked, and clicks that.
func (p *provider) shop(mode string) (host.Tab, *host.SignIn) {
	p.t.Helper()
	tab := p.Tab("")
	if _, err := tab.Navigate(p.ctx, p.url("127.0.0.1", "/shop?mode="+mode), nil); err != nil {
		p.t.Fatal(err)
	}
	if _, err := tab.Click(p.ctx, host.BySelector("#in"), nil); err != nil {
		p.t.Fatal(err)
	}
	return tab, p.signIn("")
}

// signIn waits for a dialog to sign in other than the one before it.
func (p *provider) signIn(before string) *host.SignIn {
	p.t.Helper()
	s := p.await("a dialog to sign in", func(s *host.Snapshot) bool { return len(s.SignIns()) > 0 && s.SignIns()[0].ID != before })
	return s.SignIns()[0]
}

// got is what the page got.
func (p *provider) got(tab host.Tab, want string) {
	p.t.Helper()
	got, err := tab.Evaluate(p.ctx, "ended", &host.EvaluateOptions{AwaitPromise: true})
	if err != nil || string(got.Value) != strconv.Quote(want) {
		p.t.Errorf("the page got %s, %v, want %q", got.Value, err, want)
	}
}

// answer answers the dialog that is open.
func (p *provider) answer(r host.SignInResponse) host.SignIn {
	p.t.Helper()
	in, err := p.RespondSignIn(p.ctx, r)
	if err != nil {
		p.t.Fatal(err)
	}
	return in
}

func (p *provider) clicks(tab host.Tab) {
	p.t.Helper()
	if _, err := tab.Click(p.ctx, host.BySelector("#b"), nil); err != nil {
		p.t.Error(err)
	}
}

// A page that asks after a click gets no input until the dialog is answered; one that asks by itself does.
func TestADialogToSignInIsAnswered(t *testing.T) {
	p := newProvider(newWorld(t, nil, host.TaskOptions{}))
	for mode, deaf := range map[string]bool{"active": true, "passive": false} {
		t.Run(mode, func(t *testing.T) {
			p := &provider{p.in(t), p.Provider}
			tab, in := p.shop(mode)
			want(t, "what it asks", in.Kind, host.SignInAccount)
			want(t, "title", in.Title, "Sign in to 127.0.0.1 with localhost")
			want(t, "accounts", len(in.Accounts), 2)
			if _, err := tab.Click(p.unhurried(), host.BySelector("#b"), nil); !deaf && err != nil {
				t.Error(err)
			} else if deaf {
				if wantError(t, err, host.ErrNotDelivered); !strings.Contains(err.Error(), "because the browser asks \"Sign in to 127.0.0.1 with localhost\"") {
					t.Errorf("it does not say what the browser asks: %v", err)
				}
			}
			for _, account := range []string{"", "carol@example.com"} {
				_, err := p.RespondSignIn(p.ctx, host.SignInResponse{Accept: true, Account: account})
				if wantError(t, err, host.ErrBadArguments); !strings.Contains(err.Error(), "ann@example.com") || !strings.Contains(err.Error(), "bob@example.com") {
					t.Errorf("it does not name the accounts: %v", err)
				}
			}
			want(t, "the dialog", p.answer(host.SignInResponse{Accept: true, Account: "BOB@example.com"}).ID, in.ID)
			want(t, "dialogs", len(p.Snapshot().SignIns()), 0)
			p.got(tab, "token of 2")
			p.clicks(tab)
			_, err := p.RespondSignIn(p.ctx, host.SignInResponse{ID: in.ID, Accept: true})
			wantError(t, err, host.ErrNoDialog)
		})
	}
	_, err := p.RespondSignIn(p.ctx, host.SignInResponse{})
	wantError(t, err, host.ErrNoDialog)
	tab, in := p.shop("active")
	_, err = p.RespondSignIn(p.ctx, host.SignInResponse{ID: "d-99"})
	wantError(t, err, host.ErrUnknownDialog)
	p.answer(host.SignInResponse{ID: in.ID})
	p.got(tab, "NetworkError")
	p.clicks(tab)
	_, in = p.shop("active")
	p.open("/login")
	p.await("the end of the dialog", func(s *host.Snapshot) bool { return s.SignIn(in.ID) == nil })
}

// In a browser without a window, input that nothing receives makes the tab stop loading, which closes a dialog for a
// login. It would not close this one, and costs the page its requests.
func TestADialogToSignInLeavesWhatThePageLoads(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	task, err := newHost(t, host.Options{}).Launch(ctx, t.Name(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{site: serve(ctx, t, map[string]string{"/held": "held"}), Task: task, t: t, ctx: ctx}
	p := newProvider(w)
	tab, _ := p.shop("active")
	release := w.hold("/held")
	defer release()
	w.evaluate(`globalThis.loading = fetch("/held").then(() => "loaded", () => "failed"); 0`)
	w.visited("/held", 1)
	_, err = tab.Click(w.unhurried(), host.BySelector("#b"), nil)
	wantError(t, err, host.ErrNotDelivered)
	release()
	want(t, "what the page loaded", w.evaluate("loading"), `"loaded"`)
}

func TestADialogToSignInOfAFrameIsAnswered(t *testing.T) {
	p := newProvider(newWorld(t, nil, host.TaskOptions{}))
	p.open("/framed")
	s := p.await("the frame", func(s *host.Snapshot) bool {
		return len(s.Page().RawFrameTree.Children) == 1 && s.Page().RawFrameTree.Children[0].SessionID != ""
	})
	frame := s.Page().RawFrameTree.Children[0].FrameID
	if _, err := p.Tab("").Click(p.ctx, host.Locator{Selector: "#in", FrameID: frame}, nil); err != nil {
		t.Fatal(err)
	}
	want(t, "dialog over the tab", p.signIn("").ID, p.Snapshot().Page().SignIn.ID)
	p.answer(host.SignInResponse{Accept: true, Account: "1"})
	got, err := p.Tab("").Evaluate(p.ctx, "ended", &host.EvaluateOptions{AwaitPromise: true, Locator: host.Locator{FrameID: frame}})
	if err != nil || string(got.Value) != `"token of 1"` {
		t.Errorf("the frame got %s, %v", got.Value, err)
	}
}

// The browser tells of a dialog that is open to whoever connects.
func TestADialogToSignInOutlivesAConnection(t *testing.T) {
	w, p := newBroken(t, nil)
	shop := newProvider(w)
	tab, before := shop.shop("active")
	events := w.Events(100)
	p.cut()
	w.back(events)
	after := shop.signIn(before.ID)
	want(t, "accounts", len(after.Accounts), 2)
	shop.answer(host.SignInResponse{Accept: true, Account: "Ann Lee"})
	shop.got(tab, "token of 1")
}

// Who is not logged in at the provider any more can do that in a window, and whom it refuses is told.
func TestADialogToSignInLeadsToTheProviderAndTellsOfItsRefusal(t *testing.T) {
	p := newProvider(newWorld(t, nil, host.TaskOptions{}))
	p.LoggedOut.Store(true)
	tab, in := p.shop("passive")
	want(t, "what it asks", in.Kind, host.SignInProvider)
	p.LoggedOut.Store(false)
	p.answer(host.SignInResponse{Accept: true})
	s := p.await("the provider's window", func(s *host.Snapshot) bool {
		return slices.ContainsFunc(s.Targets, func(t host.Target) bool { return strings.HasSuffix(t.URL, "/login") })
	})
	i := slices.IndexFunc(s.Targets, func(t host.Target) bool { return strings.HasSuffix(t.URL, "/login") })
	if _, err := p.Tab(s.Targets[i].ID).Click(p.ctx, host.BySelector("#log"), nil); err != nil {
		t.Fatal(err)
	}
	in = p.signIn(in.ID)
	want(t, "what it asks then", in.Kind, host.SignInAccount)
	p.Refuses.Store(true)
	p.answer(host.SignInResponse{Accept: true, Account: "1"})
	in = p.signIn(in.ID)
	want(t, "what it says", in.Kind, host.SignInError)
	p.answer(host.SignInResponse{Accept: true})
	p.got(tab, "IdentityCredentialError")
}
