package netguard

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

func start(t *testing.T, o Options, allow ...string) *Proxy {
	t.Helper()
	var err error
	if o.Policy, err = netrules.Parse(allow); err != nil {
		t.Fatal(err)
	}
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// client is a browser of the proxy.
func client(t *testing.T, p *Proxy, user *url.Userinfo) *http.Client {
	t.Helper()
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr().String(), User: user})}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func known(p *Proxy) *url.Userinfo { return url.UserPassword(User, p.Password()) }

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func TestAStrangerGetsNothing(t *testing.T) {
	site := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") })
	p := start(t, Options{}, netrules.All)
	for _, user := range []*url.Userinfo{nil, url.UserPassword(User, ""), url.UserPassword("", p.Password()), url.UserPassword(User, p.Password()+"x")} {
		r, err := client(t, p, user).Get(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != http.StatusProxyAuthRequired {
			t.Errorf("%v: got %s", user, r.Status)
		}
	}
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: x\r\n\r\n", site.Listener.Addr())
	if answer, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 407") {
		t.Errorf("a tunnel: %q, %v; want 407, and the end", answer, err)
	}
	if n := p.counts.Counters(); n.Unauthorised != 5 || n.Requests+n.Tunnels != 0 {
		t.Errorf("counted %+v", n)
	}
}

func TestWhatTheBrowserTellsTheProxyGoesNoFurther(t *testing.T) {
	var got http.Header
	site := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	p := start(t, Options{}, netrules.Loopback)
	request, _ := http.NewRequest(http.MethodGet, site.URL, nil)
	request.Header.Set("X-Forwarded-For", "a page's own")
	request.Header.Set("User-Agent", "")
	r, err := client(t, p, known(p)).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	for name := range got {
		if strings.HasPrefix(name, "Proxy-") || name == "Via" || name == "User-Agent" {
			t.Errorf("the site was sent %s: %s", name, got[name])
		}
	}
	if got.Get("X-Forwarded-For") != "a page's own" {
		t.Errorf("the site was sent %v", got)
	}
}

// A server that asks for the password of a proxy does not make the browser forget it, or send it.
func TestAServerCannotAskForThePasswordOfTheProxy(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="hermes-cdp"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
	})
	p := start(t, Options{}, netrules.Loopback)
	r, err := client(t, p, known(p)).Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	if r.StatusCode != http.StatusBadGateway || r.Header.Get("Proxy-Authenticate") != "" {
		t.Errorf("got %s %v", r.Status, r.Header)
	}
}

// A part of an answer, and of a request, is there before the next: nothing waits for the end.
func TestBodiesAreStreamed(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if err := c.EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		lines := bufio.NewScanner(r.Body)
		for lines.Scan() {
			_, _ = fmt.Fprintln(w, "echo", lines.Text())
			_ = c.Flush()
		}
	})
	p := start(t, Options{}, netrules.Loopback)
	body, send := io.Pipe()
	go func() { _, _ = fmt.Fprintln(send, "one") }()
	r, err := client(t, p, known(p)).Post(site.URL, "text/plain", body)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewReader(r.Body)
	for _, word := range []string{"one", "two", "three"} {
		if line, err := lines.ReadString('\n'); line != "echo "+word+"\n" {
			t.Fatalf("got %q, %v", line, err)
		}
		next := map[string]string{"one": "two", "two": "three"}[word]
		if next != "" {
			_, _ = fmt.Fprintln(send, next)
		}
	}
	_ = send.Close()
}

// tunnelTo opens a tunnel by hand.
func tunnelTo(t *testing.T, p *Proxy, address string) (net.Conn, *bufio.Reader, string) {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	password := base64.StdEncoding.EncodeToString([]byte(User + ":" + p.Password()))
	_, _ = fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\n\r\n", address, address, password)
	buffered := bufio.NewReader(conn)
	r, err := http.ReadResponse(buffered, &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	return conn, buffered, r.Status
}

// echo is a server that sends everything back, and then a farewell, once the other side has said its last.
func echo(t *testing.T) net.Listener {
	t.Helper()
	return listen(t, func(conn net.Conn) {
		_, _ = io.Copy(conn, conn)
		_, _ = io.WriteString(conn, "farewell")
	})
}

// listen is a server that serves its connections one after the other.
func listen(t *testing.T, serve func(net.Conn)) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l
}

