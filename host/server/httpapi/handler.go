package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// maxBody is the largest request in bytes: the arguments of a tool.
const maxBody = 4 << 20

// Prefix is what all paths begin with.
const Prefix = "/v1/agent/"

// DefaultClient is the name of a client that gives none; it chooses the toolsets.
const DefaultClient = "hermes-api-server"

// Tasks are what the tools work on; see package tasks.
type Tasks interface {
	// Running gives a task, or nil where it has not been started or has ended.
	Running(id string) *host.Task
}

// Options is what a handler is made with.
type Options struct {
	// Tools are offered; a call starts its task where it needs one.
	Tools agent.Tools
	// CheckToolsets tells what is wrong with the names of toolsets; nil takes all.
	CheckToolsets func(names []string) error
	// Settle is waited for before tools are listed or called: those that come a moment later than the server are there then.
	// Nil: nothing is waited for.
	Settle func(context.Context)
	// Tasks are where the tools work.
	Tasks Tasks
	// Recordings are those of the tasks; nil: there are none.
	Recordings Recordings
	// Version is shown in the document.
	Version string
	// Logger receives what goes wrong; nil logs nothing.
	Logger *slog.Logger
}

// api serves the routes.
type api struct{ Options }

// NewHandler serves the API. It lets everybody in: see [Routes] and [control.Guard].
func NewHandler(o Options) http.Handler {
	a := newAPI(o)
	nothing := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, bad(http.StatusNotFound, "bad_request", "there is no %s %s; %s describes what there is", r.Method, r.URL.Path, pathDocument))
	})
	return access.Unguarded(access.NewMux(a.table(), nothing, a.fail))
}

// Routes are the API as a table, for agents and what their tokens are bound to. A caller must have been told, see
// [access.With].
func Routes(o Options) []access.Route { return newAPI(o).table() }

func newAPI(o Options) *api {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Settle == nil {
		o.Settle = func(context.Context) {}
	}
	if o.CheckToolsets == nil {
		o.CheckToolsets = func([]string) error { return nil }
	}
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

// route is one whose errors are answered as all are.
type route struct {
	pattern, does string
	binding       access.Binding
	serve         func(http.ResponseWriter, *http.Request) error
}

// routes are all that is served; the document has the same, with a path for each tool.
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

// toolList is what GET of the tools answers.
type toolList struct {
	Tools []agent.Tool `json:"tools"`
}

func (a *api) list(w http.ResponseWriter, r *http.Request) error {
	view, err := a.view(r)
	if err != nil {
		return err
	}
	a.Settle(r.Context())
	return a.write(w, http.StatusOK, toolList{append([]agent.Tool{}, a.Tools.Tools(view)...)})
}

// call calls a tool. The end of the request ends the call: nobody would be there for its result.
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
	result, err := a.Tools.Call(r.Context(), agent.Call{
		Task: view.Task, Client: view.Client, Toolsets: view.Toolsets, Within: view.Within, Name: r.PathValue("name"), Arguments: arguments,
	})
	switch {
	case errors.Is(err, agent.ErrUnknownTool):
		return bad(http.StatusNotFound, "unknown_tool", "%s", err.Error())
	case err != nil:
		return err
	}
	if result.Structured == nil {
		result.Structured = map[string]any{}
	}
	return a.write(w, http.StatusOK, result)
}

// argumentsOf reads the body: one JSON object, or nothing.
func argumentsOf(r *http.Request) (json.RawMessage, error) {
	text, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, bad(http.StatusRequestEntityTooLarge, "bad_request", "the body has more than %d bytes", large.Limit)
	case err != nil:
		return nil, bad(http.StatusBadRequest, "bad_request", "the body can not be read: %v", err)
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return nil, bad(http.StatusBadRequest, "bad_request", "the body is not a JSON object with the arguments of the tool")
	}
	return text, nil
}

// view reads for whom a request is.
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
		return agent.View{}, bad(http.StatusBadRequest, "bad_request", "toolsets: %v", err)
	}
	return v, nil
}

// taskOf is the task that a request is for. A foreign one is refused, whether it is there or not.
func taskOf(r *http.Request) (string, error) {
	task, err := access.CallerOf(r.Context()).Task(r.URL.Query().Get("task"))
	if err != nil {
		return "", bad(http.StatusForbidden, "forbidden", "%v", err)
	}
	return task, nil
}

// requestError is what is wrong with a request.
type requestError struct {
	status int
	body   control.Error
}

func (e *requestError) Error() string { return e.body.Message }

func bad(status int, code control.Code, format string, args ...any) error {
	return &requestError{status, control.Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}

type errorBody struct {
	Error *control.Error `json:"error"`
}

func (a *api) fail(w http.ResponseWriter, err error) {
	out, status := control.ErrorOf(err), http.StatusInternalServerError
	var wrong *requestError
	if errors.As(err, &wrong) {
		out, status = &wrong.body, wrong.status
	}
	if err := a.write(w, status, errorBody{out}); err != nil {
		a.Logger.Error("an answer of the agents' API can not be written as JSON", "error", err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// write leaves the texts of pages as they are. Its error is that a value can not be written as JSON; nothing is sent then.
func (a *api) write(w http.ResponseWriter, status int, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // a client that is gone needs no answer
	return nil
}
