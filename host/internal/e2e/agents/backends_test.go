package agents

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// backend is where the browsers of tasks come from.
type backend struct {
	*bench
	start func(ctx context.Context, id string, o host.TaskOptions) (*host.Task, error)
	// left counts what a task has of the service, or of the browser at the address: it is 0 once it has ended.
	left func() int
}

// backends are all that speak CDP; docs/backends.md has a column for each, and names the subtests.
var backends = map[string]func(*testing.T) backend{
	"launched": func(t *testing.T) backend {
		b := newBench(t, "", host.Options{})
		pid := 0
		launch := &host.LaunchOptions{Executable: hosttest.Executable(t), Isolation: host.IsolationBrowser, Args: []string{"--site-per-process"}}
		return backend{b, func(ctx context.Context, id string, o host.TaskOptions) (*host.Task, error) {
			return b.host.Launch(ctx, id, launch, &o)
		}, func() int {
			for _, one := range b.host.Browsers() {
				pid = one.PID
			}
			if process, err := os.FindProcess(pid); err != nil || process.Signal(syscall.Signal(0)) != nil {
				return 0
			}
			return 1
		}}
	},
	"connected": func(t *testing.T) backend {
		address, _ := shared.Own(t)
		b := newBench(t, address, host.Options{})
		return backend{b, func(ctx context.Context, id string, o host.TaskOptions) (*host.Task, error) {
			return b.host.Attach(ctx, id, address, &o)
		}, func() int { return tabsAt(t, address) }}
	},
	"browserbase": rentedFrom("browserbase"),
	"browser-use": rentedFrom("browser-use"),
	"firecrawl":   rentedFrom("firecrawl"),
	"cdp":         rentedFrom("cdp"),
}

func rentedFrom(name string) func(*testing.T) backend {
	return func(t *testing.T) backend {
		service, p := newService(t, name, time.Hour)
		b := newBench(t, "", host.Options{})
		return backend{b, func(ctx context.Context, id string, o host.TaskOptions) (*host.Task, error) {
			return b.host.Rent(ctx, id, &host.RentOptions{Provider: p}, &o)
		}, func() int { return len(service.Running()) }}
	}
}

// features are what is tried on each backend.
var features = map[string]func(*user, backend){
	"dialog-seen": func(u *user, _ backend) {
		u.asks()
		if shown := u.good("browser_snapshot", nil); lookUp(u.t, shown, "pending_dialogs.0.message") != `"Sure?"` {
			u.t.Errorf("the snapshot has no dialog: %s", show(shown))
		}
	},
	"dialog-answered": func(u *user, _ backend) {
		blocked := u.asks()
		u.good("browser_dialog", arguments{"action": "accept"})
		u.good("browser_resume", arguments{"call_id": text(u.t, blocked, "call_id")})
		u.holds("", "document.title", `"sure: true"`)
	},
	"bridge": func(u *user, b backend) {
		u.ends()
		task, err := b.start(u.ctx, u.ID()+"-bridged", host.TaskOptions{DialogPolicy: "must_respond", DialogBridge: host.BridgeOn})
		if err != nil {
			u.t.Fatal(err)
		}
		bridged := &user{bench: u.bench, Task: task, t: u.t, ctx: u.ctx}
		blocked := bridged.asks()
		if d := task.Snapshot().PendingDialogs; len(d) != 1 || d[0].Via == host.ViaNative {
			u.t.Errorf("the dialogs are %s", shared.Dump(d))
		}
		bridged.good("browser_dialog", arguments{"action": "accept"})
		bridged.good("browser_resume", arguments{"call_id": text(u.t, blocked, "call_id")})
		bridged.holds("", "document.title", `"sure: true"`)
		bridged.ends()
	},
	"frame-tree": func(u *user, _ backend) {
		if f := u.aFrame(); !f.IsOOPIF || f.Origin != u.Expand("{{127.0.0.1}}") {
			u.t.Errorf("the frame is %s", shared.Dump(f))
		}
	},
	"oopif-evaluate": func(u *user, _ backend) {
		u.holds(u.aFrame().FrameID, "location.hostname", `"127.0.0.1"`)
	},
	"recording": func(u *user, _ backend) {
		changed := u.host.RecordingsChanged() // by its first picture
		if err := u.StartRecording(); err != nil {
			u.t.Fatal(err)
		}
		u.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
		select {
		case <-changed:
		case <-u.ctx.Done():
			u.t.Fatal("there is no picture")
		}
		list, err := u.StopRecording(u.ctx)
		if err != nil || len(list) != 1 || list[0].Frames == 0 {
			u.t.Fatalf("recorded %s, %v", shared.Dump(list), err)
		}
		if info, err := os.Stat(list[0].Path); err != nil || info.Size() != list[0].Bytes {
			u.t.Errorf("the file is %v, %v", info, err)
		}
	},
	"persistence": func(u *user, b backend) {
		u.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
		u.holds("", "localStorage.kept = 'yes', document.cookie = 'kept=yes; max-age=600', 0", "0")
		file := filepath.Join(u.t.TempDir(), "state.json")
		if _, err := u.SaveState(u.ctx, file, nil); err != nil {
			u.t.Fatal(err)
		}
		u.holds("", "localStorage.clear(), document.cookie = 'kept=; max-age=0', 0", "0") // services here have one browser
		u.ends()
		task, err := b.start(u.ctx, u.ID()+"-later", host.TaskOptions{StorageState: file})
		if err != nil {
			u.t.Fatal(err)
		}
		later := &user{bench: u.bench, Task: task, t: u.t, ctx: u.ctx}
		later.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
		later.holds("", "localStorage.kept + document.cookie", `"yeskept=yes"`)
		later.ends()
	},
	"release": func(u *user, b backend) {
		if n := b.left(); n != 1 {
			u.t.Errorf("the task has %d, want 1", n)
		}
		u.ends()
		if n := b.left(); n != 0 {
			u.t.Errorf("the task has left %d", n)
		}
	},
}

