package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverMode is the variable that makes the test's own binary a server.
const serverMode = "HERMES_TEST_SERVER"

// program is a server that runs as a process of its own.
func program(mode string, env ...string) Server {
	s := Server{Command: os.Args[0], Env: map[string]string{serverMode: mode}}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		s.Env[name] = value
	}
	return s
}

// serveTest is such a server.
func serveTest(mode string) {
	switch mode {
	case "silent": // until its input ends
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "broken":
		fmt.Fprintln(os.Stderr, "no such database, with the token "+os.Getenv("TEST_TOKEN"))
		os.Exit(3)
	case "stubborn": // only SIGKILL ends it and what it starts
		signal.Ignore()
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), serverMode+"=sleeper")
		if err := child.Start(); err != nil {
			panic(err)
		}
		serveStreams(testServer())
		select {}
	case "sleeper":
		signal.Ignore()
		select {}
	case "many":
		serveStreams(manyServer())
	case "deaf":
		serveDeaf()
	case "old":
		serveOld()
	default:
		serveStreams(testServer())
	}
}

func serveStreams(s *mcp.Server) { _ = s.Run(context.Background(), &mcp.StdioTransport{}) }

// serveDeaf answers until a tool is called, then stops reading.
func serveDeaf() {
	s := testServer()
	stop := make(chan struct{})
	mcp.AddTool(s, &mcp.Tool{Name: "stop_reading"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		close(stop)
		return text("stopped"), nil, nil
	})
	in, out := io.Pipe()
	go func() {
		buffer := make([]byte, 1)
		for {
			n, err := os.Stdin.Read(buffer)
			if err != nil {
				_ = out.CloseWithError(err)
				return
			}
			_, _ = out.Write(buffer[:n])
			select {
			case <-stop:
				select {}
			default:
			}
		}
	}()
	_ = s.Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: nopWriteCloser{os.Stdout}})
}

// serveOld never answers requests that servers from before 2026 do not know.
func serveOld() {
	in, out := io.Pipe()
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			if !strings.Contains(lines.Text(), methodDiscover) {
				fmt.Fprintln(out, lines.Text())
			}
		}
		_ = out.Close()
	}()
	_ = testServer().Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: nopWriteCloser{os.Stdout}})
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

type echoed struct {
	Said  string `json:"said"`
	Inner *inner `json:"inner,omitempty"`
}

type inner struct {
	Number int64 `json:"number"`
}

type saying struct {
	Say string `json:"say"`
}

// testServer has a tool for everything that a server may do.
func testServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	var cancelled atomic.Int64
	no := false
	mcp.AddTool(s, &mcp.Tool{
		Name: "echo", Title: "Echo", Description: "Says it again.\x1b[2J",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, func(_ context.Context, _ *mcp.CallToolRequest, in saying) (*mcp.CallToolResult, echoed, error) {
		return nil, echoed{Said: in.Say, Inner: &inner{7}}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "say", Annotations: &mcp.ToolAnnotations{DestructiveHint: &no}}, func(_ context.Context, _ *mcp.CallToolRequest, in saying) (*mcp.CallToolResult, any, error) {
		return text(in.Say), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "web_search"}, func(_ context.Context, _ *mcp.CallToolRequest, in saying) (*mcp.CallToolResult, any, error) {
		return text("nothing about " + in.Say), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("the disk is full")
	})
	mcp.AddTool(s, &mcp.Tool{Name: "environment"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		all := os.Environ()
		slices.Sort(all)
		return text(strings.Join(all, "\n")), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "die"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
		return nil, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "hang"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 4, Message: "a\x1bquarter"})
		<-ctx.Done()
		cancelled.Add(1)
		return nil, nil, ctx.Err()
	})
	mcp.AddTool(s, &mcp.Tool{Name: "cancelled"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return text(fmt.Sprint(cancelled.Load())), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "grow"}, func(_ context.Context, _ *mcp.CallToolRequest, in saying) (*mcp.CallToolResult, any, error) {
		mcp.AddTool(s, &mcp.Tool{Name: in.Say}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return text("new"), nil, nil
		})
		s.RemoveTools("cancelled")
		return text("grown"), nil, nil
	})
	return s
}

// manyServer has 300 tools, 40 on a page.
func manyServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "many", Version: "v1"}, &mcp.ServerOptions{PageSize: 40})
	for i := range 300 {
		mcp.AddTool(s, &mcp.Tool{Name: fmt.Sprintf("tool_%03d", i)}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return text(fmt.Sprint(i)), nil, nil
		})
	}
	return s
}
