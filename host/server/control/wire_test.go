package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

// recorder is an API that records its calls and returns given results.
type recorder struct {
	asked  []any
	status Status
	err    error
}

func (r *recorder) note(what ...any) { r.asked = what }

func (r *recorder) Status(context.Context) (Status, error) { r.note("status"); return r.status, r.err }

func (r *recorder) Reload(context.Context) (Status, error) { r.note("reload"); return r.status, r.err }

func (r *recorder) Plugins(context.Context) ([]host.PluginInfo, error) {
	r.note("plugins")
	return []host.PluginInfo{{Name: "p", Hooks: []string{"h"}, Calls: 3}}, r.err
}

func (r *recorder) Connect(_ context.Context, c ConnectRequest) (TaskStatus, error) {
	r.note("connect", c)
	return TaskStatus{ID: "t", Targets: 2}, r.err
}

func (r *recorder) Disconnect(_ context.Context, task string) (TaskStatus, error) {
	r.note("disconnect", task)
	return TaskStatus{ID: "t"}, r.err
}

func (r *recorder) Snapshot(_ context.Context, task string) (*host.Snapshot, error) {
	r.note("snapshot", task)
	return &host.Snapshot{TaskID: "t", PendingDialogs: []host.Dialog{dialog}, Armed: &armed}, r.err
}

func (r *recorder) Frames(_ context.Context, task string, raw bool) ([]TargetFrames, error) {
	r.note("frames", task, raw)
	return []TargetFrames{{TargetID: "a", FrameTree: &host.FrameTree{Top: host.Frame{FrameID: "f"}, Children: []host.Frame{}}}}, r.err
}

func (r *recorder) ExplainFrames(_ context.Context, task string) ([]host.FramesExplanation, error) {
	r.note("explain frames", task)
	return []host.FramesExplanation{{TargetID: "a", Calls: []host.HookCall{}, Frames: []host.FrameExplanation{{Reason: "cap"}}}}, r.err
}

func (r *recorder) Console(_ context.Context, task string, clear bool) (Console, error) {
	r.note("console", task, clear)
	return Console{Messages: []host.ConsoleMessage{{Text: "x", At: at}}, Total: 9}, r.err
}

func (r *recorder) RespondDialog(_ context.Context, task string, a DialogAnswer) (host.Dialog, error) {
	r.note("respond", task, a)
	return dialog, r.err
}

func (r *recorder) RespondSignIn(_ context.Context, task string, a SignInAnswer) (host.SignIn, error) {
	r.note("sign in", task, a)
	return host.SignIn{ID: "d-2", Kind: host.SignInAccount, Accounts: []host.Account{{ID: "1", Email: "ann@example.com"}}}, r.err
}

func (r *recorder) ArmDialog(_ context.Context, task string, a host.ArmedAnswer) (host.ArmedAnswer, error) {
	r.note("arm", task, a)
	return armed, r.err
}

func (r *recorder) DisarmDialog(_ context.Context, task string) (*host.ArmedAnswer, error) {
	r.note("disarm", task)
	return nil, r.err
}

func (r *recorder) ExplainDialog(_ context.Context, task, id string) (host.DialogExplanation, error) {
	r.note("explain", task, id)
	took := time.Duration(7)
	return host.DialogExplanation{
		Dialog: dialog, Event: json.RawMessage(`{"a":1}`), Calls: []host.HookCall{}, Timings: host.DialogTimings{Asked: &took},
	}, r.err
}

func (r *recorder) Evaluate(_ context.Context, task string, e EvaluateRequest) (host.Evaluation, error) {
	r.note("evaluate", task, e)
	return host.Evaluation{Value: json.RawMessage(`{"x":["<1>"]}`), Type: "object"}, r.err
}

func (r *recorder) CDP(_ context.Context, task string, c CDPRequest) (host.CDPResult, error) {
	r.note("cdp", task, c)
	return host.CDPResult{Method: c.Method, Result: json.RawMessage(`{}`)}, r.err
}

func (r *recorder) Resume(_ context.Context, task, call string) (host.Resumed, error) {
	r.note("resume", task, call)
	return host.Resumed{CDP: &host.CDPResult{Method: "m", Result: json.RawMessage(`1`)}}, r.err
}