func TestATunnelHasTwoEnds(t *testing.T) {
	to := echo(t)
	p := start(t, Options{}, netrules.Loopback)
	conn, in, status := tunnelTo(t, p, to.Addr().String())
	if !strings.HasPrefix(status, "200") {
		t.Fatal(status)
	}
	if _, err := io.WriteString(conn, "hello "); err != nil {
		t.Fatal(err)
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	if all, err := io.ReadAll(in); string(all) != "hello farewell" {
		t.Errorf("got %q, %v", all, err)
	}
}

func TestClosingEndsEveryTunnel(t *testing.T) {
	to := echo(t)
	p := start(t, Options{}, netrules.Loopback)
	_, in, status := tunnelTo(t, p, to.Addr().String())
	if !strings.HasPrefix(status, "200") {
		t.Fatal(status)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.ReadByte(); err == nil {
		t.Error("the tunnel is open")
	}
	if open := p.counts.Counters().Open; open != 0 {
		t.Errorf("%d tunnels are open", open)
	}
}

func TestARefusalSaysWhatAndHowItIsAllowed(t *testing.T) {
	p := start(t, Options{}, netrules.Loopback)
	mark := p.Mark()
	for _, host := range []string{"10.0.0.1:443", "[fd00::1]:443", "169.254.169.254:80", p.Addr().String()} {
		_, _, status := tunnelTo(t, p, host)
		f := p.Since(mark, "https://"+host)
		if f == nil || strings.HasPrefix(status, "200") {
			t.Fatalf("%s: %s, %+v", host, status, f)
		}
		if is := errors.Is(f.Err, fault.ErrNetworkRefused); is != (host != p.Addr().String()) {
			t.Errorf("%s: %v", host, f.Err)
		}
	}
	if p.Since(p.Mark(), "https://10.0.0.1") != nil || p.Since(mark, "https://10.0.0.2") != nil {
		t.Error("a failure of another time or place was found")
	}
}

// recorded is an HTTP proxy that says what it is asked.
func recorded(t *testing.T, status int) (*url.URL, *[]string) {
	t.Helper()
	var asked []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.RequestURI+" "+r.Header.Get("Proxy-Authorization"))
		w.WriteHeader(status)
	})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("me", "upstream-secret")
	return u, &asked
}

const upstreamLogin = "Basic bWU6dXBzdHJlYW0tc2VjcmV0"

func TestAnotherProxyIsAskedForEverythingButThisMachine(t *testing.T) {
	here := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	upstream, asked := recorded(t, http.StatusForbidden)
	p := start(t, Options{Upstream: upstream}, netrules.Loopback)
	c := client(t, p, known(p))
	for _, u := range []string{"http://site.example/x", here.URL, "http://10.0.0.1/", "http://metadata.google.internal/"} {
		if r, err := c.Get(u); err == nil {
			_ = r.Body.Close()
		}
	}
	tunnelTo(t, p, "site.example:443")
	tunnelTo(t, p, "[::ffff:10.0.0.1]:443")
	want := []string{"GET http://site.example/x " + upstreamLogin, "CONNECT site.example:443 " + upstreamLogin}
	if fmt.Sprint(*asked) != fmt.Sprint(want) {
		t.Errorf("it was asked %q, want %q", *asked, want)
	}
	if f := p.Since(0, "https://site.example"); f == nil || !strings.Contains(f.Err.Error(), "403 Forbidden") || strings.Contains(f.Err.Error(), "upstream-secret") {
		t.Errorf("it failed with %+v", f)
	}
}

// A page that another proxy does not reach is not said to refuse, or to answer nothing.
func TestAnotherProxyThatDoesNotConnectIsNamedWithoutItsAddress(t *testing.T) {
	closed := serve(t, nil)
	closed.Close()
	refusing, _ := recorded(t, http.StatusProxyAuthRequired)
	strict := &url.URL{Scheme: "socks5", User: url.UserPassword("me", "upstream-secret"), Host: refuseSOCKS(t)}
	for name, c := range map[string]struct {
		upstream *url.URL
		want     string
	}{
		"nothing listens":            {&url.URL{Scheme: "http", Host: closed.Listener.Addr().String()}, "connect: connection refused"},
		"no name":                    {&url.URL{Scheme: "socks5", Host: "no..name:1080"}, "its name could not be resolved"},
		"an HTTP proxy refuses":      {refusing, "it answered 407 Proxy Authentication Required"},
		"SOCKS refuses the password": {strict, "username/password authentication failed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, Options{Upstream: c.upstream})
			tunnelTo(t, p, "site.example:443")
			f := p.Since(0, "https://site.example")
			if f == nil || f.Reason != "net::ERR_PROXY_CONNECTION_FAILED (the proxy of browser.proxy did not connect: "+c.want+")" {
				t.Errorf("it failed with %+v", f)
			}
		})
	}
}

// refuseSOCKS is a SOCKS server that takes no password.
//
// https://www.rfc-editor.org/rfc/rfc1929
func refuseSOCKS(t *testing.T) (address string) {
	t.Helper()
	return listen(t, func(conn net.Conn) {
		read := make([]byte, 256)
		_, _ = conn.Read(read)
		_, _ = conn.Write([]byte{5, 2}) // by user and password
		_, _ = conn.Read(read)
		_, _ = conn.Write([]byte{1, 1}) // it is not
	}).Addr().String()
}

func TestWhatIsNoProxyIsRefusedWithoutBeingRepeated(t *testing.T) {
	for _, text := range []string{"proxy:8080", "ftp://u:hidden@proxy", "http://", "socks4://u:hidden@x", "http://u:hidden@x/path", "http://u:hidden@x?y", "http://u:hidden@x:y"} {
		if _, err := ParseProxy(text); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
