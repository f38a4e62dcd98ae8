package netguard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

// BenchmarkDownload compares a small and a large answer, directly and through the guard.
func BenchmarkDownload(b *testing.B) {
	for name, size := range map[string]int{"1KB": 1 << 10, "16MB": 16 << 20} {
		body := make([]byte, size)
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
		defer site.Close()
		policy, _ := netrules.Parse([]string{netrules.Loopback})
		p, err := Start(Options{Policy: policy})
		if err != nil {
			b.Fatal(err)
		}
		defer p.Close()
		through := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr().String(), User: url.UserPassword(User, p.Password())})}
		for way, transport := range map[string]*http.Transport{"direct": {}, "guard": through} {
			b.Run(name+"/"+way, func(b *testing.B) {
				defer transport.CloseIdleConnections()
				b.SetBytes(int64(size))
				for range b.N {
					r, err := (&http.Client{Transport: transport}).Get(site.URL)
					if err != nil {
						b.Fatal(err)
					}
					if n, err := io.Copy(io.Discard, r.Body); err != nil || n != int64(size) {
						b.Fatal(n, err)
					}
					_ = r.Body.Close()
				}
			})
		}
	}
}
