package network

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// ways are those in which a page makes a browser connect somewhere, by the name of the host that each asks for. at is
// that host with its port.
var ways = map[string]string{
	"fetch":      "fetch('http://'+at, {mode: 'no-cors'}).catch(() => 0)",
	"tls":        "fetch('https://'+at, {mode: 'no-cors'}).catch(() => 0)",
	"image":      "new Image().src = 'http://'+at",
	"script":     "add('script', {src: 'http://'+at})",
	"style":      "add('link', {rel: 'stylesheet', href: 'http://'+at})",
	"frame":      "add('iframe', {src: 'http://'+at})",
	"object":     "add('object', {data: 'http://'+at+'/x.pdf', type: 'application/pdf'})",
	"websocket":  "new WebSocket('ws://'+at)",
	"wss":        "new WebSocket('wss://'+at)",
	"events":     "new EventSource('http://'+at)",
	"beacon":     "navigator.sendBeacon('http://'+at, 'x')",
	"prefetch":   "add('link', {rel: 'prefetch', href: 'http://'+at})",
	"preload":    "add('link', {rel: 'preload', as: 'image', href: 'http://'+at})",
	"icon":       "add('link', {rel: 'icon', href: 'http://'+at+'/icon.png'})",
	"form":       "(add('iframe', {name: 'formed'}), Object.assign(add('form', {action: 'http://'+at, method: 'post', target: 'formed'})).submit())",
	"popup":      "window.open('http://'+at)",
	"worker":     "new Worker(URL.createObjectURL(new Blob([`importScripts('http://${at}')`])))",
	"sharedwork": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://${at}', {mode: 'no-cors'})`])))",
}

const waysPage = `<!doctype html><link rel=icon href=data:,><script>
function add(name, properties) {
	const e = Object.assign(document.createElement(name), properties)
	document.documentElement.append(e)
	return e
}
async function quic(at) {
	try { await new WebTransport('https://'+at).ready } catch {}
}
async function stun(at) {
	const c = new RTCPeerConnection({iceServers: [{urls: 'stun:'+at}]})
	c.createDataChannel('x')
	const gathered = new Promise(done => c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && done())
	await c.setLocalDescription(await c.createOffer())
	await gathered
	return c.localDescription.sdp
}
</script>`

// go starts all ways at once.
func goAllWays(port int) string {
	var script strings.Builder
	for name, way := range ways {
		fmt.Fprintf(&script, "{const at = '%s.trap.example:%d'; %s}\n", name, port, way)
	}
	return script.String() + "0"
}

// serviceWorkerSite also serves a worker that asks for what nobody may reach.
func serviceWorkerSite(port int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/worker.js" {
			page(waysPage).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprintf(w, "self.oninstall = e => e.waitUntil(fetch('http://serviceworker.trap.example:%d', {mode: 'no-cors'}).catch(() => 0))", port)
	})
}

const registerWorker = "navigator.serviceWorker.register('/worker.js').then(r => new Promise(done => {" +
	"const w = r.installing ?? r.active; w.state === 'activated' ? done() : w.onstatechange = () => w.state === 'activated' && done()})).then(() => 0)"

// Without a guard every way leads to the trap, so that the test below proves something.
func TestEveryWayLeadsSomewhereWithoutAGuard(t *testing.T) {
	t.Parallel()
	tr := setTrap(t)
	_, port := serveAt(t, siteAddress, 0, serviceWorkerSite(tr.Port))
	task := launch(t, host.Network{}, "--host-resolver-rules=MAP *.trap.example "+trapAddress)
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://127.0.0.2:%d/", port), nil); err != nil {
		t.Fatal(err)
	}
	evaluate(t, task, goAllWays(tr.Port))
	evaluate(t, task, registerWorker)
	evaluate(t, task, fmt.Sprintf("stun('%s:%d')", trapAddress, tr.Port))
	evaluate(t, task, fmt.Sprintf("void quic('%s:%d')", trapAddress, tr.Port))
	tr.await(t, "udp stun")
	tr.await(t, "udp quic")
	for name := range ways {
		switch name {
		case "tls", "wss":
			tr.await(t, "tcp tls")
		case "icon": // a browser without a window shows none
		default:
			tr.await(t, "tcp "+name+".trap.example")
		}
	}
	tr.await(t, "tcp serviceworker.trap.example")
}

// With the guard, no way leads anywhere that is not allowed: names are resolved by the guard, whose resolver sees each
// of them, and nothing arrives, not even a datagram.
func TestNoWayLeadsToARefusedAddress(t *testing.T) {
	t.Parallel()
	tr, dns := setTrap(t), trapped(t)
	_, port := serveAt(t, siteAddress, 0, serviceWorkerSite(tr.Port))
	task := launch(t, host.Network{Allow: []string{siteAddress}, Resolver: dns.Resolver}, fmt.Sprintf("--unsafely-treat-insecure-origin-as-secure=http://site.example:%d", port))
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://site.example:%d/", port), nil); err != nil {
		t.Fatal(err)
	}
	sdp := evaluate(t, task, fmt.Sprintf("stun('%s:%d')", trapAddress, tr.Port))
	if strings.Contains(sdp, "candidate") {
		t.Errorf("WebRTC found a way: %s", sdp)
	}
	evaluate(t, task, fmt.Sprintf("quic('%s:%d')", trapAddress, tr.Port))
	evaluate(t, task, fmt.Sprintf("quic('quic.trap.example:%d')", tr.Port))
	evaluate(t, task, registerWorker)
	evaluate(t, task, goAllWays(tr.Port))
	for name := range ways {
		if name != "icon" {
			dns.await(t, name+".trap.example")
		}
	}
	dns.await(t, "serviceworker.trap.example")
	closeTask(t, task)
	if came := tr.all(); len(came) > 0 {
		t.Errorf("there came %q", came)
	}
}

func closeTask(t *testing.T, task *host.Task) {
	t.Helper()
	if err := task.Close(testContext(t)); err != nil {
		t.Error(err)
	}
}
