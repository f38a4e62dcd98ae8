package network

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/internal/freeport"
)

const proxyPassword = "hidden-from-everybody"

// socks is a real SOCKS5 server, and what it was asked to connect to.
type socks struct {
	Port int

	mu     sync.Mutex
	asked  []string
	change chan struct{}
}

// serveSOCKS starts microsocks, which makes a line of its log for each connection.
func serveSOCKS(t *testing.T) *socks {
	t.Helper()
	path, err := exec.LookPath("microsocks")
	if err != nil {
		t.Fatalf("this test needs microsocks, which make tools installs: %v", err)
	}
	s := &socks{Port: freeport.For(t), change: make(chan struct{})}
	cmd := exec.Command(path, "-i", "127.0.0.1", "-p", fmt.Sprint(s.Port), "-u", "me", "-P", proxyPassword)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if _, to, ok := strings.Cut(lines.Text(), "connected to "); ok {
				s.note(to)
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
	})
	for { // until it listens
		if conn, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.Port)); err == nil {
			_ = conn.Close()
			return s
		}
	}
}

func (s *socks) note(to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, to)
	close(s.change)
	s.change = make(chan struct{})
}

func (s *socks) await(t *testing.T, to string) {
	t.Helper()
	awaitIn(t, to, func() ([]string, chan struct{}) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.asked, s.change
	})
}

func (s *socks) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// waysThroughAProxy are those that need no name, so that a proxy without a DNS server of its own can connect.
var waysThroughAProxy = map[string]string{"fetch": "", "image": "", "frame": "", "object": "", "websocket": "", "prefetch": "", "popup": "", "worker": "", "beacon": ""}

// Whatever a page does, everything comes through the proxy, by its user and password; neither a name nor a datagram
// gets past it. The log of Chromium's own network stack says so, too. The site's address is one that only a proxy is
// asked for: everything else of this machine is reached without it.
func TestEverythingGoesThroughTheProxyAndNothingAroundIt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		launch host.LaunchOptions
		asked  string
	}{
		"browser": {host.LaunchOptions{Isolation: host.IsolationBrowser}, "prefetch.leak.example"},
		"context": {host.LaunchOptions{Isolation: host.IsolationContext}, "prefetch.leak.example"},
		// Only such a profile connects ahead, and not in contexts.
		"a profile that loads ahead": {host.LaunchOptions{UserDataDir: shared.LoadingAhead(t)}, "preconnect.leak.example"},
	} {
		t.Run(name, func(t *testing.T) { throughTheProxy(t, tc.launch, tc.asked) })
	}
}

// throughTheProxy tries all ways, of which the log must have one.
func throughTheProxy(t *testing.T, launch host.LaunchOptions, asked string) {
	tr, proxy := setTrap(t), serveSOCKS(t)
	address := ownAddress(t)
	_, port := serveAt(t, address, 0, serviceWorkerSite(tr.Port))
	netLog := filepath.Join(t.TempDir(), "net.json")
	launch.Network = host.Network{Allow: []string{address}, Proxy: fmt.Sprintf("socks5h://me:%s@127.0.0.1:%d", proxyPassword, proxy.Port)}
	launch.Args = []string{"--log-net-log=" + netLog, "--net-log-capture-mode=Everything"}
	task := launchWith(t, launch)
	at := fmt.Sprintf("%s:%d", address, port)
	if _, err := task.Tab("").Navigate(testContext(t), "http://"+at, nil); err != nil {
		t.Fatal(err)
	}
	showsNoPassword(t, proxyPassword)
	if sdp := evaluate(t, task, fmt.Sprintf("stun('%s:%d')", trapAddress, tr.Port)); strings.Contains(sdp, "candidate") {
		t.Errorf("WebRTC found a way: %s", sdp)
	}
	evaluate(t, task, fmt.Sprintf("quic('%s:%d')", trapAddress, tr.Port))
	evaluate(t, task, "new Promise(done => { for (const rel of ['dns-prefetch', 'preconnect', 'prefetch']) add('link', {rel, href: 'https://'+rel+'.leak.example', onerror: done}) }).then(() => 0)")
	var script strings.Builder
	for name := range waysThroughAProxy {
		fmt.Fprintf(&script, "{const at = '%s/%s'; %s}\n", at, name, ways[name])
	}
	evaluate(t, task, script.String()+"0")
	evaluate(t, task, fmt.Sprintf("fetch('http://%s/again', {cache: 'no-store'}).then(r => r.status)", at))
	proxy.await(t, at)
	closeTask(t, task)
	if came := tr.all(); len(came) > 0 {
		t.Errorf("there came %q", came)
	}
	leaksIn(t, netLog, asked)
}

