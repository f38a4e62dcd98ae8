package mcp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func TestProgressGrowsWhateverAToolTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []float64
		var notes []string
		p := newProgress(func(done, _ float64, note string) { sent, notes = append(sent, done), append(notes, note) })
		stop := p.start()
		<-time.After(3*pulse + 1) // of the bubble's clock
		p.step(1, 3, "opened")
		p.step(1, 3, "opened again")
		<-time.After(20 * time.Minute)
		p.step(2, 3, "loaded")
		stop()
		<-time.After(2 * pulse)
		for i := 1; i < len(sent); i++ {
			if sent[i] <= sent[i-1] {
				t.Fatalf("%v came after %v", sent[i], sent[i-1])
			}
		}
		if n := len(sent); sent[2] >= 1 || sent[3] != 1 || sent[n-2] >= 2 || sent[n-1] != 2 || n < 240 {
			t.Errorf("there were %v", sent)
		}
		if notes[0] != "working" || notes[3] != "opened" || notes[4] != "opened again" || notes[len(notes)-1] != "loaded" {
			t.Errorf("the notes are %q", notes)
		}
	})
}

func TestAClientThatAsksHearsHowFarACallIs(t *testing.T) {
	heard := make(chan *mcp.ProgressNotificationParams, 10)
	o := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { heard <- r.Params }}
	tools := newFakeTools(func(_ context.Context, c agent.Call) agent.Result {
		if c.Progress == nil {
			return agent.Result{Text: "nobody asked"}
		}
		c.Progress(1, 2, "clicked")
		return agent.Result{Text: "asked"}
	})
	each(t, tools, newFakeTasks(), SessionOptions{}, o, func(t *testing.T, c *mcp.ClientSession) {
		params := &mcp.CallToolParams{Name: "act", Meta: mcp.Meta{"progressToken": "p1"}}
		if got, err := c.CallTool(t.Context(), params); err != nil || got.Content[0].(*mcp.TextContent).Text != "asked" {
			t.Fatalf("%+v, %v", got, err)
		}
		if got := <-heard; got.ProgressToken != "p1" || got.Progress != 1 || got.Total != 2 || got.Message != "clicked" {
			t.Errorf("the client heard %+v", got)
		}
		if got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "act"}); err != nil || got.Content[0].(*mcp.TextContent).Text != "nobody asked" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
