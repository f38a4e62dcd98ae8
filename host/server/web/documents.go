package web

import (
	"bytes"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/internal/book"
)

// documentTypes are those of the book, whatever this machine takes the endings of files for.
var documentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".png": "image/png",
	".svg": "image/svg+xml",
}

// documents serves the book, which is rendered when somebody first reads it. It has nothing of the host's, so whoever
// can load the page's own files can read it.
func (s *Server) documents() http.Handler {
	rendered := sync.OnceValues(func() (map[string][]byte, error) {
		b, err := book.Read(s.o.Documents)
		if err != nil {
			return nil, err
		}
		return b.Render()
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files, err := rendered()
		if err != nil {
			s.fail(w, err)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		content, found := files[name]
		if !found {
			http.Error(w, "there is no such page; /docs/ has the index", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", documentTypes[path.Ext(name)])
		_, _ = bytes.NewReader(content).WriteTo(w)
	})
}
