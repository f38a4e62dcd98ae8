//go:build unix

package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
)

// table is all that a daemon serves, without what serves it.
func table() []access.Route {
	a := &agents{mcp: mcp.New(mcp.Options{}), http: httpapi.Routes(httpapi.Options{})}
	return a.routes(&control.Local{}, nil, http.NotFoundHandler(), nil, slog.New(slog.DiscardHandler))
}

// sample is a request of a route. TASK in its path is the task that it is about, RECORDING a recording of the task
// mine.
type sample struct {
	method, path, body string
	// operator is the status for the operator, agent for the token of the task, and foreign for that of another.
	operator, agent, foreign int
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// samples are requests of all routes, by their patterns. Those of agents are about the task mine. Those of the
// operator's are about what is not there, so that their statuses say that they were let in, and that nothing happens.
var samples = map[string]sample{
	"/mcp":                             {method: "POST", path: "/mcp?task=TASK", body: initialize, operator: 200, agent: 200, foreign: 403},
	"GET /v1/agent/tools":              {path: "/v1/agent/tools?task=TASK", operator: 200, agent: 200, foreign: 403},
	"POST /v1/agent/tools/{name}/call": {path: "/v1/agent/tools/browser_tabs/call?task=TASK", operator: 200, agent: 200, foreign: 403},
	"GET /v1/agent/events":             {path: "/v1/agent/events?task=TASK", operator: 200, agent: 200, foreign: 403},
	"GET /v1/agent/openapi.json":       {path: "/v1/agent/openapi.json?task=TASK", operator: 200, agent: 200, foreign: 403},
	"GET /v1/agent/recordings":         {path: "/v1/agent/recordings?task=TASK", operator: 200, agent: 200, foreign: 403},
	"GET /v1/agent/recordings/{id}":    {path: "/v1/agent/recordings/RECORDING", operator: 200, agent: 200, foreign: 404},

	"GET /v1/status":                     {path: "/v1/status", operator: 200},
	"POST /v1/reload":                    {path: "/v1/reload", operator: 200},
	"GET /v1/journal":                    {path: "/v1/journal", operator: 200},
	"GET /v1/hints":                      {path: "/v1/hints?task=nothing", operator: 404},
	"POST /v1/tasks":                     {path: "/v1/tasks", body: `{"scope": "nothing"}`, operator: 400},
	"DELETE /v1/tasks":                   {path: "/v1/tasks?task=nothing", operator: 404},
	"POST /v1/tasks/takeover":            {path: "/v1/tasks/takeover?task=nothing", operator: 404},
	"POST /v1/tasks/give-back":           {path: "/v1/tasks/give-back?task=nothing", body: "{}", operator: 404},
	"POST /v1/questions/answer":          {path: "/v1/questions/answer?task=nothing", body: "{}", operator: 404},
	"POST /v1/live-link":                 {path: "/v1/live-link", operator: 200},
	"GET /v1/snapshot":                   {path: "/v1/snapshot?task=nothing", operator: 404},
	"GET /v1/frames":                     {path: "/v1/frames?task=nothing", operator: 404},
	"GET /v1/frames/explain":             {path: "/v1/frames/explain?task=nothing", operator: 404},
	"GET /v1/console":                    {path: "/v1/console?task=nothing", operator: 404},
	"DELETE /v1/console":                 {path: "/v1/console?task=nothing", operator: 404},
	"POST /v1/dialogs/answer":            {path: "/v1/dialogs/answer?task=nothing", body: "{}", operator: 404},
	"POST /v1/dialogs/sign-in":           {path: "/v1/dialogs/sign-in?task=nothing", body: "{}", operator: 404},
	"PUT /v1/dialogs/armed":              {path: "/v1/dialogs/armed?task=nothing", body: "{}", operator: 404},
	"DELETE /v1/dialogs/armed":           {path: "/v1/dialogs/armed?task=nothing", operator: 404},
	"GET /v1/dialogs/explain":            {path: "/v1/dialogs/explain?task=nothing", operator: 404},
	"POST /v1/evaluate":                  {path: "/v1/evaluate?task=nothing", body: "{}", operator: 404},
	"POST /v1/cdp":                       {path: "/v1/cdp?task=nothing", body: "{}", operator: 404},
	"POST /v1/resume":                    {path: "/v1/resume?task=nothing", body: "{}", operator: 404},
	"GET /v1/events":                     {path: "/v1/events?task=nothing", operator: 404},
	"GET /v1/plugins":                    {path: "/v1/plugins", operator: 200},
	"POST /v1/plugins/{name}/swap":       {path: "/v1/plugins/nothing/swap", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/shadow":     {path: "/v1/plugins/nothing/shadow", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/rollback":   {path: "/v1/plugins/nothing/rollback", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/promote":    {path: "/v1/plugins/nothing/promote", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/drop":       {path: "/v1/plugins/nothing/drop", operator: 404},
	"POST /v1/plugins/{name}/add":        {path: "/v1/plugins/nothing/add", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/remove":     {path: "/v1/plugins/nothing/remove", body: "{}", operator: 404},
	"POST /v1/plugins/{name}/configure":  {path: "/v1/plugins/nothing/configure", body: "{}", operator: 404},
	"GET /v1/plugins/{name}/kv":          {path: "/v1/plugins/nothing/kv?task=nothing", operator: 404},
	"GET /v1/plugins/{name}/kv/entry":    {path: "/v1/plugins/nothing/kv/entry?task=nothing&key=a", operator: 404},
	"PUT /v1/plugins/{name}/kv/entry":    {path: "/v1/plugins/nothing/kv/entry?task=nothing&key=a", body: "{}", operator: 404},
	"DELETE /v1/plugins/{name}/kv/entry": {path: "/v1/plugins/nothing/kv/entry?task=nothing&key=a", operator: 404},
	"GET /v1/plugins/{name}/logs":        {path: "/v1/plugins/nothing/logs", operator: 404},
	"GET /v1/plugins/{name}/history":     {path: "/v1/plugins/nothing/history", operator: 404},
	"GET /v1/plugins/{name}/shadow":      {path: "/v1/plugins/nothing/shadow", operator: 404},
	"GET /v1/tools":                      {path: "/v1/tools", operator: 200},
	"POST /v1/tools/call":                {path: "/v1/tools/call?task=nothing", body: "{}", operator: 404},
	"POST /v1/tokens":                    {path: "/v1/tokens", body: "{}", operator: 400},
	"GET /v1/tokens":                     {path: "/v1/tokens", operator: 200},
	"DELETE /v1/tokens/{name}":           {path: "/v1/tokens/nothing", operator: 404},
	"GET /v1/log/levels":                 {path: "/v1/log/levels", operator: 200},
	"PATCH /v1/log/levels":               {path: "/v1/log/levels", body: `{"level": "loud"}`, operator: 400},
	"GET /v1/audit":                      {path: "/v1/audit", operator: 200},
	"GET /metrics":                       {path: "/metrics", operator: 200},
	"GET /v1/charts":                     {path: "/v1/charts", operator: 200},
}

// entrance is one of a daemon's ways in.
type entrance string

const (
	operatorsSocket entrance = "the operator's socket"
	agentsSocket    entrance = "the agents' socket"
	port            entrance = "the port"
)

// client reaches the daemon by one of its ways in.
func (d *running) client(by entrance) *http.Client {
	d.t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		switch by {
		case operatorsSocket:
			return new(net.Dialer).DialContext(ctx, "unix", d.at.Socket)
		case agentsSocket:
			return new(net.Dialer).DialContext(ctx, "unix", d.at.AgentsSocket)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", d.at.Address)
	}}
	d.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask sends a request and gives what is answered; ctx ends it.
func (d *running) ask(ctx context.Context, by entrance, token, method, path, body string) *http.Response {
	d.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := d.client(by).Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer
}

// status is that of a request whose answer is of no interest.
func (d *running) statusOf(by entrance, token, method, path, body string) int {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	defer cancel() // some answers never end
	answer := d.ask(ctx, by, token, method, path, body)
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized {
		text, err := io.ReadAll(answer.Body)
		if err != nil || token != "" && strings.Contains(string(text), token) {
			d.t.Errorf("%s: the answer is %q, %v", path, text, err)
		}
	}
	return answer.StatusCode
}

// operator is the API as the operator has it.
func (d *running) operator() *control.Client {
	c := control.NewSocketClient(d.at.Socket)
	d.t.Cleanup(c.Close)
	return c
}

// token makes a token for these tasks.
func (d *running) token(name string, toolsets []string, tasks ...string) string {
	d.t.Helper()
	made, err := d.operator().NewToken(d.t.Context(), access.Request{Name: name, Tasks: tasks, Toolsets: toolsets})
	if err != nil {
		d.t.Fatal(err)
	}
	return made.Secret
}

// recorded starts the task mine on a real browser, and waits for its recording.
func (d *running) recorded(dir string) (id string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	if _, err := d.operator().Connect(ctx, control.ConnectRequest{Task: "mine", Launch: true}); err != nil {
		d.t.Fatal(err)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		list, err := host.Recordings(host.RecordingOptions{Dir: dir})
		if err != nil {
			d.t.Fatal(err)
		}
		if len(list) > 0 {
			return list[0].ID
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			d.t.Fatal("nothing is recorded")
		}
	}
}

// what an agent could have changed.
func (d *running) powers() any {
	d.t.Helper()
	status, err := d.operator().Status(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	list, err := d.operator().Tokens(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	tasks, modules, tokens := []string{}, map[string]string{}, []string{}
	for _, t := range status.Tasks {
		tasks = append(tasks, t.ID)
	}
	for _, p := range status.Plugins {
		modules[p.Name] = p.SHA256
	}
	for _, t := range list {
		tokens = append(tokens, t.Name)
	}
	return []any{tasks, modules, tokens}
}

func TestEveryRouteLetsInWhomItsRoleDoes(t *testing.T) {
	dir := t.TempDir()
	d := start(t, "browser: {record_sessions: true, recording_dir: '"+dir+"', executable: '"+hosttest.Executable(t)+"'}\n")
	operator, err := control.ReadToken(d.at.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	own, foreign := d.token("own", []string{"browser"}, "mine"), d.token("foreign", []string{"all"}, "theirs", "mine-*", "default")
	fill := strings.NewReplacer("TASK", "mine", "RECORDING", d.recorded(dir))
	before := d.powers()
	seen := map[string]bool{}
	for _, r := range table() {
		s, there := samples[r.Pattern]
		if !there {
			t.Errorf("the route %q has no sample: whom does it let in?", r.Pattern)
			continue
		}
		seen[r.Pattern] = true
		method, _, ok := strings.Cut(r.Pattern, " ")
		if !ok {
			method = s.method
		}
		if r.Role == access.Operator {
			s.agent, s.foreign = http.StatusForbidden, http.StatusForbidden
		}
		t.Run(r.Pattern, func(t *testing.T) {
			path := fill.Replace(s.path)
			recorded := d.audited(audit.Filter{Max: 100_000})
			for _, c := range []struct {
				who   string
				by    entrance
				token string
				want  int
			}{
				{"nobody", agentsSocket, "", 401},
				{"nobody", port, "", 401},
				{"a wrong token", operatorsSocket, "wrong", 401},
				{"a wrong token", agentsSocket, "wrong", 401},
				{"a wrong token", port, "wrong", 401},
				{"the operator's token", agentsSocket, operator, 401},
				{"a foreign token", operatorsSocket, foreign, s.foreign},
				{"a foreign token", agentsSocket, foreign, s.foreign},
				{"a foreign token", port, foreign, s.foreign},
				{"the task's token", operatorsSocket, own, s.agent},
				{"the task's token", agentsSocket, own, s.agent},
				{"the task's token", port, own, s.agent},
				{"the operator", operatorsSocket, "", s.operator},
				{"the operator's token", operatorsSocket, operator, s.operator},
				{"the operator's token", port, operator, s.operator},
			} {
				if got := d.statusOf(c.by, c.token, method, path, s.body); got != c.want {
					t.Errorf("%s by %s: %d, want %d", c.who, c.by, got, c.want)
				}
			}
			want := 0
			if r.Role == access.Operator && method != "GET" && r.Pattern != "POST /v1/resume" { // it only waits
				want = 3 // of the operator, and none of those who are refused
			}
			if got := len(d.audited(audit.Filter{Max: 100_000})) - len(recorded); got != want {
				t.Errorf("the record of what operators did has %d entries more, want %d", got, want)
			}
		})
	}
	for pattern := range samples {
		if !seen[pattern] {
			t.Errorf("there is a sample of %q, which is no route", pattern)
		}
	}
	if after := d.powers(); !reflect.DeepEqual(after, before) {
		t.Errorf("something has changed: %v, before %v", after, before)
	}
}

// What an agent is told of a foreign task is the same whether there is such a task or not.
func TestAForeignTaskIsNotTold(t *testing.T) {
	dir := t.TempDir()
	d := start(t, "browser: {record_sessions: true, recording_dir: '"+dir+"', executable: '"+hosttest.Executable(t)+"'}\n")
	recording := d.recorded(dir)
	token := d.token("other", []string{"all"}, "other-*")
	answer := func(path string) string {
		t.Helper()
		method := cmp.Or(map[bool]string{true: "POST"}[strings.Contains(path, "/call") || strings.HasPrefix(path, "/mcp")], "GET")
		a := d.ask(t.Context(), agentsSocket, token, method, path, map[bool]string{true: initialize}[strings.HasPrefix(path, "/mcp")])
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode < 400 {
			t.Errorf("%s: %d %s, %v", path, a.StatusCode, text, err)
		}
		return a.Status + string(text)
	}
	for _, path := range []string{
		"/mcp?task=NAME", "/v1/agent/tools?task=NAME", "/v1/agent/tools/browser_tabs/call?task=NAME", "/v1/agent/events?task=NAME",
		"/v1/agent/openapi.json?task=NAME", "/v1/agent/recordings?task=NAME",
	} {
		there, not := answer(strings.Replace(path, "NAME", "mine", 1)), answer(strings.Replace(path, "NAME", "none", 1))
		if strings.ReplaceAll(there, "mine", "none") != not {
			t.Errorf("%s: of a task that is there %s, of another %s", path, there, not)
		}
	}
	there, not := answer("/v1/agent/recordings/"+recording), answer("/v1/agent/recordings/abcdefghijklmnop")
	if strings.ReplaceAll(there, recording, "abcdefghijklmnop") != not {
		t.Errorf("of a recording that is there %s, of another %s", there, not)
	}
	var list struct{ Recordings []host.Recording }
	all := d.ask(t.Context(), agentsSocket, token, "GET", "/v1/agent/recordings", "")
	defer all.Body.Close()
	if err := json.NewDecoder(all.Body).Decode(&list); err != nil || len(list.Recordings) > 0 {
		t.Errorf("the list of all has %+v, %v", list, err)
	}
}

// A browser that shows the live page does not delay the end of the daemon: its streams end first.
func TestTheEndDoesNotWaitForALivePage(t *testing.T) {
	d := start(t, "")
	link, err := d.operator().NewLiveLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	base, code, _ := strings.Cut(link.URL, "#code=")
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	login, err := client.Post(base+"live/login", "application/json", strings.NewReader(`{"code":"`+code+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer login.Body.Close()
	var in struct{ Key string }
	if err := json.NewDecoder(login.Body).Decode(&in); err != nil || login.StatusCode != http.StatusOK {
		t.Fatalf("the login gives %s, %v", login.Status, err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"live/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(login.Cookies()[0])
	r.Header.Set("X-Hermes-Key", in.Key)
	stream, err := client.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("the stream gives %v, %v", stream, err)
	}
	defer stream.Body.Close()
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, stream.Body)
		ended <- err
	}()
	d.end()
	if err := <-ended; err != nil {
		t.Errorf("the stream was cut off instead of ended: %v", err)
	}
}
