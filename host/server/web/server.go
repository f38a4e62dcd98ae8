package web

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

//go:embed assets
var embedded embed.FS

// Options is what the page shows. All fields are required unless they say otherwise.
type Options struct {
	// API is the operator's; the page uses it as commands do.
	API control.API
	// Task returns a task that is there, or nil.
	Task func(id string) *host.Task
	// Tasks returns all tasks.
	Tasks func() []*host.Task
	// Recordings and OpenRecording are those of [host.Host].
	Recordings    func(task string) ([]host.Recording, error)
	OpenRecording func(id string) (*os.File, host.Recording, error)
	// Calls returns the last calls of a task, or of all; see [agent.Registry.Calls].
	Calls func(task string) []agent.CallRecord
	// Agents returns what an agent's token allows; nil: it is not an agent's token.
	Agents func(token string) *access.Grant
	// Charts are the samples of the last hour.
	Charts *charts.Charts
	Log    *slog.Logger
	// Entered is told, with the context of who asks, whether a browser with a link was let in. May be nil.
	Entered func(ctx context.Context, ok bool)
	// Documents are the files of the book that is served under /docs, without a session. May be nil.
	Documents fs.FS
	// Name is the name under which the page is served beside addresses and localhost; empty: none.
	Name string
}

// Server serves the page. It is safe for concurrent use.
type Server struct {
	o        Options
	host     string
	sessions sessions
	hands    hands
	mux      http.Handler
	closing  context.Context // ends the streams
	close    context.CancelFunc
}

// New returns a server of the page.
func New(o Options) *Server {
	s := &Server{o: o, host: o.Name}
	s.closing, s.close = context.WithCancel(context.Background())
	files, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // it is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", http.FileServerFS(files))
	mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(files)))
	if o.Documents != nil {
		mux.Handle("GET /docs/", http.StripPrefix("/docs", s.documents()))
	}
	mux.HandleFunc("POST /live/login", s.login)
	mux.Handle("/", s.identify(control.NewMux(s.Routes(), o.Log)))
	s.mux = s.protect(mux)
	return s
}

// Close ends the streams, for which the end of an HTTP server would wait.
func (s *Server) Close() { s.close() }

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Routes are what needs a session: the page's own routes and the operator's API. All of it is for the operator.
func (s *Server) Routes() []access.Route {
	route := func(pattern, does string, serve func(http.ResponseWriter, *http.Request) error) access.Route {
		return access.Route{Pattern: pattern, Role: access.Operator, Does: does, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r); err != nil {
				s.fail(w, err)
			}
		})}
	}
	return slices.Concat(control.Routes(s.o.API, s.o.Log), []access.Route{
		charts.Route(s.o.Charts, s.o.Log),
		route("GET /live/stream", "stream what the live page shows", s.stream),
		route("GET /live/pictures", "stream what a tab shows", s.pictures),
		route("POST /live/input", "give a person's input to a page", s.input),
		route("GET /live/recordings", "list the recordings of a task", s.recordings),
		route("GET /live/recordings/{id}", "read a recording", s.recording),
		route("POST /live/check", "check a module", s.check),
		route("POST /live/replay", "run a recorded call on a module", s.replay),
	})
}

// Link returns a link at an address that lets one browser in.
func (s *Server) Link(address string) control.LiveLink {
	text, ends := s.sessions.invite(time.Now())
	return control.LiveLink{URL: "http://" + address + "/#code=" + text, Expires: host.UnixTime{Time: ends}}
}
