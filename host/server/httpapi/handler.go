package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/spans"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// maxBody limits a request, which has the arguments of a tool, in bytes.
const maxBody = 4 << 20

// Prefix begins all paths.
const Prefix = "/v1/agent/"

// DefaultClient is the name of a client that gives none; it selects the toolsets.
const DefaultClient = "hermes-api-server"

// Options says what is offered. The version is shown in the document.
type Options = tasks.Offer

// api serves the routes.
type api struct{ Options }

// NewHandler serves the API. It lets everybody in; see [Routes] and [control.Guard].
func NewHandler(o Options) http.Handler {
	a := newAPI(o)
	nothing := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, bad(fault.ErrUnknownPath, "there is no %s %s; %s describes this API", r.Method, r.URL.Path, pathDocument))
	})
	return access.Unguarded(access.NewMux(a.table(), nothing, a.fail))
}

// Routes returns the API as a table, for agents and what their tokens are bound to. Requests must carry a caller, see
// [access.With].
func Routes(o Options) []access.Route { return newAPI(o).table() }

func newAPI(o Options) *api {
	o = o.WithDefaults()
	if o.Recordings == nil {
		o.Recordings = noRecordings{}
	}
	return &api{o}
}

// The paths of the API, version 1.
const (
	pathTools    = Prefix + "tools"
	pathCall     = Prefix + "tools/{name}/call"
	pathEvents   = Prefix + "events"
	pathDocument = Prefix + "openapi.json"
)

// route is a route whose errors are answered uniformly.
type route struct {
	pattern, does string
	binding       access.Binding
	serve         func(http.ResponseWriter, *http.Request) error
}

// routes returns everything that is served. The document has the same, with one path for each tool.
func (a *api) routes() []route {
	return []route{
		{"GET " + pathTools, "list the tools", access.ByTask, a.list},
		{"POST " + pathCall, "call a tool", access.ByTask, a.call},
		{"GET " + pathEvents, "stream what happens to a task", access.ByTask, a.events},
		{"GET " + pathDocument, "describe this API", access.ByTask, a.document},
		{"GET " + pathRecordings, "list recordings", access.ByTask, a.recordings},
		{"GET " + pathRecording, "read a recording", access.ByRecording, a.recording},
	}
}

func (a *api) table() []access.Route {
	var list []access.Route
	for _, r := range a.routes() {
		handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			request.Body = http.MaxBytesReader(w, request.Body, maxBody)
			if err := r.serve(w, request); err != nil {
				a.fail(w, err)
			}
		})
		list = append(list, access.Route{Pattern: r.pattern, Role: access.Agent, Binding: r.binding, Does: r.does, Handler: handler})
	}
	return list
}

// toolList is the answer to GET tools.
type toolList struct {
	Tools []agent.Tool `json:"tools"`
}

func (a *api) list(w http.ResponseWriter, r *http.Request) error {
	view, err := a.view(r)
	if err != nil {
		return err
	}
	a.Settle(r.Context())
	return a.write(w, toolList{append([]agent.Tool{}, a.Tools.Tools(view)...)})
}

// call calls a tool. The end of the request ends the call, as nobody would receive its result.
func (a *api) call(w http.ResponseWriter, r *http.Request) error {
	view, err := a.view(r)
	if err != nil {
		return err
	}
	arguments, err := argumentsOf(r)
	if err != nil {
		return err
	}
	a.Settle(r.Context())
	result, err := a.Tools.Call(spans.From(r.Context(), nil, r.Header), agent.Call{
		Task: view.Task, Client: view.Client, Toolsets: view.Toolsets, Within: view.Within, Name: r.PathValue("name"), Arguments: arguments,
	})
	if err != nil {
		return err
	}
	if result.Structured == nil {
		result.Structured = map[string]any{}
	}
	return a.write(w, result)
}

// argumentsOf reads the body: a JSON object or nothing.
func argumentsOf(r *http.Request) (json.RawMessage, error) {
	text, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, bad(fault.ErrRequestTooLarge, "the body has more than %d bytes", large.Limit)
	case err != nil:
		return nil, bad(fault.ErrBadRequest, "the body cannot be read: %v", err)
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return nil, bad(fault.ErrBadRequest, "the body is not a JSON object with the arguments of the tool")
	}
	return text, nil
}

// view returns the view that a request asks for.
func (a *api) view(r *http.Request) (agent.View, error) {
	task, err := taskOf(r)
	if err != nil {
		return agent.View{}, err
	}
	query := r.URL.Query()
	v := agent.View{Task: task, Client: cmp.Or(query.Get("client"), DefaultClient), Within: access.CallerOf(r.Context()).Within()}
	if list := query.Get("toolsets"); list != "" {
		v.Toolsets = strings.Split(list, ",")
	}
	if err := a.CheckToolsets(v.Toolsets); err != nil {
		return agent.View{}, bad(fault.ErrToolset, "toolsets: %v", err)
	}
	return v, nil
}

// taskOf returns the task of a request. Somebody else's task is refused, whether or not it exists.
func taskOf(r *http.Request) (string, error) {
	return access.CallerOf(r.Context()).Task(r.URL.Query().Get("task"))
}

// bad says what is wrong with a request.
func bad(code fault.Code, format string, args ...any) error {
	return &fault.Error{Code: code, Err: fmt.Errorf(format, args...)}
}

func (a *api) fail(w http.ResponseWriter, err error) {
	out := control.ErrorOf(err)
	control.WriteJSON(w, out.Code.HTTPStatus(), control.ErrorBody{Error: out}, a.Logger)
}

func (a *api) write(w http.ResponseWriter, v any) error {
	control.WriteJSON(w, http.StatusOK, v, a.Logger)
	return nil
}
