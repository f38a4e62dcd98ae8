package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// dialTimeout is how long a daemon on this machine may take to accept a connection.
const dialTimeout = 5 * time.Second

// Client is the [API] of a daemon. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	base  string
	token secret.Text
	where string // for errors
}

var _ API = (*Client)(nil)

// NewSocketClient returns a client of the daemon on a unix socket that this user, root, or a service manager that root
// runs has made. It connects at the first call.
func NewSocketClient(path string) *Client { return newSocketClient(path, "", false) }

// NewAgentsSocketClient returns a client that uses an agent's token. The server of the socket gets the token. So others
// must not have been able to make the socket, unless named says that the user chose it explicitly.
func NewAgentsSocketClient(path, token string, named bool) *Client {
	return newSocketClient(path, token, named)
}

func newSocketClient(path, token string, trusted bool) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		own, err := access.InOwnPlace(path)
		if err == nil && !own && !trusted {
			return nil, fmt.Errorf("%s belongs to another user, who may have made it: whoever serves there would see everything", path)
		}
		return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "unix", path)
	}
	return &Client{http: &http.Client{Transport: &http.Transport{DialContext: dial}}, base: "http://hermes-cdp", token: secret.New(token), where: path}
}

// NewClient returns a client of the daemon at a loopback address.
func NewClient(address, token string) *Client {
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext} // never through a proxy
	return &Client{http: &http.Client{Transport: transport}, base: "http://" + address, token: secret.New(token), where: address}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Status implements [API].
func (c *Client) Status(ctx context.Context) (Status, error) {
	return call[Status](ctx, c, "GET", pathStatus, nil, nil)
}

// Reload implements [API].
func (c *Client) Reload(ctx context.Context) (Status, error) {
	return call[Status](ctx, c, "POST", pathReload, nil, nil)
}

// Plugins implements [API].
func (c *Client) Plugins(ctx context.Context) ([]host.PluginInfo, error) {
	return call[[]host.PluginInfo](ctx, c, "GET", pathPlugins, nil, nil)
}

// Connect implements [API].
func (c *Client) Connect(ctx context.Context, r ConnectRequest) (TaskStatus, error) {
	return call[TaskStatus](ctx, c, "POST", pathTasks, nil, r)
}

// Disconnect implements [API].
func (c *Client) Disconnect(ctx context.Context, task string) (TaskStatus, error) {
	return call[TaskStatus](ctx, c, "DELETE", pathTasks, queryOf(task), nil)
}

// Snapshot implements [API].
func (c *Client) Snapshot(ctx context.Context, task string) (*host.Snapshot, error) {
	return call[*host.Snapshot](ctx, c, "GET", pathSnapshot, queryOf(task), nil)
}

// Frames implements [API].
func (c *Client) Frames(ctx context.Context, task string, raw bool) ([]TargetFrames, error) {
	return call[[]TargetFrames](ctx, c, "GET", pathFrames, queryOf(task, "raw", strconv.FormatBool(raw)), nil)
}

// ExplainFrames implements [API].
func (c *Client) ExplainFrames(ctx context.Context, task string) ([]host.FramesExplanation, error) {
	return call[[]host.FramesExplanation](ctx, c, "GET", pathExplainFrames, queryOf(task), nil)
}

// Console implements [API].
func (c *Client) Console(ctx context.Context, task string, clear bool) (Console, error) {
	method := "GET"
	if clear {
		method = "DELETE"
	}
	return call[Console](ctx, c, method, pathConsole, queryOf(task), nil)
}

// RespondDialog implements [API].
func (c *Client) RespondDialog(ctx context.Context, task string, a DialogAnswer) (host.Dialog, error) {
	return call[host.Dialog](ctx, c, "POST", pathAnswer, queryOf(task), a)
}

// RespondSignIn implements [API].
func (c *Client) RespondSignIn(ctx context.Context, task string, a SignInAnswer) (host.SignIn, error) {
	return call[host.SignIn](ctx, c, "POST", pathSignIn, queryOf(task), a)
}

