// Command peers measures this server beside others, all over MCP on standard input and output, with browsers of the
// same executable, in alternating rounds. It prints a table of medians; see the target bench-peers of the Makefile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

func main() {
	modules := flag.String("peers", ".cache/peers/node_modules", "where the other servers are installed")
	own := flag.String("server", "", "the `program` hermes-cdp")
	rounds := flag.Int("rounds", 7, "how often each is measured")
	flag.Parse()
	if err := run(context.Background(), *modules, *own, *rounds, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// server is one that is measured.
type server struct {
	name     string
	command  []string
	environ  []string
	navigate func(url string) *mcp.CallToolParams
	read     func(token string) *mcp.CallToolParams
	ref      *regexp.Regexp // of the first button
	click    func(ref string) *mcp.CallToolParams
	end      *mcp.CallToolParams // nil: it ends with its input

	session *mcp.ClientSession
	process *exec.Cmd
	token   string // of the last reading
}

func call(tool string, pairs ...string) *mcp.CallToolParams {
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return &mcp.CallToolParams{Name: tool, Arguments: args}
}

func servers(modules, own, chromium, home string) []*server {
	onPage := func(p *mcp.CallToolParams) *mcp.CallToolParams {
		p.Arguments.(map[string]any)["pageId"] = 1
		return p
	}
	agentBrowser := filepath.Join(modules, "agent-browser/bin/agent-browser-linux-x64")
	return []*server{
		{
			name: "hermes-cdp", command: []string{own, "mcp", "--launch"}, environ: []string{"HERMES_CDP_BROWSER_EXECUTABLE=" + chromium},
			navigate: func(url string) *mcp.CallToolParams { return call("browser_navigate", "url", url) },
			read: func(token string) *mcp.CallToolParams {
				if token == "" {
					return call("browser_snapshot")
				}
				return call("browser_snapshot", "since", token)
			},
			ref:   regexp.MustCompile(`button "Order number 0" @(\w+)`),
			click: func(ref string) *mcp.CallToolParams { return call("browser_click", "ref", ref) },
		},
		{
			name: "@playwright/mcp",
			command: []string{
				"node", filepath.Join(modules, "@playwright/mcp/cli.js"), "--headless", "--isolated", "--no-sandbox", "--executable-path", chromium,
			},
			navigate: func(url string) *mcp.CallToolParams { return call("browser_navigate", "url", url) },
			read:     func(string) *mcp.CallToolParams { return call("browser_snapshot") },
			ref:      regexp.MustCompile(`button "Order number 0".* \[ref=(\w+)\]`),
			click:    func(ref string) *mcp.CallToolParams { return call("browser_click", "target", ref) },
		},
		{
			name: "chrome-devtools-mcp",
			command: []string{
				"node", filepath.Join(modules, "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"), "--headless", "--isolated",
				"--executablePath", chromium, "--chromeArg=--no-sandbox", "--usageStatistics=false",
			},
			navigate: func(url string) *mcp.CallToolParams { return onPage(call("navigate_page", "type", "url", "url", url)) },
			read:     func(string) *mcp.CallToolParams { return onPage(call("take_snapshot")) },
			ref:      regexp.MustCompile(`uid=(\w+) button "Order number 0"`),
			click:    func(ref string) *mcp.CallToolParams { return onPage(call("click", "uid", ref)) },
		},
		{
			name: "agent-browser", command: []string{agentBrowser, "mcp"},
			environ:  []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + chromium, "AGENT_BROWSER_ARGS=--no-sandbox", "HOME=" + home},
			navigate: func(url string) *mcp.CallToolParams { return call("agent_browser_open", "url", url) },
			read:     func(string) *mcp.CallToolParams { return call("agent_browser_snapshot") },
			ref:      regexp.MustCompile(`button "Order number 0" \[ref=(\w+)\]`),
			click:    func(ref string) *mcp.CallToolParams { return call("agent_browser_click", "selector", "@"+ref) },
			end:      call("agent_browser_close"),
		},
	}
}

func (s *server) start(ctx context.Context, home string) error {
	s.process = exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	s.process.Dir = home // where some write files
	s.process.Env = append(os.Environ(), s.environ...)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "peers", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: s.process}, nil)
	s.session = session
	return err
}

func (s *server) stop(ctx context.Context) error {
	if s.session == nil {
		return nil
	}
	if s.end != nil {
		if _, _, err := s.do(ctx, s.end); err != nil {
			return err
		}
	}
	return s.session.Close()
}

