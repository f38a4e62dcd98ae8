package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// maxBody limits a request, in bytes: an expression, or the parameters of a raw command.
const maxBody = 64 << 20

// The paths of the API, version 1.
const (
	pathStatus        = "/v1/status"
	pathReload        = "/v1/reload"
	pathPlugins       = "/v1/plugins"
	pathTasks         = "/v1/tasks"
	pathSnapshot      = "/v1/snapshot"
	pathFrames        = "/v1/frames"
	pathExplainFrames = "/v1/frames/explain"
	pathConsole       = "/v1/console"
	pathAnswer        = "/v1/dialogs/answer"
	pathSignIn        = "/v1/dialogs/sign-in"
	pathArmed         = "/v1/dialogs/armed"
	pathExplainDialog = "/v1/dialogs/explain"
	pathEvaluate      = "/v1/evaluate"
	pathCDP           = "/v1/cdp"
	pathResume        = "/v1/resume"
	pathEvents        = "/v1/events"
)

// NewHandler serves an API over HTTP. It lets everybody in; see [ListenSocket] and [Guard].
func NewHandler(api API, log *slog.Logger) http.Handler {
	return access.Unguarded(NewMux(Routes(api, log), log))
}

// NewMux serves a table of routes to the callers with the right roles; [Guard] identifies them.
func NewMux(routes []access.Route, log *slog.Logger) http.Handler {
	nothing := answer(func(r *http.Request) (any, error) {
		return nil, fmt.Errorf("%w: there is no %s %s; the paths of this version begin with /v1/", fault.ErrUnknownPath, r.Method, r.URL.Path)
	}, log)
	return access.NewMux(routes, nothing, func(w http.ResponseWriter, err error) { writeError(w, err, log) })
}

// Routes returns the API as a table. All of it is for the operator.
func Routes(api API, log *slog.Logger) []access.Route {
	list := []access.Route{{
		Pattern: "GET " + pathEvents, Role: access.Operator, Does: "stream what happens to a task", Handler: streamEvents(api, log),
	}}
	for _, r := range slices.Concat(statusRoutes(api), taskRoutes(api), pageRoutes(api), pluginRoutes(api), storeRoutes(api), toolRoutes(api), tokenRoutes(api), holdRoutes(api), logRoutes(api)) {
		list = append(list, access.Route{Pattern: r.pattern, Role: access.Operator, Does: r.does, Handler: answer(r.serve, log)})
	}
	return list
}

// route is a route that returns a value.
type route struct {
	pattern, does string
	serve         func(*http.Request) (any, error)
}

func statusRoutes(api API) []route {
	return []route{
		{"GET " + pathStatus, "show tasks, plugins and counters", of(api.Status)},
		{"POST " + pathReload, "read the configuration again", of(api.Reload)},
		{"GET " + pathJournal, "list the calls of plugins and what they saw", journalRoute(api)},
		{"GET " + pathHints, "list the names that commands complete", ofTask(api.Hints)},
	}
}

func taskRoutes(api API) []route {
	console := func(clear bool) func(*http.Request) (any, error) {
		return func(r *http.Request) (any, error) { return api.Console(r.Context(), taskOf(r), clear) }
	}
	return []route{
		{"POST " + pathTasks, "start a task", taking(api.Connect)},
		{"DELETE " + pathTasks, "end a task", ofTask(api.Disconnect)},
		{"GET " + pathSnapshot, "show tabs, frames, dialogs and console", ofTask(api.Snapshot)},
		{"GET " + pathFrames, "show the frame trees", func(r *http.Request) (any, error) {
			raw, err := rawOf(r)
			if err != nil {
				return nil, err
			}
			return api.Frames(r.Context(), taskOf(r), raw)
		}},
		{"GET " + pathExplainFrames, "explain how the frame trees came about", ofTask(api.ExplainFrames)},
		{"GET " + pathConsole, "show console messages", console(false)},
		{"DELETE " + pathConsole, "show and discard console messages", console(true)},
		{"POST " + pathAnswer, "answer a dialog", ofTaskTaking(api.RespondDialog)},
		{"POST " + pathSignIn, "answer a dialog to sign in", ofTaskTaking(api.RespondSignIn)},
		{"PUT " + pathArmed, "arm the answer to the next dialog", ofTaskTaking(api.ArmDialog)},
		{"DELETE " + pathArmed, "withdraw an armed answer", ofTask(api.DisarmDialog)},
		{"GET " + pathExplainDialog, "explain how a dialog was decided", func(r *http.Request) (any, error) {
			return api.ExplainDialog(r.Context(), taskOf(r), r.URL.Query().Get("dialog"))
		}},
	}
}

