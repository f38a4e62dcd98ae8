//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// held makes every dialog wait for its answer.
var held = []string{"--set", "browser.dialog_policy=must_respond"}

// inspector is where `make inspector` installs the MCP Inspector.
const inspector = "../../.cache/inspector"

// inspect runs the command-line mode of the MCP Inspector, a client that is not ours, and gives its answer.
func (s *shell) inspect(args ...string) map[string]any {
	s.t.Helper()
	node, err := filepath.Abs(filepath.Join(inspector, "node"))
	if err != nil {
		s.t.Fatal(err)
	}
	program := filepath.Join(filepath.Dir(node), "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	cmd := exec.CommandContext(s.t.Context(), node, append([]string{program, "--cli"}, args...)...)
	cmd.Env, cmd.Dir = s.command().Env, s.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%v: %v (is `make inspector` done?)\n%s%s", args, err, out.String(), errs.String())
	}
	var answer map[string]any
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		s.t.Fatalf("%v: %v: %s", args, err, out.String())
	}
	return answer
}

func TestTheInspectorIsServedOnStandardInputAndOutput(t *testing.T) {
	s := newShell(t)
	list := s.inspect(s.binary, "mcp", "--method", "tools/list")
	var names []string
	for _, tool := range list["tools"].([]any) {
		names = append(names, tool.(map[string]any)["name"].(string))
	}
	if !slices.Contains(names, "browser_dialog") || slices.Contains(names, "browser_evaluate") {
		t.Errorf("the tools are %q", names)
	}
	got := s.inspect(s.binary, "mcp", "--toolsets", "all", "--method", "tools/call", "--tool-name", "browser_evaluate", "--tool-arg", "expression=6*7")
	if object, _ := got["structuredContent"].(map[string]any); object["result"] != 42.0 {
		t.Errorf("a call gives %v", got)
	}
	read := s.inspect(s.binary, "mcp", "--method", "resources/read", "--uri", "hermes://task/default/dialogs")
	if text, _ := json.Marshal(read); !strings.Contains(string(text), `\"running\":false`) {
		t.Errorf("a resource reads %s", text)
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}

func TestTheInspectorIsServedOverHTTP(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon("--set", "control.address=127.0.0.1:0")
	token, err := control.ReadToken(at.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	got := s.inspect("http://"+at.Address+"/mcp?toolsets=all", "--transport", "http", "--header", "Authorization: Bearer "+token,
		"--method", "tools/call", "--tool-name", "browser_evaluate", "--tool-arg", "expression=6*7")
	if object, _ := got["structuredContent"].(map[string]any); object["result"] != 42.0 {
		t.Errorf("a call gives %v", got)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}

// mcpClient runs the binary as the server of a client of the SDK.
func (s *shell) mcpClient(o *mcp.ClientOptions, args ...string) *mcp.ClientSession {
	s.t.Helper()
	cmd := s.command(append([]string{"mcp"}, args...)...)
	cmd.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, o)
	session, err := client.Connect(s.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

// tool calls a tool and gives the object that it answers.
func tool(t *testing.T, c *mcp.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	object, _ := got.StructuredContent.(map[string]any)
	if text, first := got.Content[0].(*mcp.TextContent); !first || text.Text == "" || got.IsError == (object["success"] == true) {
		t.Fatalf("%s answers %+v", name, got)
	}
	return object
}

func TestAnAgentOverMCPAnswersTheDialogThatBlocksIt(t *testing.T) {
	s := newShell(t)
	updated := make(chan string, 100)
	c := s.mcpClient(&mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
		updated <- r.Params.URI
	}}, append(held, "--toolsets", "all")...)
	if left := s.processes(); len(left) != 1 {
		t.Errorf("before the first call there run %q", left)
	}
	const dialogs = "hermes://task/default/dialogs"
	subscribe(t, c, dialogs)
	blocked := tool(t, c, "browser_evaluate", map[string]any{"expression": "'got ' + prompt('name?')"})
	if blocked["kind"] != "blocked_by_dialog" || blocked["call_id"] == nil {
		t.Fatalf("the call is %v", blocked)
	}
	for uri := <-updated; uri != dialogs; uri = <-updated {
		t.Errorf("an update of %s, which nobody asked for", uri)
	}
	read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: dialogs})
	if err != nil || !strings.Contains(read.Contents[0].Text, "name?") {
		t.Errorf("the dialogs are %+v, %v", read, err)
	}
	if got := tool(t, c, "browser_dialog", map[string]any{"action": "accept", "prompt_text": "Ada"}); got["success"] != true {
		t.Errorf("the answer gives %v", got)
	}
	if got := tool(t, c, "browser_resume", map[string]any{"call_id": blocked["call_id"]}); got["result"] != "got Ada" {
		t.Errorf("resumed it gives %v", got)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the binary ended with %v", err)
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}

// subscribe asks for the changes of a resource, in the way of the version that was negotiated.
func subscribe(t *testing.T, c *mcp.ClientSession, uri string) {
	t.Helper()
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
}

func TestMCPWorksOnABrowserThatRuns(t *testing.T) {
	s := newShell(t)
	browser, address := s.startBrowser()
	c := s.mcpClient(nil, "--toolsets", "all", "--connect", address)
	read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "hermes://task/default/snapshot"})
	if err != nil || !strings.Contains(read.Contents[0].Text, `"running":true`) || !strings.Contains(read.Contents[0].Text, "about:blank") {
		t.Errorf("before the first call the snapshot is %+v, %v", read, err)
	}
	if got := tool(t, c, "browser_evaluate", map[string]any{"expression": "6 * 7"}); got["result"] != 42.0 {
		t.Errorf("a call gives %v", got)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the binary ended with %v", err)
	}
	browser.end(syscall.SIGTERM)
}

