package origin

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

var wasm = []byte("\x00asm, or so the server says, and nobody looks at it here")

// served is a server of one module, with what it was asked for.
type served struct {
	*httptest.Server
	requests atomic.Int64
	content  atomic.Value
}

func serve(t *testing.T, content []byte) *served {
	t.Helper()
	s := &served{}
	s.content.Store(content)
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		switch r.URL.Path {
		case "/module.wasm":
			_, _ = w.Write(s.content.Load().([]byte))
		case "/moved.wasm":
			http.Redirect(w, r, "/module.wasm", http.StatusFound)
		case "/plain.wasm":
			http.Redirect(w, r, "http://"+r.Host+"/module.wasm", http.StatusFound)
		case "/round.wasm":
			http.Redirect(w, r, "/round.wasm", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *served) options(t *testing.T) Options {
	return Options{Client: s.Client(), Dir: filepath.Join(t.TempDir(), "kept")}
}

func stepOf(t *testing.T, err error) *Error {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) {
		t.Fatalf("error is %v, want an *Error", err)
	}
	return failed
}

func TestAnAddressIsDownloadedOnceAndKeptByItsHash(t *testing.T) {
	server := serve(t, wasm)
	o := server.options(t)
	var last, total int64
	o.Progress = func(source string, done, of int64) {
		if source != server.URL+"/module.wasm" {
			t.Errorf("progress of %q", source)
		}
		last, total = done, of
	}
	spec := Spec{URL: server.URL + "/module.wasm?signature=HUNTER2", SHA256: "sha256:" + strings.ToUpper(hashOf(wasm)), Limit: 1000}
	m, err := Fetch(t.Context(), spec, o)
	if err != nil || string(m.Wasm) != string(wasm) || m.SHA256 != hashOf(wasm) || m.Source != server.URL+"/module.wasm" {
		t.Fatalf("got %+v, %v", m, err)
	}
	if last != int64(len(wasm)) || total != last {
		t.Errorf("the progress ended at %d of %d, want %d", last, total, len(wasm))
	}
	server.Close() // it is no longer needed
	if m, err = Fetch(t.Context(), spec, o); err != nil || string(m.Wasm) != string(wasm) {
		t.Fatalf("again: %+v, %v", m, err)
	}
	if n := server.requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	info, err := os.Stat(o.Dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has the mode %v (%v)", info.Mode(), err)
	}
}

func TestWhatIsKeptIsComparedBeforeItIsUsed(t *testing.T) {
	server := serve(t, wasm)
	o := server.options(t)
	spec := Spec{URL: server.URL + "/module.wasm", SHA256: hashOf(wasm), Limit: 1000}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Dir, spec.SHA256+".wasm")
	if err := os.WriteFile(path, []byte("another module"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Fetch(t.Context(), spec, o)
	if err != nil || string(m.Wasm) != string(wasm) {
		t.Fatalf("got %+v, %v", m, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(wasm) {
		t.Errorf("what is kept is %q (%v)", now, err)
	}
}

func TestWhatAnAddressServesMustHaveTheHash(t *testing.T) {
	server := serve(t, []byte("changed meanwhile"))
	o := server.options(t)
	_, err := Fetch(t.Context(), Spec{URL: server.URL + "/module.wasm", SHA256: hashOf(wasm), Limit: 1000}, o)
	failed := stepOf(t, err)
	if failed.Step != StepPin || !strings.Contains(failed.Detail, hashOf(wasm)+" is pinned") {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(o.Dir); len(entries) > 0 {
		t.Errorf("it was kept: %v", entries)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	server := serve(t, wasm)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.wasm")
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	sum, at := hashOf(wasm), func(path string) string { return server.URL + path + "?sig=HUNTER2" }
	cases := []struct {
		name string
		spec Spec
		step Step
		want string
	}{
		{"nothing at all", Spec{}, StepRead, "exactly one of a path, a URL and bytes"},
		{"two sources", Spec{Path: path, URL: at("/module.wasm"), SHA256: sum}, StepRead, "but 2 were given"},
		{"an address without a hash", Spec{URL: at("/module.wasm")}, StepRead, "requires the sha256"},
		{"a plain address", Spec{URL: "http://example.com/a.wasm?sig=HUNTER2", SHA256: sum}, StepRead, "not an https URL"},
		{"a text that is no address", Spec{URL: "://HUNTER2", SHA256: sum}, StepRead, "not an https URL"},
		{"a missing page", Spec{URL: at("/no.wasm"), SHA256: sum}, StepRead, "the server answered 404"},
		{"a token in the path", Spec{URL: at("/dl/eyJhbGciHUNTER2iJIUzI1NiJ9/no.wasm"), SHA256: sum}, StepRead, "the server answered 404"},
		{"a user and a password", Spec{URL: "https://me:HUNTER2@127.0.0.1:1/a.wasm", SHA256: sum}, StepRead, "refused"},
		{"a redirect to a plain address", Spec{URL: at("/plain.wasm"), SHA256: sum}, StepRead, "a URL that is not https"},
		{"a redirect without end", Spec{URL: at("/round.wasm"), SHA256: sum}, StepRead, "redirects more than 5 times"},
		{"a server that is not there", Spec{URL: "https://127.0.0.1:1/a.wasm?sig=HUNTER2", SHA256: sum}, StepRead, "refused"},
		{"an address with too much", Spec{URL: at("/module.wasm"), SHA256: sum, Limit: 8}, StepRead, "the limit is 8; strip its debug sections"},
		{"a file with too much", Spec{Path: path, Limit: 8}, StepRead, "the limit is 8; strip its debug sections"},
		{"bytes that are too many", Spec{Bytes: wasm, Limit: 8}, StepRead, "the limit is 8; strip its debug sections"},
		{"a file that is not there", Spec{Path: filepath.Join(dir, "b.wasm")}, StepRead, "check the path"},
		{"a directory", Spec{Path: dir}, StepRead, "name the .wasm file in it"},
		{"another hash", Spec{Path: path, SHA256: strings.Repeat("0", 64)}, StepPin, "pin the new hash after a review"},
		{"a hash that is none", Spec{Path: path, SHA256: "abc"}, StepPin, "not 64 hexadecimal digits"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.spec.Limit == 0 {
				c.spec.Limit = 1000
			}
			_, err := Fetch(t.Context(), c.spec, server.options(t))
			if failed := stepOf(t, err); failed.Step != c.step || !strings.Contains(failed.Detail, c.want) {
				t.Errorf("error is %v\nwant %s at step %s", err, c.want, c.step)
			}
			if strings.Contains(err.Error(), "HUNTER2") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

func TestRedirectsToHTTPSAreFollowed(t *testing.T) {
	server := serve(t, wasm)
	m, err := Fetch(t.Context(), Spec{URL: server.URL + "/moved.wasm", SHA256: hashOf(wasm), Limit: 1000}, server.options(t))
	if err != nil || string(m.Wasm) != string(wasm) {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestADownloadEndsWithItsContext(t *testing.T) {
	begun := make(chan struct{})
	release := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		close(begun)
		<-release
	}))
	defer server.Close()
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	_, err := Fetch(ctx, Spec{URL: server.URL + "/a.wasm", SHA256: hashOf(wasm), Limit: 1000}, Options{Client: server.Client(), Dir: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
