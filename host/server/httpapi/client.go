package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// Client calls the tools of a daemon. It is safe for concurrent use.
type Client struct{ daemon *control.Client }

// NewClient returns a client that uses the given connection. The caller still owns the connection.
func NewClient(daemon *control.Client) *Client { return &Client{daemon} }

// Tools lists the tools of a view. Errors are those of [control.Client.Do].
func (c *Client) Tools(ctx context.Context, v agent.View) ([]agent.Tool, error) {
	var list toolList
	err := c.ask(ctx, http.MethodGet, pathTools, v, nil, &list)
	return list.Tools, err
}

// Call calls a tool; the end of ctx ends the call in the page. A failure of the tool is a result with IsError.
// call.Progress is not used. Errors are those of [control.Client.Do], with the code unknown_tool for an unknown tool.
func (c *Client) Call(ctx context.Context, call agent.Call) (agent.Result, error) {
	var result agent.Result
	var body any = struct{}{}
	if len(call.Arguments) > 0 {
		body = call.Arguments
	}
	path := strings.Replace(pathCall, "{name}", url.PathEscape(call.Name), 1)
	err := c.ask(ctx, http.MethodPost, path, agent.View{Task: call.Task, Client: call.Client, Toolsets: call.Toolsets}, body, &result)
	return result, err
}

// ask sends a request for a view and decodes the answer. Numbers stay as they were written.
func (c *Client) ask(ctx context.Context, method, path string, v agent.View, in, out any) error {
	response, err := c.daemon.Do(ctx, method, path, queryOf(v), in)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(out); err != nil {
		return c.daemon.Lost(ctx, err)
	}
	return nil
}

func queryOf(v agent.View) url.Values {
	query := url.Values{}
	for name, value := range map[string]string{"task": v.Task, "client": v.Client, "toolsets": strings.Join(v.Toolsets, ",")} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}