func pageRoutes(api API) []route {
	return []route{
		{"POST " + pathEvaluate, "run script in a page", ofTaskTaking(api.Evaluate)},
		{"POST " + pathCDP, "send a raw command", ofTaskTaking(api.CDP)},
		{"POST " + pathResume, "wait for a call that a dialog interrupted", body(func(r *http.Request, in resumeRequest) (any, error) {
			return api.Resume(r.Context(), taskOf(r), in.CallID)
		})},
	}
}

// of serves a call of the API that takes nothing, ofTask one about a task, ofName one about what the path names; taking
// and ofTaskTaking are for those that take what the body of the request has.
func of[Out any](ask func(context.Context) (Out, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) { return ask(r.Context()) }
}

func ofTask[Out any](ask func(context.Context, string) (Out, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) { return ask(r.Context(), taskOf(r)) }
}

func ofName[Out any](ask func(context.Context, string) (Out, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) { return ask(r.Context(), r.PathValue("name")) }
}

func taking[In, Out any](ask func(context.Context, In) (Out, error)) func(*http.Request) (any, error) {
	return body(func(r *http.Request, in In) (any, error) { return ask(r.Context(), in) })
}

func ofTaskTaking[In, Out any](ask func(context.Context, string, In) (Out, error)) func(*http.Request) (any, error) {
	return body(func(r *http.Request, in In) (any, error) { return ask(r.Context(), taskOf(r), in) })
}

type resumeRequest struct {
	CallID string `json:"call_id"`
}

func taskOf(r *http.Request) string { return r.URL.Query().Get("task") }

// rawOf reports whether the raw frame tree is wanted.
func rawOf(r *http.Request) (bool, error) {
	text := r.URL.Query().Get("raw")
	raw, err := strconv.ParseBool(cmp.Or(text, "false"))
	if err != nil {
		return false, badRequest("raw is %q, want true or false", text)
	}
	return raw, nil
}

// body decodes the JSON of a request for its route.
func body[In any](route func(*http.Request, In) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		var in In
		decoder := json.NewDecoder(r.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&in); err != nil {
			return nil, badRequest("the body is not the JSON that %s takes: %w", r.URL.Path, err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return nil, badRequest("the body has more than one JSON value")
		}
		return route(r, in)
	}
}

func answer(route func(*http.Request) (any, error), log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		out, err := route(r)
		if err != nil {
			writeError(w, err, log)
			return
		}
		WriteJSON(w, http.StatusOK, out, log)
	})
}

// ErrorBody is the answer to a request that failed.
type ErrorBody struct {
	Error *Error `json:"error"`
}

func writeError(w http.ResponseWriter, err error, log *slog.Logger) {
	e := ErrorOf(err)
	WriteJSON(w, e.Code.HTTPStatus(), ErrorBody{e}, log)
}

// WriteJSON answers with a value, in which texts of pages are unchanged.
func WriteJSON(w http.ResponseWriter, status int, v any, log *slog.Logger) {
	text, err := pagetext.Marshal(v)
	if err != nil {
		log.Error("an answer cannot be encoded as JSON", "error", err)
		status, text = http.StatusInternalServerError, []byte(`{"error":{"code":"failed","message":"the answer cannot be encoded as JSON"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // an error means that the client is gone
}
