package control

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// guarded serves a recording API on a port, for the operator's token only.
func guarded(token string) http.Handler {
	log := slog.New(slog.DiscardHandler)
	nobody := func(string) *access.Grant { return nil }
	return Guard{Token: secret.New(token), Agents: nobody, Log: log}.Port(NewMux(Routes(&recorder{}, log), log))
}

func TestOnlyTheRightTokenFromThisMachinePasses(t *testing.T) {
	handler := guarded("the token")
	for name, c := range map[string]struct {
		host, origin, site, token, method string
		want                              int
	}{
		"the token":                                 {host: "127.0.0.1:9333", token: "Bearer the token", want: 200},
		"by the name localhost":                     {host: "localhost:9333", token: "Bearer the token", want: 200},
		"by the address of IPv6":                    {host: "[::1]:9333", token: "Bearer the token", want: 200},
		"no token":                                  {host: "127.0.0.1:9333", want: 401},
		"another token":                             {host: "127.0.0.1:9333", token: "Bearer another", want: 401},
		"a part of the token":                       {host: "127.0.0.1:9333", token: "Bearer the", want: 401},
		"no scheme":                                 {host: "127.0.0.1:9333", token: "the token", want: 401},
		"a name that was made to resolve":           {host: "evil.example:9333", token: "Bearer the token", want: 403},
		"a name that begins like an address":        {host: "127.0.0.1.evil.example", token: "Bearer the token", want: 403},
		"another origin's page":                     {host: "127.0.0.1:9333", origin: "http://evil.example", token: "Bearer the token", want: 403},
		"another origin's page in current browsers": {host: "127.0.0.1:9333", site: "cross-site", token: "Bearer the token", want: 403},
		"another origin's page that reads":          {host: "127.0.0.1:9333", origin: "http://evil.example", method: http.MethodGet, token: "Bearer the token", want: 403},
		"another site's page that reads":            {host: "127.0.0.1:9333", site: "cross-site", method: http.MethodGet, token: "Bearer the token", want: 403},
		"a page of this server's that reads":        {host: "127.0.0.1:9333", origin: "http://127.0.0.1:9333", method: http.MethodGet, token: "Bearer the token", want: 200},
	} {
		t.Run(name, func(t *testing.T) {
			path := pathTasks
			if c.method == http.MethodGet {
				path = pathStatus
			}
			r := httptest.NewRequestWithContext(t.Context(), cmp.Or(c.method, http.MethodPost), path, strings.NewReader("{}"))
			r.Host = c.host
			for key, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Authorization": c.token} {
				if value != "" {
					r.Header.Set(key, value)
				}
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("the status is %d, want %d: %s", w.Code, c.want, w.Body)
			}
			if strings.Contains(w.Body.String(), "the token\"") {
				t.Error("the answer has the token")
			}
		})
	}
}

func TestAClientWithTheTokenFileReachesAGuardedServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "token")
	token, err := MakeToken(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := MakeToken(path); err != nil || again != token || len(token) < 20 {
		t.Fatalf("the token was %q and is %q, %v", token, again, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file has the mode %v, %v", info.Mode(), err)
	}
	server := httptest.NewServer(guarded(token))
	defer server.Close()
	read, err := ReadToken(path)
	if err != nil {
		t.Fatal(err)
	}
	client := NewClient(strings.TrimPrefix(server.URL, "http://"), read)
	defer client.Close()
	if _, err := client.Status(t.Context()); err != nil {
		t.Error(err)
	}
	stranger := NewClient(strings.TrimPrefix(server.URL, "http://"), "")
	defer stranger.Close()
	if _, err := stranger.Status(t.Context()); ErrorOf(err).Code != "unauthorized" {
		t.Errorf("without a token: %v", err)
	}
}

// Who is let in on each socket and port, as which caller.
func TestATokenDecidesOnEveryWayIn(t *testing.T) {
	store, err := access.Open(filepath.Join(t.TempDir(), "state", "tokens"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	made, err := store.New(access.Request{Name: "a", Tasks: []string{"a"}, Toolsets: []string{"browser"}})
	if err != nil {
		t.Fatal(err)
	}
	agent := "Bearer " + made.Secret
	who := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(access.CallerOf(r.Context()).Role().String()))
	})
	guard := Guard{Token: secret.New("op"), Agents: store.Grant, Log: slog.New(slog.DiscardHandler)}
	without := Guard{Agents: store.Grant, Log: guard.Log} // as without a port
	for name, c := range map[string]struct {
		way     http.Handler
		headers []string
		want    string
	}{
		"the operator's socket":                     {guard.OperatorSocket(who), nil, "operator"},
		"... with the operator's token":             {guard.OperatorSocket(who), []string{"Bearer op"}, "operator"},
		"... with an agent's token":                 {guard.OperatorSocket(who), []string{agent}, "agent"},
		"... with a wrong token":                    {guard.OperatorSocket(who), []string{"Bearer x"}, ""},
		"... with another scheme":                   {guard.OperatorSocket(who), []string{"Basic op"}, ""},
		"... with an empty header":                  {guard.OperatorSocket(who), []string{""}, ""},
		"... with an empty token where there is no": {without.OperatorSocket(who), []string{"Bearer "}, ""},
		"the agents' socket":                        {guard.AgentsSocket(who), nil, ""},
		"... with an agent's token, there":          {guard.AgentsSocket(who), []string{agent}, "agent"},
		"... with the operator's token, there":      {guard.AgentsSocket(who), []string{"Bearer op"}, ""},
		"... with an empty token":                   {guard.AgentsSocket(who), []string{"Bearer "}, ""},
		"the port":                                  {guard.Port(who), nil, ""},
		"... with the operator's":                   {guard.Port(who), []string{"Bearer op"}, "operator"},
		"... with an agent's":                       {guard.Port(who), []string{agent}, "agent"},
		"... with two tokens":                       {guard.Port(who), []string{"Bearer op", agent}, ""},
		"... with nothing":                          {guard.Port(who), []string{"Bearer "}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.Host = "localhost"
			for _, h := range c.headers {
				r.Header.Add("Authorization", h)
			}
			w := httptest.NewRecorder()
			c.way.ServeHTTP(w, r)
			if c.want == "" && (w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer") || c.want != "" && w.Body.String() != c.want {
				t.Errorf("answered with %d %s", w.Code, w.Body)
			}
		})
	}
}

func TestATokenThatOthersMayKnowIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	for mode, content := range map[os.FileMode]string{0o644: "known", 0o600: "\n"} {
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadToken(path); err == nil || strings.Contains(err.Error(), "known") {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
}
