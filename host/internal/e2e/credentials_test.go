package e2e

import (
	"crypto/md5" //nolint:gosec // what RFC 7616 calls MD5 is what browsers know
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// challenged counts the answers to challenges, by host and user.
type challenged struct {
	mu      sync.Mutex
	answers map[string]int
}

func (g *challenged) got(r *http.Request, user string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	name, _, _ := strings.Cut(r.Host, ":")
	g.answers[name+" "+user]++
}

func (g *challenged) count(hostAndUser string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers[hostAndUser]
}

// challenge serves /basic, /bare and /digest to the user "me" with the password "secret", and /away, which leads to
// another host. The refusal of /bare has no body, for which Chromium shows an error page of its own.
func challenge(s *site) *challenged {
	g := &challenged{answers: map[string]int{}}
	basic := func(refusal string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			user, password, given := r.BasicAuth()
			if given {
				g.got(r, user)
			}
			if user != "me" || password != "secret" {
				w.Header().Set("WWW-Authenticate", `Basic realm="basic"`)
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = fmt.Fprint(w, refusal)
				return
			}
			_, _ = fmt.Fprint(w, "<p>for me</p>")
		}
	}
	s.Handle("/basic", basic("<p>for nobody</p>"))
	s.Handle("/bare", basic(""))
	s.Handle("/digest", func(w http.ResponseWriter, r *http.Request) {
		hash := func(text string) string {
			sum := md5.Sum([]byte(text)) //nolint:gosec // as above
			return hex.EncodeToString(sum[:])
		}
		field := func(name string) string {
			m := regexp.MustCompile(`\b` + name + `="?([^",]+)`).FindStringSubmatch(r.Header.Get("Authorization"))
			return append(m, "", "")[1]
		}
		if user := field("username"); user != "" {
			g.got(r, user)
		}
		want := hash(hash("me:digest:secret") + ":n1:" + field("nc") + ":" + field("cnonce") + ":auth:" + hash("GET:"+r.URL.RequestURI()))
		if field("response") != want {
			w.Header().Set("WWW-Authenticate", `Digest realm="digest", nonce="n1", qop="auth", algorithm=MD5`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprint(w, "<p>for me</p>")
	})
	s.Handle("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.url("127.0.0.1", "/basic"), http.StatusFound)
	})
	return g
}

// A server of the origin gets the credentials when it asks for them. Another origin gets none, also in a frame and
// after a redirect.
func TestCredentialsAreForTheirOriginOnly(t *testing.T) {
	s := serve(t.Context(), t, map[string]string{"/framed": `<iframe src="{{127.0.0.1}}/basic"></iframe><iframe src="/basic"></iframe>`})
	g := challenge(s)
	w := newWorldAlone(t, nil, host.TaskOptions{Credentials: map[string]host.Credentials{s.url("localhost", ""): {User: "me", Password: "secret"}}})
	ctx := w.ctx
	for _, path := range []string{"/basic", "/digest"} {
		if _, err := w.Tab("").Navigate(ctx, s.url("localhost", path), nil); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if got := w.evaluate("document.body.innerText"); got != `"for me"` {
			t.Errorf("%s says %s", path, got)
		}
	}
	s.forget()
	if err := commit(ctx, w.Tab(""), s.url("localhost", "/framed")); err != nil {
		t.Fatal(err)
	}
	s.visited("/basic", 2)
	s.forget()
	w.start("location = '" + s.url("localhost", "/away") + "'")
	s.visited("/basic", 1)
	if n := g.count("127.0.0.1 me"); n != 0 {
		t.Errorf("another origin got the credentials %d times", n)
	}
	if g.count("localhost me") < 2 {
		t.Errorf("the origin got the credentials %d times", g.count("localhost me"))
	}
	if _, err := w.Tab("").Navigate(ctx, s.url("127.0.0.1", "/bare"), nil); !errors.Is(err, host.ErrNavigate) || !strings.Contains(fmt.Sprint(err), "have an operator configure them for its origin") {
		t.Errorf("another origin's page without a text: %v", err)
	}
}

// A wrong password is an error that says so. It is sent once: servers lock out who tries again.
func TestAWrongPasswordIsSaidAndSentOnce(t *testing.T) {
	s := serve(t.Context(), t, nil)
	g := challenge(s)
	w := newWorldAlone(t, nil, host.TaskOptions{Credentials: map[string]host.Credentials{s.url("localhost", ""): {User: "wrong", Password: "hidden-password"}}})
	ctx := w.ctx
	for _, path := range []string{"/basic", "/bare", "/basic"} {
		_, err := w.Tab("").Navigate(ctx, s.url("localhost", path), nil)
		if !errors.Is(err, host.ErrCredentials) || strings.Contains(err.Error(), "hidden-password") {
			t.Errorf("%s says: %v", path, err)
		}
	}
	if n := g.count("localhost wrong"); n != 1 {
		t.Errorf("the password was sent %d times", n)
	}
	if _, err := w.Tab("").Navigate(ctx, s.url("localhost", "/empty"), nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestCredentialsWithoutAUserOrAnOriginAreRefused(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	for origin, c := range map[string]host.Credentials{"https://a.example": {Password: "secret"}, "https://secret@a.example": {User: "me"}, "a.example": {User: "me"}} {
		_, err := w.host.Attach(w.ctx, "another", w.address, &host.TaskOptions{Credentials: map[string]host.Credentials{origin: c}})
		if !errors.Is(err, host.ErrBadArguments) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", origin, err)
		}
	}
	with := host.TaskOptions{Credentials: map[string]host.Credentials{"o": {User: "me", Password: "secret"}}}
	if text := fmt.Sprintf("%v %+v %#v", with, with, with); strings.Contains(text, "secret") {
		t.Errorf("they print as %s", text)
	}
}
