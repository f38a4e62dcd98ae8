package pages

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Nothing of ours is a script of the page, so no policy of the page stops it.
func TestAFormOnAPageWithAStrictPolicyIsFilledAndSent(t *testing.T) {
	w := newWorld(t, nil)
	w.Handle("/strict", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'none'; form-action 'self'; frame-ancestors 'none'; "+
			"require-trusted-types-for 'script'; trusted-types 'none'")
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, `<!doctype html><title>Strict</title><script>document.title = 'the policy is not kept'</script>
<form action="/sent" method=post><label>Name <input name=name></label><label><input type=checkbox name=agree> Agree</label>
<select name=size aria-label=Size><option>small<option>large</select><button>Send</button></form>`)
	})
	w.Handle("/sent", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Security-Policy", "default-src 'none'")
		rw.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(rw, "<!doctype html><title>Sent</title><p>got %s, %s, %s", r.PostFormValue("name"), r.PostFormValue("agree"), r.PostFormValue("size"))
	})
	page := w.open("/strict")
	want(t, page, "title", `"Strict"`)
	w.good("browser_type", args{"ref": w.ref(page, "textbox"), "text": "Ada"})
	w.good("browser_check", args{"ref": w.ref(page, "checkbox")})
	w.good("browser_select", args{"ref": w.ref(page, "combobox"), "values": []string{"large"}})
	is(t, "an evaluation", w.js("document.querySelector('input').value"), `"Ada"`)
	w.good("browser_wait_for", args{"text": "Agree"})
	want(t, w.good("browser_click", args{"ref": w.ref(page, `button "Send"`)}), "navigated", `"`+w.URL("localhost", "/sent")+`"`)
	is(t, "the answer", text(t, w.good("browser_extract_text", nil), "text"), "got Ada, on, large")
}

func TestASandboxedPageIsActedOn(t *testing.T) {
	w := newWorld(t, map[string]string{"/outer": `<iframe sandbox srcdoc="<input aria-label=Boxed><p>boxed text"></iframe>`})
	w.open("/outer")
	page := w.shows(nil, `"Boxed"`)
	w.good("browser_type", args{"ref": w.ref(page, `"Boxed"`), "text": "typed"})
	is(t, "the field", w.js("e => e.value", args{"selector": "input"}), `"typed"`)
	w.good("browser_wait_for", args{"text": "boxed text"})
}

// A server may put a whole page into a sandbox, in which not even a timer fires.
func TestAPageInASandboxOfItsServerIsRead(t *testing.T) {
	w := newWorld(t, nil)
	rest := make(chan struct{})
	w.Handle("/boxed", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, "<!doctype html><title>Boxed</title><p>first part")
		rw.(http.Flusher).Flush()
		select {
		case <-rest:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(rw, `<p>second part<label>Field <input></label>`)
	})
	loaded := make(chan agent.Result, 1)
	address := fmt.Sprintf(`{"url":%q}`, w.URL("localhost", "/boxed"))
	go func() {
		r, err := w.registry.Call(w.ctx, agent.Call{Task: w.task.ID(), Name: "browser_navigate", Arguments: json.RawMessage(address)})
		if err != nil {
			r.Text = err.Error()
		}
		loaded <- r
	}()
	w.shows(nil, "first part")
	close(rest)
	page := <-loaded
	if !strings.Contains(page.Text, "second part") {
		t.Fatalf("it was not waited for the rest: %s", show(page))
	}
	w.good("browser_type", args{"ref": w.ref(page, "textbox"), "text": "typed"})
	w.good("browser_scroll", args{"direction": "down"})
	is(t, "the field", w.js("e => e.value", args{"selector": "input"}), `"typed"`)
}

// authority makes a certificate authority and a server's certificate for localhost, and the pin of the authority's key.
func authority(t *testing.T) (server tls.Certificate, pin string) {
	t.Helper()
	key := func() *ecdsa.PrivateKey {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	caKey, serverKey := key(), key()
	sign := func(template *x509.Certificate, parent *x509.Certificate, public *ecdsa.PublicKey) *x509.Certificate {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, public, caKey)
		if err != nil {
			t.Fatal(err)
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "An authority of its own"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}
	ca = sign(ca, ca, &caKey.PublicKey)
	leaf := sign(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, KeyUsage: x509.KeyUsageDigitalSignature,
	}, ca, &serverKey.PublicKey)
	sum := sha256.Sum256(ca.RawSubjectPublicKeyInfo)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, ca.Raw}, PrivateKey: serverKey}, base64.StdEncoding.EncodeToString(sum[:])
}

// A site whose certificate is of an authority of its own is refused, unless the browser was started with the pin of
// that authority: browser.args has --ignore-certificate-errors-spki-list then; see docs/agents.md.
func TestAnHTTPSSiteWithItsOwnAuthority(t *testing.T) {
	t.Parallel()
	certificate, pin := authority(t)
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, `<!doctype html><title>Secure</title><button onclick="this.textContent = [isSecureContext, prompt('Name?', 'Ada')]">ask</button>`)
	}))
	site.Config.ErrorLog = discard()
	site.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	site.StartTLS()
	t.Cleanup(site.Close)

	launched, err := browser.Launch(t.Context(), browser.LaunchOptions{
		Transport: browser.TransportPort, Args: []string{"--ignore-certificate-errors-spki-list=" + pin},
	})
	if err != nil {
		t.Fatal(err)
	}
	shared.CloseAfter(t, launched)
	w := newWorldAt(t, launched.WebSocketURL(), nil)
	page := w.good("browser_navigate", args{"url": site.URL})
	want(t, page, "title", `"Secure"`)
	w.bad("browser_click", args{"ref": w.ref(page, `"ask"`)}, "blocked_by_dialog")
	w.good("browser_dialog", args{"action": "accept"})
	w.good("browser_wait_for", args{"text": "true,Ada"})

	plain := newWorldAt(t, common.Address(t), nil)
	plain.bad("browser_navigate", args{"url": site.URL}, "navigation_failed", "net::ERR_CERT_AUTHORITY_INVALID")
	plain.open("/empty") // and the tab is usable
}

func TestAPageBelowAServiceWorkerIsActedOn(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/app/": `<p id=state>from the server</p><button onclick="fetch('/app/answer').then(r => r.text()).then(t => { state.textContent = t })">Ask</button>
<script>navigator.serviceWorker.register('/app/worker.js').then(() => navigator.serviceWorker.ready).then(() => report('ready'))</script>`,
		"/app/worker.js": `onfetch = e => {
	const path = new URL(e.request.url).pathname;
	if (path === '/app/answer') e.respondWith(new Response('answered by the worker'));
	if (path === '/app/page') e.respondWith(new Response('<!doctype html><title>Worked</title><p id=state>made by the worker</p>' +
		'<button onclick="fetch(\'/app/answer\').then(r => r.text()).then(t => { state.textContent = t })">Ask</button>', {headers: {'Content-Type': 'text/html'}}));
}; oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim())`,
	})
	w.open("/app/")
	w.reported("ready")
	page := w.open("/app/page")
	want(t, page, "title", `"Worked"`)
	want(t, page, "http_status", "200")
	is(t, "what the server was asked", w.Visits("/app/page"), 0)
	w.good("browser_click", args{"ref": w.ref(page, `"Ask"`)})
	w.good("browser_wait_for", args{"text": "answered by the worker"})
	is(t, "what the server was asked", w.Visits("/app/answer"), 0)
}
