package demo

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"time"
)

//go:embed pages
var pages embed.FS

// site serves the demo's pages on loopback and receives what they report.
type site struct {
	server  *http.Server
	port    int
	reports chan report
}

// report is what a dialog returned to the page.
type report struct{ step, value string }

func newSite() (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve the demo's pages: %w", err)
	}
	files, err := fs.Sub(pages, "pages")
	if err != nil {
		return nil, err
	}
	s := &site{port: listener.Addr().(*net.TCPAddr).Port, reports: make(chan report, 16)}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("POST /report", s.report)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

func (s *site) report(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.reports <- report{r.URL.Query().Get("step"), string(body)}
	w.WriteHeader(http.StatusNoContent)
}

func (s *site) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path) }

func (s *site) close() error { return s.server.Close() }
