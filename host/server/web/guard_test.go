package web

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// bare is a server of a host without tasks.
func bare(t *testing.T) *Server {
	t.Helper()
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	grant := &access.Grant{Name: "agent", Tasks: []string{"*"}, Toolsets: []string{"all"}}
	s := New(Options{
		API: &control.Local{Host: h}, Task: h.Task, Tasks: h.Tasks, Recordings: h.Recordings, OpenRecording: h.OpenRecording,
		Calls: func(string) []agent.CallRecord { return nil }, Log: slog.New(slog.DiscardHandler), Name: "page.example", Charts: hour(t),
		Agents: func(token string) *access.Grant {
			if token == "agents" {
				return grant
			}
			return nil
		},
	})
	t.Cleanup(s.Close)
	return s
}

// ask sends a request, with headers in pairs.
func ask(s *Server, method, path, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://127.0.0.1:9334"+path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// enter follows a new link.
func enter(t *testing.T, s *Server) (cookie *http.Cookie, key string) {
	t.Helper()
	_, code, _ := strings.Cut(s.Link("127.0.0.1:9334").URL, "#code=")
	answer := ask(s, "POST", "/live/login", `{"code":"`+code+`"}`)
	var in struct{ Key string }
	if err := json.NewDecoder(answer.Body).Decode(&in); err != nil || answer.StatusCode != http.StatusOK || len(answer.Cookies()) != 1 {
		t.Fatalf("the login is answered with %s, %v", answer.Status, err)
	}
	if again := ask(s, "POST", "/live/login", `{"code":"`+code+`"}`); again.StatusCode != http.StatusUnauthorized || len(again.Cookies()) != 0 {
		t.Errorf("the link works twice: %s", again.Status)
	}
	return answer.Cookies()[0], in.Key
}

func TestTheLivePageIsForTheOperatorOnly(t *testing.T) {
	s := bare(t)
	cookie, key := enter(t, s)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %v", cookie)
	}
	for _, route := range s.Routes() {
		if route.Role != access.Operator {
			t.Errorf("%s is not for the operator alone", route.Pattern)
		}
		method, path, _ := strings.Cut(route.Pattern, " ")
		path = strings.NewReplacer("{name}", "x", "{id}", "x").Replace(path)
		for who, c := range map[string]struct {
			headers []string
			want    int
		}{
			"nobody":                           {nil, 401},
			"the cookie alone":                 {[]string{"Cookie", cookie.String()}, 401},
			"the key alone":                    {[]string{keyHeader, key}, 401},
			"another key":                      {[]string{"Cookie", cookie.String(), keyHeader, "other"}, 401},
			"an agent":                         {[]string{"Authorization", "Bearer agents"}, 403},
			"an agent with a cookie and a key": {[]string{"Authorization", "Bearer agents", "Cookie", cookie.String(), keyHeader, key}, 403},
			"another token":                    {[]string{"Authorization", "Bearer x", "Cookie", cookie.String(), keyHeader, key}, 401},
			"a page that knows everything":     {[]string{"Origin", "http://127.0.0.1:1", "Cookie", cookie.String(), keyHeader, key}, 403},
			"a name of somebody else's":        {[]string{"Host", "rebound.example", "Cookie", cookie.String(), keyHeader, key}, 403},
		} {
			if got := ask(s, method, path, "{}", c.headers...); got.StatusCode != c.want {
				t.Errorf("%s by %s: %d, want %d", route.Pattern, who, got.StatusCode, c.want)
			}
		}
	}
	if got := ask(s, "GET", "/v1/status", "", "Cookie", cookie.String(), keyHeader, key); got.StatusCode != http.StatusOK {
		t.Errorf("the operator gets %s", got.Status)
	}
}

func TestWhoseRequestsALivePageTakes(t *testing.T) {
	s := bare(t)
	for name, c := range map[string]struct {
		headers []string
		want    int
	}{
		"typed into a browser":           {[]string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		"a link in another page":         {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		"a script of another page":       {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"another port of the same host":  {[]string{"Origin", "http://127.0.0.1:9335"}, 403},
		"another scheme":                 {[]string{"Origin", "https://127.0.0.1:9334"}, 403},
		"its own origin":                 {[]string{"Origin", "http://127.0.0.1:9334"}, 200},
		"no origin at all":               {[]string{"Origin", "null"}, 403},
		"the name that it is served by":  {[]string{"Host", "page.example:9334"}, 200},
		"a name that leads to it":        {[]string{"Host", "127.0.0.1.rebound.example:9334"}, 403},
		"a name that ends like its name": {[]string{"Host", "evilpage.example:9334"}, 403},
		"another address":                {[]string{"Host", "[::1]:9334"}, 200},
	} {
		got := ask(s, "GET", "/", "", c.headers...)
		if got.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, got.Status, c.want)
		}
		for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Security-Policy": policy} {
			if got.Header.Get(header) != want {
				t.Errorf("%s: %s is %q", name, header, got.Header.Get(header))
			}
		}
	}
}

func TestALinkAndASessionEnd(t *testing.T) {
	var s sessions
	now := time.Now()
	late, _ := s.invite(now)
	soon, _ := s.invite(now)
	cookie, key, name, ok := s.enter(soon, now)
	allows := func(cookie, key string, now time.Time) bool {
		got, ok := s.allows(cookie, key, now)
		return ok && got == name
	}
	if !ok || name == "" || strings.Contains(name, cookie) || !allows(cookie, key, now) || allows(key, cookie, now) {
		t.Fatal("a link does not work")
	}
	if _, _, _, ok := s.enter(late, now.Add(codeLife)); ok {
		t.Error("a link does not expire")
	}
	for range 3 {
		if now = now.Add(sessionLife); !allows(cookie, key, now) {
			t.Error("a session that is used ends")
		}
	}
	if allows(cookie, key, now.Add(sessionLife+1)) {
		t.Error("a session that is not used goes on")
	}
}

// The policy allows no inline script and no markup from texts, so the files must need neither.
func TestTheFilesOfThePageAreTheirOwn(t *testing.T) {
	for _, name := range []string{"index.html", "app.js", "api.js", "parts.js", "home.js", "task.js", "plugins.js"} {
		text, err := embedded.ReadFile("assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, foreign := range []string{"innerHTML", "dangerouslySetInnerHTML", "eval(", "document.write", "https://", "http://", "<script>", ` style="`} {
			if bytes.Contains(text, []byte(foreign)) {
				t.Errorf("%s has %s", name, foreign)
			}
		}
	}
}
