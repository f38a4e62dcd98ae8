package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// bridgePage is one page of a secure site.
type bridgePage struct {
	headers map[string]string
	html    string // ASK in it becomes the script that asks; PORT the site's port
}

// asks opens one dialog of each kind and writes to the console what it got.
const asks = `const a = alert('A'), c = confirm('C'), p = prompt('P', 'D'); console.log('said ' + a + ' ' + c + ' ' + p)`

// secureSite serves the same pages over https, at localhost and 127.0.0.1, which are two sites, and over http.
type secureSite struct {
	pages         map[string]bridgePage
	secure, plain string // ports
	browserArg    string // makes a browser trust the site
}

func newSecureSite(t *testing.T, pages map[string]bridgePage) *secureSite {
	t.Helper()
	s := &secureSite{pages: pages}
	certificate, pin := newAuthority(t)
	s.browserArg = "--ignore-certificate-errors-spki-list=" + pin
	secure := httptest.NewUnstartedServer(s)
	secure.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(s)
	t.Cleanup(plain.Close)
	_, s.secure, _ = net.SplitHostPort(secure.Listener.Addr().String())
	_, s.plain, _ = net.SplitHostPort(plain.Listener.Addr().String())
	return s
}

// newAuthority makes a certificate authority and a server certificate of it. The pin is the authority's public key, as
// --ignore-certificate-errors-spki-list takes it.
func newAuthority(t *testing.T) (server tls.Certificate, pin string) {
	t.Helper()
	authorityKey, key := newKey(t), newKey(t)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "the tests' authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := x509.CreateCertificate(rand.Reader, leaf, authority, &key.PublicKey, authorityKey)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&authorityKey.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(public)
	return tls.Certificate{Certificate: [][]byte{signed, root}, PrivateKey: key}, base64.StdEncoding.EncodeToString(sum[:])
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// ServeHTTP serves a page; paths that end in .js are scripts.
func (s *secureSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := s.pages[r.URL.Path]
	if !ok && r.URL.Path != "/empty" {
		http.NotFound(w, r)
		return
	}
	kind := "text/html; charset=utf-8"
	if strings.HasSuffix(r.URL.Path, ".js") {
		kind = "text/javascript"
	}
	w.Header().Set("Content-Type", kind)
	for name, value := range page.headers {
		w.Header().Set(name, value)
	}
	_, _ = w.Write([]byte(s.fill(page.html)))
}

func (s *secureSite) fill(html string) string {
	return strings.NewReplacer("ASK", asks, "PORT", s.secure).Replace(html)
}

func (s *secureSite) https(path string) string { return "https://localhost:" + s.secure + path }
func (s *secureSite) http(path string) string  { return "http://localhost:" + s.plain + path }
