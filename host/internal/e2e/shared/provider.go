package shared

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
)

// Provider is an identity provider on a test server, with two accounts.
//
// https://w3c-fedid.github.io/FedCM/#idp-api
type Provider struct {
	LoggedOut atomic.Bool // nobody is logged in
	Refuses   atomic.Bool // it gives no token
}

// shop asks to sign in once its button is clicked, in the mode that its URL names.
const shop = `<button id=in onclick="signIn()">Sign in</button><button id=b onclick="n.textContent++">Count</button><p id=n>0</p><script>
const ended = new Promise(done => globalThis.done = done), mode = new URLSearchParams(location.search).get("mode");
const signIn = () => navigator.credentials.get({identity: {providers: [{configURL: "PROVIDER/provider.json", clientId: "shop"}], mode}}).then(c => done(c.token), e => done(e.name));
</script>`

// NewProvider serves a provider at one URL, with the page /login, and pages of a shop at another: /shop, whose query is
// mode=active or passive, and /framed with a frame that shows the shop. A browser knows that somebody is logged in once
// it has shown /login.
func NewProvider(handle func(path string, h http.HandlerFunc), provider, shopAt string) *Provider {
	p := &Provider{}
	answer := func(path string, value func(r *http.Request) any) {
		handle(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
			w.Header().Set("Access-Control-Allow-Credentials", "true")
			_ = json.NewEncoder(w).Encode(value(r))
		})
	}
	answer("/.well-known/web-identity", func(*http.Request) any {
		return map[string]any{"provider_urls": []string{provider + "/provider.json"}, "accounts_endpoint": provider + "/accounts", "login_url": provider + "/login"}
	})
	answer("/provider.json", func(*http.Request) any {
		return map[string]any{"accounts_endpoint": "/accounts", "id_assertion_endpoint": "/token", "login_url": "/login"}
	})
	answer("/accounts", func(*http.Request) any {
		accounts := []map[string]any{{"id": "1", "name": "Ann Lee", "email": "ann@example.com"}, {"id": "2", "name": "Bob Roe", "email": "bob@example.com"}}
		if p.LoggedOut.Load() {
			accounts = accounts[:0]
		}
		return map[string]any{"accounts": accounts}
	})
	answer("/token", func(r *http.Request) any {
		if p.Refuses.Load() {
			return map[string]any{"error": map[string]any{"code": "access_denied"}}
		}
		return map[string]any{"token": "token of " + r.FormValue("account_id")}
	})
	for path, page := range map[string]string{
		"/login": `<button id=log onclick="IdentityProvider.close()">Log in</button>`, "/shop": shop,
		"/framed": `<iframe allow="identity-credentials-get" src="` + shopAt + `/shop?mode=active"></iframe>`,
	} {
		handle(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Set-Login", "logged-in")
			_, _ = w.Write([]byte(strings.ReplaceAll(page, "PROVIDER", provider)))
		})
	}
	return p
}
