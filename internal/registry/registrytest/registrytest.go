// Package registrytest runs a registry for tests: distribution's, as Debian packages it, behind a server with TLS.
package registrytest

import (
	"bufio"
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The user of [Server.WithPassword], and a secret that must be in no log and no error.
const (
	User     = "operator"
	Password = "HUNTER2-registry"
	hashed   = "$2a$04$66uPpiWlKNWjdA9zFFl7ZezBeAbKhcFxyMLTByZ.8Rq4AXs/GdJ52"
)

// Server is a registry that runs until its test ends.
type Server struct {
	*httptest.Server
	blobs string

	mu        sync.Mutex
	intercept http.HandlerFunc
	redirects map[string]string
	requests  []string
}

// Start runs a registry that everyone may read and write.
func Start(t testing.TB) *Server { return start(t, "") }

// StartWithPassword runs one that wants the name and the password of [User].
func StartWithPassword(t testing.TB) *Server {
	users := filepath.Join(t.TempDir(), "htpasswd")
	write(t, users, User+":"+hashed+"\n")
	return start(t, "auth: {htpasswd: {realm: registry, path: "+users+"}}\n")
}

func start(t testing.TB, more string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "registry") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config, socket := filepath.Join(dir, "config.yml"), filepath.Join(dir, "socket")
	write(t, config, fmt.Sprintf("version: 0.1\nlog: {level: info}\nstorage: {filesystem: {rootdirectory: %s}}\nhttp: {net: unix, addr: %s, secret: x}\n%s", dir, socket, more))
	run(t, config)
	s := &Server{blobs: filepath.Join(dir, "docker", "registry", "v2", "blobs")}
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = "http", r.In.Host
		r.SetXForwarded()
		r.Out.Host = r.In.Host
	}}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		intercept, to := s.intercept, s.redirects[r.URL.Path]
		s.mu.Unlock()
		switch {
		case intercept != nil:
			intercept(w, r)
		case to != "":
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// run runs the registry until the test ends, and returns when it listens.
func run(t testing.TB, config string) {
	t.Helper()
	program := exec.Command("docker-registry", "serve", config)
	log, err := program.StderrPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatalf("%v (make tools installs docker-registry)", err)
	}
	listening, ended := make(chan struct{}), make(chan struct{})
	var lines strings.Builder
	go func() {
		defer close(ended)
		scanner := bufio.NewScanner(log)
		for told := false; scanner.Scan(); {
			fmt.Fprintln(&lines, scanner.Text())
			if !told && strings.Contains(scanner.Text(), "listening on") {
				told = true
				close(listening)
			}
		}
	}()
	t.Cleanup(func() {
		_ = program.Process.Kill()
		<-ended
		_ = program.Wait()
	})
	select {
	case <-listening:
	case <-ended:
		t.Fatalf("the registry ended:\n%s", lines.String())
	}
}

// Host is the host of a reference.
func (s *Server) Host() string { return strings.TrimPrefix(s.URL, "https://") }

// Authority writes the certificate that the server is trusted by to a file, for SSL_CERT_FILE.
func (s *Server) Authority(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	write(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	return path
}

// Login writes a Docker configuration with the password, and returns its directory, for DOCKER_CONFIG.
func (s *Server) Login(t testing.TB, password string) string {
	t.Helper()
	dir := t.TempDir()
	request := http.Request{Header: http.Header{}}
	request.SetBasicAuth(User, password)
	auth := strings.TrimPrefix(request.Header.Get("Authorization"), "Basic ")
	write(t, filepath.Join(dir, "config.json"), fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, s.Host(), auth))
	return dir
}

// Intercept answers requests in place of the registry, which answers again after nil.
func (s *Server) Intercept(handler http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = handler
}

// Redirect sends those who ask for a path elsewhere.
func (s *Server) Redirect(path, to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.redirects = map[string]string{path: to}
}

// Requests are the requests since the last call.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.requests
	s.requests = nil
	return list
}

// Tamper replaces what the registry has stored under a digest.
func (s *Server) Tamper(t testing.TB, digest, content string) {
	t.Helper()
	name := strings.TrimPrefix(digest, "sha256:")
	path := filepath.Join(s.blobs, "sha256", name[:2], name, "data")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, content)
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