// do calls a tool and returns its text.
func (s *server) do(ctx context.Context, params *mcp.CallToolParams) (string, time.Duration, error) {
	began := time.Now()
	result, err := s.session.CallTool(ctx, params)
	took := time.Since(began)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %s: %w", s.name, params.Name, err)
	}
	var text strings.Builder
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	if result.IsError {
		return "", 0, fmt.Errorf("%s: %s: %s", s.name, params.Name, text.String())
	}
	if fields, ok := result.StructuredContent.(map[string]any); ok {
		if token, ok := fields["token"].(string); ok {
			s.token = token
		}
	}
	return text.String(), took, nil
}

// The pages have a list of buttons, and a field that the server behind them changes.
const pageStart = `<!doctype html><title>Orders</title><input id="f" aria-label="Note" value="0"><ul>`

const pageEnd = `</ul><script>const f = document.getElementById("f")
new EventSource("/changes" + location.search).onmessage = e => { f.value = e.data; fetch("/changed") }</script>`

// site serves pages of /1000 and /10000 elements. Each page is asked for with a query of its own, because a browser
// keeps pages that it has left, which would take the changes of those that it shows.
type site struct {
	*httptest.Server
	changed chan struct{}

	mu      sync.Mutex
	changes map[string]chan string // by query
}

// page is the URL of a new page.
func (s *site) page(elements int) (url, query string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	query = "page=" + strconv.Itoa(len(s.changes))
	s.changes[query] = make(chan string, 1)
	return fmt.Sprintf("%s/%d?%s", s.URL, elements, query), query
}

// change changes the field of a page, and waits until that is done.
func (s *site) change(query string) {
	s.mu.Lock()
	changes := s.changes[query]
	s.mu.Unlock()
	changes <- "changed"
	<-s.changed
}

func serve() *site {
	s := &site{changed: make(chan struct{}), changes: map[string]chan string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/{elements}", func(w http.ResponseWriter, r *http.Request) {
		elements, _ := strconv.Atoi(r.PathValue("elements"))
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, pageStart)
		for i := range elements / 2 {
			_, _ = fmt.Fprintf(w, "<li><button>Order number %d</button></li>", i)
		}
		_, _ = io.WriteString(w, pageEnd)
	})
	mux.HandleFunc("/changes", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		s.mu.Lock()
		changes := s.changes[r.URL.RawQuery]
		s.mu.Unlock()
		select {
		case value := <-changes:
			_, _ = fmt.Fprintf(w, "data: %s\n\n", value)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
		<-r.Context().Done()
	})
	mux.HandleFunc("/changed", func(http.ResponseWriter, *http.Request) { s.changed <- struct{}{} })
	s.Server = httptest.NewServer(mux)
	return s
}

// rows are what is measured, in the order of the table.
var rows = []string{
	"reading 1,000 elements after navigating there", "reading them again, unchanged", "reading them again, one field changed", "a click by ref", "reading 10,000 elements after navigating there",
	"reading them again, one of 10,000 changed",
	"characters for 1,000 elements", "memory of the server, MB",
}

// table has the measurements by row and server.
type table map[string]map[string][]float64

func (t table) add(row, server string, value float64) {
	if t[row] == nil {
		t[row] = map[string][]float64{}
	}
	t[row][server] = append(t[row][server], value)
}