func (r *recorder) Events(_ context.Context, task string, begun func(), each func(host.Event) error) error {
	r.note("events", task)
	if r.err != nil {
		return r.err
	}
	begun()
	for range 2 {
		if err := each(host.Event{Kind: host.EventConsole, TaskID: "t"}); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) NewToken(_ context.Context, q access.Request) (access.Made, error) {
	r.note("new token", q)
	return access.Made{Token: access.Token{Name: q.Name, Created: at.Time}, Secret: "s"}, r.err
}

func (r *recorder) Tokens(context.Context) ([]access.Token, error) {
	r.note("tokens")
	return []access.Token{{Name: "n", Tasks: []string{"t-*"}, LastUsed: at.Time}}, r.err
}

func (r *recorder) RevokeToken(_ context.Context, name string) (access.Token, error) {
	r.note("revoke", name)
	return access.Token{Name: name}, r.err
}

func (r *recorder) TakeOver(_ context.Context, task string) (host.Hold, error) {
	r.note("take over", task)
	return host.Hold{Since: at}, r.err
}

func (r *recorder) GiveBack(_ context.Context, task, note string) (host.HandBack, error) {
	r.note("give back", task, note)
	return host.HandBack{Note: note, Held: time.Minute}, r.err
}

func (r *recorder) AnswerQuestion(_ context.Context, task string, a QuestionAnswer) (host.Question, error) {
	r.note("answer question", task, a)
	return host.Question{ID: a.ID, Text: "?", Asked: at}, r.err
}

func (r *recorder) NewLiveLink(context.Context) (LiveLink, error) {
	r.note("live link")
	return LiveLink{URL: "u", Expires: at}, r.err
}

var (
	at     = host.UnixTime{Time: time.UnixMicro(1_700_000_000_123_456)}
	dialog = host.Dialog{ID: "d-1", Type: "confirm", Message: "really?", OpenedAt: at, Deadline: at}
	signIn = SignInAnswer{ID: "d-2", Accept: true, Account: "ann@example.com"}
	armed  = host.ArmedAnswer{Accept: true, Type: "confirm", ExpiresAt: at}
)

func (r *recorder) LogLevels(context.Context) (logs.Setting, error) {
	r.note("log levels")
	return logs.Setting{Level: "info", Packages: map[string]string{"engine": "debug"}}, r.err
}

func (r *recorder) SetLogLevels(_ context.Context, change logs.Setting) (logs.Setting, error) {
	r.note("set log levels", change)
	return change, r.err
}

// serveSocket serves an API on a socket and returns a client.
func serveSocket(t *testing.T, api API) *Client {
	t.Helper()
	path := filepath.Join(shortDir(t), "c.sock")
	listener, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: NewHandler(api, slog.New(slog.DiscardHandler))}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	client := NewSocketClient(path)
	t.Cleanup(func() {
		client.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return client
}

// Each call reaches the API on the other side with its arguments, and its result comes back unchanged.
func TestEveryCallCrossesTheWire(t *testing.T) {
	text := "a text"
	answer := DialogAnswer{DialogID: "d-1", Accept: true, PromptText: &text}
	evaluate := EvaluateRequest{
		Expression: "1", TargetID: "t", FrameID: "f", World: host.WorldIsolated, Element: &Element{Selector: "p"},
		Timeout: time.Second, UserGesture: true, AwaitPromise: true,
	}
	raw := CDPRequest{Method: "Page.reload", Params: json.RawMessage(`{"a":1}`), TargetID: "t", Timeout: time.Second}
	swap := host.PluginChange{
		PluginSource: host.PluginSource{Path: "/x.wasm", SHA256: "ab", PublicKey: "RW", Signature: "/x.minisig", Wasm: []byte{0, 1}},
		Config:       map[string]any{"a": []any{"b", 1.5}}, Trigger: TriggerCommand, Reason: "r", RequireSame: true, Tasks: []string{"t"}, DropTools: []string{"x"},
	}
	addition := host.PluginAddition{
		PluginSource: swap.PluginSource, Hooks: []string{"navigate"}, Capabilities: []string{"kv"}, Sources: []string{"/"}, IgnoreExtraHooks: true,
		Sigstore: host.Sigstore{Issuer: "i", Identity: "a", IdentityPattern: "b", TrustedRoot: "/r"}, StoreOnDisk: true,
		Priority: 3, Config: swap.Config, Trigger: TriggerCommand, Reason: "r",
	}
	removal := host.PluginRemoval{DropHooks: []string{"dialog"}, DropTools: []string{"x"}, Trigger: TriggerCommand, Reason: "r"}
	connect := ConnectRequest{Task: "t", Address: "a", Launch: true, Scope: "context", TargetID: "x", URL: "u", DialogPolicy: "p"}
	token := access.Request{Name: "n", Tasks: []string{"t-*"}, Toolsets: []string{"browser"}, Lifetime: time.Hour}
	quieter := logs.Setting{Level: "warn", Packages: map[string]string{"engine": "debug"}}
	ctx := t.Context()
	for name, c := range map[string]struct {
		call func(API) (any, error)
		want []any
	}{
		"status":            {func(a API) (any, error) { return a.Status(ctx) }, []any{"status"}},
		"reload":            {func(a API) (any, error) { return a.Reload(ctx) }, []any{"reload"}},
		"plugins":           {func(a API) (any, error) { return a.Plugins(ctx) }, []any{"plugins"}},
		"connect":           {func(a API) (any, error) { return a.Connect(ctx, connect) }, []any{"connect", connect}},
		"disconnect":        {func(a API) (any, error) { return a.Disconnect(ctx, "a b/ü?&") }, []any{"disconnect", "a b/ü?&"}},
		"snapshot":          {func(a API) (any, error) { return a.Snapshot(ctx, "") }, []any{"snapshot", ""}},
		"frames":            {func(a API) (any, error) { return a.Frames(ctx, "t", false) }, []any{"frames", "t", false}},
		"raw frames":        {func(a API) (any, error) { return a.Frames(ctx, "t", true) }, []any{"frames", "t", true}},
		"explain frames":    {func(a API) (any, error) { return a.ExplainFrames(ctx, "t") }, []any{"explain frames", "t"}},
		"console":           {func(a API) (any, error) { return a.Console(ctx, "t", false) }, []any{"console", "t", false}},
		"clear the console": {func(a API) (any, error) { return a.Console(ctx, "t", true) }, []any{"console", "t", true}},
		"answer":            {func(a API) (any, error) { return a.RespondDialog(ctx, "t", answer) }, []any{"respond", "t", answer}},
		"sign in":           {func(a API) (any, error) { return a.RespondSignIn(ctx, "t", signIn) }, []any{"sign in", "t", signIn}},
		"arm":               {func(a API) (any, error) { return a.ArmDialog(ctx, "t", armed) }, []any{"arm", "t", armed}},
		"disarm":            {func(a API) (any, error) { return a.DisarmDialog(ctx, "t") }, []any{"disarm", "t"}},
		"explain":           {func(a API) (any, error) { return a.ExplainDialog(ctx, "t", "d-1") }, []any{"explain", "t", "d-1"}},
		"evaluate":          {func(a API) (any, error) { return a.Evaluate(ctx, "t", evaluate) }, []any{"evaluate", "t", evaluate}},
		"cdp":               {func(a API) (any, error) { return a.CDP(ctx, "t", raw) }, []any{"cdp", "t", raw}},
		"resume":            {func(a API) (any, error) { return a.Resume(ctx, "t", "c-1") }, []any{"resume", "t", "c-1"}},
		"swap":              {func(a API) (any, error) { return a.SwapPlugin(ctx, "p", swap) }, []any{"swap", "p", swap}},
		"add a plugin":      {func(a API) (any, error) { return a.InstallPlugin(ctx, "p", addition) }, []any{"install", "p", addition}},
		"remove a plugin":   {func(a API) (any, error) { return a.WithdrawPlugin(ctx, "p", removal) }, []any{"withdraw", "p", removal}},
		"configure":         {func(a API) (any, error) { return a.ReconfigurePlugin(ctx, "p", swap) }, []any{"reconfigure", "p", swap}},
		"rollback":          {func(a API) (any, error) { return a.RollbackPlugin(ctx, "p", "why") }, []any{"rollback", "p", "why"}},
		"history":           {func(a API) (any, error) { return a.PluginHistory(ctx, "p") }, []any{"history", "p"}},
		"shadow":            {func(a API) (any, error) { return a.ShadowPlugin(ctx, "p", swap) }, []any{"shadow", "p", swap}},
		"show shadow":       {func(a API) (any, error) { return a.PluginShadow(ctx, "p") }, []any{"show shadow", "p"}},
		"promote":           {func(a API) (any, error) { return a.PromotePlugin(ctx, "p", "why") }, []any{"promote", "p", "why"}},
		"entries":           {func(a API) (any, error) { return a.PluginEntries(ctx, "p", "t") }, []any{"entries", "p", "t"}},
		"entry":             {func(a API) (any, error) { return a.PluginEntry(ctx, "p", "t", "a b&/") }, []any{"entry", "p", "t", "a b&/"}},
		"set an entry":      {func(a API) (any, error) { return a.SetPluginEntry(ctx, "p", "t", "k", []byte{0, 255}, time.Minute) }, []any{"set entry", "p", "t", "k", []byte{0, 255}, time.Minute}},
		"delete an entry":   {func(a API) (any, error) { return a.DeletePluginEntry(ctx, "p", "t", "k") }, []any{"delete entry", "p", "t", "k"}},
		"log":               {func(a API) (any, error) { return a.PluginLog(ctx, "p", 7, true) }, []any{"log", "p", uint64(7), true}},
		"drop":              {func(a API) (any, error) { return a.DropPlugin(ctx, "p") }, []any{"drop", "p"}},
		"hints":             {func(a API) (any, error) { return a.Hints(ctx, "t") }, []any{"hints", "t"}},
		"tools":             {func(a API) (any, error) { return a.Tools(ctx) }, []any{"tools"}},
		"call tool":         {func(a API) (any, error) { return a.CallTool(ctx, "t", toolCall) }, []any{"call tool", "t", toolCall}},
		"new token":         {func(a API) (any, error) { return a.NewToken(ctx, token) }, []any{"new token", token}},
		"tokens":            {func(a API) (any, error) { return a.Tokens(ctx) }, []any{"tokens"}},
		"revoke":            {func(a API) (any, error) { return a.RevokeToken(ctx, "a.b-c") }, []any{"revoke", "a.b-c"}},
		"take over":         {func(a API) (any, error) { return a.TakeOver(ctx, "t") }, []any{"take over", "t"}},
		"give back":         {func(a API) (any, error) { return a.GiveBack(ctx, "t", "done") }, []any{"give back", "t", "done"}},
		"answer question":   {func(a API) (any, error) { return a.AnswerQuestion(ctx, "t", QuestionAnswer{"q-1", "yes"}) }, []any{"answer question", "t", QuestionAnswer{"q-1", "yes"}}},
		"log levels":        {func(a API) (any, error) { return a.LogLevels(ctx) }, []any{"log levels"}},
		"set log levels":    {func(a API) (any, error) { return a.SetLogLevels(ctx, quieter) }, []any{"set log levels", quieter}},
		"live link":         {func(a API) (any, error) { return a.NewLiveLink(ctx) }, []any{"live link"}},
		"events": {func(a API) (any, error) {
			var list []host.Event
			err := a.Events(ctx, "t", func() { list = append(list, host.Event{}) }, func(e host.Event) error {
				list = append(list, e)
				return nil
			})
			return list, err
		}, []any{"events", "t"}},
	} {
		t.Run(name, func(t *testing.T) {
			there := &recorder{}
			client := serveSocket(t, there)
			want, err := c.call(&recorder{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.call(client)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := got.(host.Evaluation); ok && string(v.Value) != `{"x":["<1>"]}` {
				t.Errorf("the page's JSON was changed: %s", v.Value)
			}
			if a, b := asJSON(t, got), asJSON(t, want); a != b {
				t.Errorf("the result is %s, want %s", a, b)
			}
			if a, b := asJSON(t, there.asked), asJSON(t, c.want); a != b {
				t.Errorf("asked %s, want %s", a, b)
			}
			there.err = &host.BlockedError{Dialogs: []host.Dialog{dialog}, CallID: "c-7"}
			_, err = c.call(client)
			var e *Error
			if !errors.Is(err, host.ErrBlockedByDialog) || !errors.As(err, &e) || e.CallID != "c-7" || !reflect.DeepEqual(asJSON(t, e.Dialogs), asJSON(t, []host.Dialog{dialog})) {
				t.Errorf("the error is %#v", err)
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every code keeps its meaning across the wire, and so do the operation and what a code is a case of.
func TestEveryErrorCrossesTheWire(t *testing.T) {
	there := &recorder{}
	client := serveSocket(t, there)
	for _, code := range []fault.Code{fault.ErrTimeout, fault.ErrBrowserGone, fault.ErrNoTask, fault.ErrPluginRefused, fault.ErrUnsupported, "of_an_embedder"} {
		there.err = fault.Of("swap_plugin", fmt.Errorf("a text: %w", code))
		_, err := client.Status(t.Context())
		if e := ErrorOf(err); !errors.Is(err, code) || e.Code != code || e.Op != "swap_plugin" || err.Error() != there.err.Error() {
			t.Errorf("%v arrives as %#v", there.err, err)
		}
	}
	there.err = fault.ErrBrowserGone
	if _, err := client.Status(t.Context()); !errors.Is(err, host.ErrDisconnected) {
		t.Errorf("%v is no longer a lost connection", err)
	}
	there.err = context.DeadlineExceeded
	if _, err := client.Status(t.Context()); !errors.Is(err, host.ErrTimeout) {
		t.Errorf("the end of a context arrives as %#v", err)
	}
	there.err = errors.New("something else")
	if _, err := client.Status(t.Context()); ErrorOf(err).Code != fault.ErrFailed || err.Error() != "something else" {
		t.Errorf("an error without a code arrives as %#v", err)
	}
}

func TestABadRequestSaysWhatIsWrong(t *testing.T) {
	client := serveSocket(t, &recorder{})
	for name, c := range map[string]struct {
		method, path string
		query        url.Values
		in           any
	}{
		"an unknown path":  {"GET", "/v1/nothing", nil, nil},
		"an unknown field": {"POST", pathEvaluate, nil, map[string]string{"expresion": "1"}},
		"a wrong type":     {"POST", pathCDP, nil, map[string]int{"method": 1}},
		"no body":          {"POST", pathAnswer, nil, nil},
		"a relative path":  {"POST", pathPlugins + "/p/swap", nil, host.PluginChange{PluginSource: host.PluginSource{Path: "x.wasm"}}},
		"a relative signature": {
			"POST", pathPlugins + "/p/shadow", nil, host.PluginChange{PluginSource: host.PluginSource{Path: "/x.wasm", Signature: "x.minisig"}},
		},
		"a trigger of the daemon's own": {"POST", pathPlugins + "/p/swap", nil, host.PluginChange{Trigger: "faults"}},
		"a bad name of a plugin":        {"POST", pathPlugins + "/a%2Fb/add", nil, host.PluginAddition{}},
		"a trigger of an addition":      {"POST", pathPlugins + "/p/add", nil, host.PluginAddition{Trigger: "faults"}},
		"a trigger of a removal":        {"POST", pathPlugins + "/p/remove", nil, host.PluginRemoval{Trigger: "faults"}},
		"a bad number of a line":        {"GET", pathPlugins + "/p/logs", queryOf("", "after", "x"), nil},
		"a bad flag of a log":           {"GET", pathPlugins + "/p/logs", queryOf("", "wait", "x"), nil},
		"a bad flag":                    {"GET", pathFrames, queryOf("", "raw", "maybe"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := call[any](t.Context(), client, c.method, c.path, c.query, c.in); !errors.Is(err, fault.ErrBadRequest) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