// The file need not be there when the server begins.
func TestMCPOffersTheToolsThatTheConfigurationFileNames(t *testing.T) {
	s := newShell(t)
	changed := make(chan struct{}, 10)
	c := s.mcpClient(&mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
		changed <- struct{}{}
	}})
	if names := toolNames(t, c); !slices.Contains(names, "browser_click") {
		t.Errorf("the first list has %v", names)
	}
	s.ok("tools", "disable", "browser_click")
	<-changed
	if names := toolNames(t, c); slices.Contains(names, "browser_click") || !slices.Contains(names, "browser_snapshot") {
		t.Errorf("the next list has %v", names)
	}
}

func TestMCPIsRefusedBeforeItBegins(t *testing.T) {
	s := newShell(t)
	if code, message := s.refused(exitUsage, "mcp", "--toolsets", "nothing"); code != "bad_toolset" || !strings.Contains(message, "browser-read") {
		t.Errorf("an unknown toolset: %s: %s", code, message)
	}
	if code, _ := s.refused(exitFailed, "mcp", "--connect", "127.0.0.1:1"); code != "task_failed" {
		t.Errorf("no browser: %s", code)
	}
}

// bearer adds the token to what a client sends.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}

func TestTwoAgentsOfADaemonHaveTasksOfTheirOwn(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon(append(held, "--set", "control.address=127.0.0.1:0", "--launch")...)
	token, err := control.ReadToken(at.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	connect := func(token string) (*mcp.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "hermes-test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: "http://" + at.Address + "/mcp?toolsets=all", HTTPClient: &http.Client{Transport: bearer{own, token}},
		}, nil)
	}
	if _, err := connect("wrong"); err == nil {
		t.Error("a wrong token is let in")
	}
	one, err := connect(token)
	if err != nil {
		t.Fatal(err)
	}
	two, err := connect(token)
	if err != nil {
		t.Fatal(err)
	}
	if got := tool(t, one, "browser_evaluate", map[string]any{"expression": "confirm('held')"}); got["kind"] != "blocked_by_dialog" {
		t.Errorf("a dialog gives %v", got)
	}
	if got := tool(t, two, "browser_evaluate", map[string]any{"expression": "6 * 7"}); got["result"] != 42.0 {
		t.Errorf("beside it another agent gets %v", got)
	}
	set := []string{"--set", "control.address=" + at.Address}
	if status := get[control.Status](s, append([]string{"status"}, set...)...); len(status.Tasks) != 3 {
		t.Errorf("the tasks are %+v", status.Tasks)
	}
	for _, c := range []*mcp.ClientSession{one, two} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