// asks opens a dialog by a click.
func (u *user) asks() agent.Result {
	u.t.Helper()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/asks"})
	return u.bad("browser_click", arguments{"role": "button", "name": "Ask"}, "blocked_by_dialog")
}

// ends ends the task.
func (u *user) ends() {
	u.t.Helper()
	if err := u.Task.Close(u.ctx); err != nil {
		u.t.Error(err)
	}
}

// tabsAt counts the tabs of a browser beside the first, which is its own.
func tabsAt(t *testing.T, address string) int {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get("http://" + at.Host + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var targets []struct{ Type string }
	if err := json.NewDecoder(response.Body).Decode(&targets); err != nil {
		t.Fatal(err)
	}
	tabs := -1
	for _, one := range targets {
		if one.Type == "page" {
			tabs++
		}
	}
	return tabs
}

// aFrame opens a page with a frame of another site, and gives the frame.
func (u *user) aFrame() *host.Frame {
	u.t.Helper()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/framed"})
	page := u.SettledSnapshot(u.ctx).Page()
	if page == nil || page.FrameTree == nil || len(page.FrameTree.Children) != 1 {
		u.t.Fatalf("the tree is %s", shared.Dump(page))
	}
	return &page.FrameTree.Children[0]
}

// holds checks the value of an expression in a frame; the top one, if it has no id.
func (u *user) holds(frame, expression, want string) {
	u.t.Helper()
	o := &host.EvaluateOptions{}
	if frame != "" {
		o.Locator = host.InFrame(frame)
	}
	if value, err := u.Tab("").Evaluate(u.ctx, expression, o); err != nil || string(value.Value) != want {
		u.t.Errorf("%s is %s, %v, want %s", expression, value.Value, err, want)
	}
}

func TestWhatWorksOnABackend(t *testing.T) {
	for name, newBackend := range backends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t)
			for feature, try := range features {
				t.Run(feature, func(t *testing.T) {
					ctx, cancel := context.WithTimeoutCause(context.Background(), shared.Limit(), errors.New("the test took too long"))
					t.Cleanup(cancel)
					task, err := b.start(ctx, t.Name(), host.TaskOptions{DialogPolicy: "must_respond", DialogBridge: host.BridgeOff})
					if err != nil {
						t.Fatal(err)
					}
					u := &user{bench: b.bench, Task: task, t: t, ctx: ctx}
					t.Cleanup(u.ends)
					try(u, b)
				})
			}
		})
	}
}

// Each cell of the tables in docs/backends.md names tests that there are, or says what there is instead; and each
// backend's try of a feature has its cell.
func TestTheTableOfBackendsNamesItsTests(t *testing.T) {
	document, err := os.ReadFile("../../../../docs/backends.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := shared.DeclaredTests(t, "../../../../host", "../../../../cmd", "../../../../internal")
	for backend := range backends {
		for feature := range features {
			declared["TestWhatWorksOnABackend/"+backend+"/"+feature] = true
		}
	}
	named, cells := regexp.MustCompile("`(Test[\\w/-]+)`"), 0
	for line := range strings.Lines(string(document)) {
		row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for _, cell := range row[1:] {
			if strings.HasPrefix(strings.TrimSpace(row[0]), "-") || strings.TrimSpace(row[0]) == "" {
				break // the head of a table
			}
			cells++
			if strings.TrimSpace(cell) == "" {
				t.Errorf("a cell is empty: %s", line)
			}
		}
		for _, match := range named.FindAllStringSubmatch(line, -1) {
			test, _, sub := strings.Cut(match[1], "/")
			if !declared[match[1]] && (!sub || test == "TestWhatWorksOnABackend" || !declared[test]) {
				t.Errorf("there is no test %s", match[1])
			}
			if test == "TestWhatWorksOnABackend" {
				delete(declared, match[1])
			}
		}
	}
	if cells < 150 {
		t.Errorf("the tables have %d cells", cells)
	}
	for test := range declared {
		if strings.HasPrefix(test, "TestWhatWorksOnABackend/") {
			t.Errorf("%s has no cell", test)
		}
	}
}