// ownAddress is an address of this machine that is no loopback address.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	t.Fatal("this machine has no address but those of the loopback interface")
	return ""
}

// showsNoPassword looks for a password in the command lines and environments of all processes below this one's user.
func showsNoPassword(t *testing.T, password string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(files) == 0 {
		t.Fatalf("no processes: %v", err)
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(line), password) && !strings.HasPrefix(string(line), "microsocks") && !strings.Contains(string(line), "/microsocks") {
			t.Errorf("%s has the password: %q", file, line)
		}
		environ, err := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if err == nil && strings.Contains(string(environ), password) {
			t.Errorf("the environment beside %s has the password", file)
		}
	}
}

// leaksIn reads the log of Chromium's network stack: whether it asked a resolver, or connected to anything but the
// proxy of the host.
//
// https://www.chromium.org/developers/design-documents/network-stack/netlog/
func leaksIn(t *testing.T, file, asked string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Constants struct {
			LogEventTypes map[string]int `json:"logEventTypes"`
		} `json:"constants"`
		Events []struct {
			Type   int             `json:"type"`
			Params json.RawMessage `json:"params"`
		} `json:"events"`
	}
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	names := map[int]string{}
	for name, n := range log.Constants.LogEventTypes {
		names[n] = name
	}
	connected := 0
	for _, e := range log.Events {
		switch name := names[e.Type]; {
		case name == "TCP_CONNECT_ATTEMPT" && strings.Contains(string(e.Params), "127.0.0.1:"):
			connected++
		case name == "TCP_CONNECT_ATTEMPT" && strings.Contains(string(e.Params), `"address"`), name == "UDP_BYTES_SENT",
			strings.HasPrefix(name, "HOST_RESOLVER_DNS_TASK"), strings.HasPrefix(name, "HOST_RESOLVER_SYSTEM_TASK"), name == "DNS_TRANSACTION_ATTEMPT":
			t.Errorf("Chromium did %s: %s", name, e.Params)
		}
		if strings.Contains(string(e.Params), proxyPassword) {
			t.Errorf("Chromium knows the password of the proxy: %s", e.Params)
		}
	}
	if connected == 0 || !strings.Contains(string(data), asked) {
		t.Error("the log has no connection to the proxy, or not what the page asked for")
	}
}

// With resolve, the proxy is asked for the address that was checked, and for nothing that may not be reached.
func TestNamesAreCheckedBeforeAProxyIsAskedWhereTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	tr, proxy, address := setTrap(t), serveSOCKS(t), ownAddress(t)
	_, port := serveAt(t, address, 0, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host) }))
	dns := serveNames(t, func(name string) []string {
		return map[string][]string{"site.example": {address}, "trap.example": {trapAddress}}[name]
	})
	task := launch(t, host.Network{
		Allow: []string{address}, Resolve: true, Resolver: dns.Resolver, Proxy: fmt.Sprintf("socks5://me:%s@127.0.0.1:%d", proxyPassword, proxy.Port),
	})
	if _, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://site.example:%d", port), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := evaluate(t, task, "document.body.innerText"), fmt.Sprintf("%q", fmt.Sprint("site.example:", port)); got != want {
		t.Errorf("the site was asked for as %s, want %s", got, want)
	}
	_, err := task.Tab("").Navigate(testContext(t), fmt.Sprintf("http://trap.example:%d", tr.Port), nil)
	if host.CodeOf(err) != host.ErrNetworkRefused {
		t.Errorf("got %v", err)
	}
	proxy.await(t, fmt.Sprintf("%s:%d", address, port))
	for _, to := range proxy.all() {
		if !strings.HasPrefix(to, address+":") && !strings.HasSuffix(to, ":443") { // some are the browser's own
			t.Errorf("the proxy was asked for %s", to)
		}
	}
}