// write writes medians, and what they are of the first server's in brackets.
func (t table) write(w io.Writer, names []string) {
	_, _ = fmt.Fprintf(w, "| | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for _, row := range rows {
		_, _ = fmt.Fprintf(w, "| %s |", row)
		base := median(t[row][names[0]])
		for i, name := range names {
			unit := " ms"
			if strings.HasPrefix(row, "characters") || strings.HasPrefix(row, "memory") {
				unit = ""
			}
			switch value := median(t[row][name]); {
			case len(t[row][name]) == 0:
				_, _ = fmt.Fprint(w, " |")
			case i == 0:
				_, _ = fmt.Fprintf(w, " %.4g%s |", value, unit)
			default:
				_, _ = fmt.Fprintf(w, " %.4g%s (%.2g) |", value, unit, value/base)
			}
		}
		_, _ = fmt.Fprintln(w)
	}
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func run(ctx context.Context, modules, own string, rounds int, w io.Writer) (err error) {
	chromium, err := browser.Find(os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"))
	if err != nil {
		return err
	}
	if modules, err = filepath.Abs(modules); err != nil {
		return err
	}
	if own, err = filepath.Abs(own); err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "peers-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	pages := serve()
	defer pages.CloseClientConnections()
	all, results := servers(modules, own, chromium, home), table{}
	var names []string
	for _, s := range all {
		names = append(names, s.name)
		if err := s.start(ctx, home); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		defer func() { err = errors.Join(err, s.stop(ctx)) }()
	}
	names = append(names, bare)
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
		for _, s := range all {
			if err := s.round(ctx, pages, results); err != nil {
				return err
			}
		}
	}
	if err := clickBare(ctx, chromium, pages.URL, rounds, results); err != nil {
		return err
	}
	for _, s := range all {
		size, err := s.memory()
		if err != nil {
			return err
		}
		results.add(rows[7], s.name, size)
	}
	results.write(w, names)
	return nil
}

// round measures everything once.
func (s *server) round(ctx context.Context, pages *site, results table) error {
	timed := func(row string, params *mcp.CallToolParams) (string, error) {
		text, took, err := s.do(ctx, params)
		if err == nil && row != "" {
			results.add(row, s.name, float64(took.Microseconds())/1000)
		}
		return text, err
	}
	url, query := pages.page(1000)
	if _, err := timed("", s.navigate(url)); err != nil {
		return err
	}
	text, err := timed(rows[0], s.read(""))
	if err != nil {
		return err
	}
	found := s.ref.FindStringSubmatch(text)
	if found == nil {
		return fmt.Errorf("%s: no button is in %.300q", s.name, text)
	}
	results.add(rows[6], s.name, float64(len(text)))
	if _, err := timed(rows[1], s.read(s.token)); err != nil {
		return err
	}
	pages.change(query)
	text, err = timed(rows[2], s.read(s.token))
	if err != nil {
		return err
	}
	if again := s.ref.FindStringSubmatch(text); again != nil {
		found = again
	}
	if _, err := timed(rows[3], s.click(found[1])); err != nil {
		return err
	}
	s.token = ""
	url, query = pages.page(10_000)
	if _, err := timed("", s.navigate(url)); err != nil {
		return err
	}
	if _, err = timed(rows[4], s.read("")); err != nil {
		return err
	}
	pages.change(query)
	if _, err = timed(rows[5], s.read(s.token)); err != nil {
		return err
	}
	_, err = timed("", s.navigate("about:blank"))
	return err
}

// memory is what the processes of a server have in memory, its daemon included, in MB.
func (s *server) memory() (float64, error) {
	program := s.process.Path
	processes := []string{strconv.Itoa(s.process.Process.Pid)}
	if s.end != nil { // what it has started runs the same program
		links, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, link := range links {
			id := filepath.Base(filepath.Dir(link))
			if to, err := os.Readlink(link); err == nil && to == program && id != processes[0] {
				processes = append(processes, id)
			}
		}
	}
	total := 0.0
	for _, id := range processes {
		status, err := os.ReadFile("/proc/" + id + "/status")
		if err != nil {
			return 0, err
		}
		found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
		if found == nil {
			return 0, fmt.Errorf("process %s says nothing of its memory", id)
		}
		size, _ := strconv.ParseFloat(string(found[1]), 64)
		total += size / 1000
	}
	return total, nil
}

// bare is the column of input without a server.
const bare = "bare CDP"

// clickBare measures a press and a release at a point, which verify nothing.
func clickBare(ctx context.Context, chromium, url string, rounds int, results table) (err error) {
	process, err := browser.Launch(ctx, browser.LaunchOptions{Executable: chromium})
	if err != nil {
		return err
	}
	r, w := process.Pipe()
	conn := cdp.NewPipe(r, w, cdp.Options{Handler: func(cdp.Message) {}})
	defer func() {
		_ = conn.Close()
		<-conn.Done()
		err = errors.Join(err, process.Close(context.WithoutCancel(ctx)))
	}()
	var made struct {
		Target  string `json:"targetId"`
		Session string `json:"sessionId"`
	}
	if err := conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return err
	}
	if err := conn.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": made.Target, "flatten": true}, &made); err != nil {
		return err
	}
	if err := conn.Call(ctx, made.Session, "Page.navigate", map[string]any{"url": url + "/1000"}, nil); err != nil {
		return err
	}
	for range rounds {
		began := time.Now()
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			params := map[string]any{"type": kind, "x": 60, "y": 50, "button": "left", "clickCount": 1}
			if err := conn.Call(ctx, made.Session, "Input.dispatchMouseEvent", params, nil); err != nil {
				return err
			}
		}
		results.add(rows[3], bare, float64(time.Since(began).Microseconds())/1000)
	}
	return nil
}