// ArmDialog implements [API].
func (c *Client) ArmDialog(ctx context.Context, task string, a host.ArmedAnswer) (host.ArmedAnswer, error) {
	return call[host.ArmedAnswer](ctx, c, "PUT", pathArmed, queryOf(task), a)
}

// DisarmDialog implements [API].
func (c *Client) DisarmDialog(ctx context.Context, task string) (*host.ArmedAnswer, error) {
	return call[*host.ArmedAnswer](ctx, c, "DELETE", pathArmed, queryOf(task), nil)
}

// ExplainDialog implements [API].
func (c *Client) ExplainDialog(ctx context.Context, task, id string) (host.DialogExplanation, error) {
	return call[host.DialogExplanation](ctx, c, "GET", pathExplainDialog, queryOf(task, "dialog", id), nil)
}

// Evaluate implements [API].
func (c *Client) Evaluate(ctx context.Context, task string, r EvaluateRequest) (host.Evaluation, error) {
	return call[host.Evaluation](ctx, c, "POST", pathEvaluate, queryOf(task), r)
}

// CDP implements [API].
func (c *Client) CDP(ctx context.Context, task string, r CDPRequest) (host.CDPResult, error) {
	return call[host.CDPResult](ctx, c, "POST", pathCDP, queryOf(task), r)
}

// Resume implements [API].
func (c *Client) Resume(ctx context.Context, task, callID string) (host.Resumed, error) {
	return call[host.Resumed](ctx, c, "POST", pathResume, queryOf(task), resumeRequest{callID})
}

// Events implements [API].
func (c *Client) Events(ctx context.Context, task string, begun func(), each func(host.Event) error) error {
	response, err := c.Do(ctx, "GET", pathEvents, queryOf(task), nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if begun != nil {
		begun()
	}
	decoder := json.NewDecoder(response.Body)
	for {
		var e host.Event
		switch err := decoder.Decode(&e); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%w: the stream of events ended early: %w", fault.ErrNoDaemon, err)
		}
		if err := each(e); err != nil {
			return err
		}
	}
}

// queryOf returns the query of a request: the task, then pairs of names and values.
func queryOf(task string, pairs ...string) url.Values {
	q := url.Values{}
	if task != "" {
		q.Set("task", task)
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q
}

// call sends a request and reads its answer.
func call[Out any](ctx context.Context, c *Client, method, path string, query url.Values, in any) (Out, error) {
	var out Out
	response, err := c.Do(ctx, method, path, query, in)
	if err != nil {
		return out, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		return out, c.Lost(ctx, err)
	}
	return out, nil
}

// Do sends a request to the daemon, with a JSON body unless in is nil, and returns the response if its status is 200.
// It is for what a daemon serves beside this API. The error is an [*Error], [fault.ErrNoDaemon] if nobody answers, or
// the context's.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, in any) (*http.Response, error) {
	var content io.Reader
	if in != nil {
		text, err := pagetext.Marshal(in)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path+"?"+query.Encode(), content)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token := c.token.Reveal(); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.Lost(ctx, err)
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer response.Body.Close()
	var failed ErrorBody
	if err := json.NewDecoder(response.Body).Decode(&failed); err != nil || failed.Error == nil {
		return nil, fmt.Errorf("%w: the server at %s is not a daemon of this version: %s", fault.ErrNoDaemon, c.where, response.Status)
	}
	return nil, failed.Error
}

// Lost turns an error of the connection into one that says that no daemon is running, or no longer:
// [fault.ErrNoDaemon], or the context's if that has ended. If the daemon's socket is closed to this user, it is
// [fault.ErrForbidden].
func (c *Client) Lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: this user cannot open %s (%w): join the group of that socket and log in again, or use the socket for agents with a token", fault.ErrForbidden, c.where, err)
	}
	return fmt.Errorf("%w at %s (%w): start one with hermes-cdp run", fault.ErrNoDaemon, c.where, err)
}
