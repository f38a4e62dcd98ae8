package browser

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// launch starts the real browser of the machine.
func launch(t *testing.T, opts LaunchOptions) *Process {
	t.Helper()
	opts.Executable = os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE")
	p, err := Launch(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustClose(t, p) })
	return p
}

// mustClose closes a browser and checks that nothing of it is left.
func mustClose(t *testing.T, p *Process) {
	t.Helper()
	if err := p.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if left := p.Survivors(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	if _, err := os.Stat(p.UserDataDir()); p.profile.temporary && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the profile is left: %v", err)
	}
}

// connect speaks to a browser over its transport.
func connect(t *testing.T, p *Process) *cdp.Conn {
	t.Helper()
	var conn *cdp.Conn
	if r, w := p.Pipe(); r != nil {
		conn = cdp.NewPipe(r, w, cdp.Options{})
	} else {
		var err error
		if conn, err = cdp.Dial(t.Context(), p.WebSocketURL(), cdp.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = conn.Close()
		within(t, conn.Done(), "the connection's end")
	})
	return conn
}

var bothTransports = []Transport{TransportPipe, TransportPort}

func TestALaunchedBrowserAnswersAndLeavesNothingBehind(t *testing.T) {
	for _, transport := range bothTransports {
		t.Run(string(transport), func(t *testing.T) {
			p := launch(t, LaunchOptions{Transport: transport})
			conn := connect(t, p)
			var version struct {
				Product string `json:"product"`
			}
			if err := conn.Call(t.Context(), "", "Browser.getVersion", nil, &version); err != nil || version.Product == "" {
				t.Fatalf("got %q, %v", version.Product, err)
			}
			if len(p.Survivors()) < 2 {
				t.Errorf("%v are the browser's processes: the renderer is missing", p.Survivors())
			}
			if p.Err() != nil {
				t.Errorf("a running browser has the error %v", p.Err())
			}
			mustClose(t, p)
			within(t, conn.Done(), "the connection's end")
			if !errors.Is(conn.Err(), cdp.ErrConnectionLost) {
				t.Errorf("the connection says %v", conn.Err())
			}
			if p.Err() != nil {
				t.Errorf("after Close the error is %v", p.Err())
			}
		})
	}
}

func TestCloseAfterBrowserClose(t *testing.T) {
	for _, transport := range bothTransports {
		t.Run(string(transport), func(t *testing.T) {
			p := launch(t, LaunchOptions{Transport: transport})
			if _, err := connect(t, p).Send("", "Browser.close", nil); err != nil {
				t.Fatal(err)
			}
			within(t, p.Done(), "the browser's end")
			mustClose(t, p)
		})
	}
}

// inEmptyDirectory gives the test a directory for temporary files, in which only what is named may be left. Its path is
// short because a browser has a socket in it.
func inEmptyDirectory(t *testing.T, but ...string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		entries, err := os.ReadDir(dir)
		for _, left := range entries {
			if !slices.Contains(but, left.Name()) {
				t.Errorf("%s is left behind", left.Name())
			}
		}
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("TMPDIR", dir)
}

func TestAKilledBrowserIsReportedAndCleanedUp(t *testing.T) {
	for _, transport := range bothTransports {
		t.Run(string(transport), func(t *testing.T) {
			inEmptyDirectory(t)
			p := launch(t, LaunchOptions{Transport: transport})
			conn := connect(t, p)
			browserProcess, err := os.FindProcess(p.PID())
			if err != nil {
				t.Fatal(err)
			}
			if err := browserProcess.Kill(); err != nil {
				t.Fatal(err)
			}
			within(t, p.Done(), "Done")
			within(t, conn.Done(), "the connection's end")
			var exit *ExitError
			if !errors.As(p.Err(), &exit) || exit.State != "signal: killed" {
				t.Errorf("the error is %v", p.Err())
			}
			mustClose(t, p)
			if p.Err() == nil {
				t.Error("Close made a crash look wanted")
			}
		})
	}
}

func TestAGivenProfileStaysAndCanBeUsedAgain(t *testing.T) {
	inEmptyDirectory(t)
	dir := t.TempDir()
	for range 2 {
		p := launch(t, LaunchOptions{UserDataDir: dir})
		p.Kill()
		mustClose(t, p)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		t.Errorf("the profile holds %d entries, %v", len(entries), err)
	}
}

func TestPopupsWithoutAGestureOpenUnlessTheBlockerIsWanted(t *testing.T) {
	for _, tc := range []struct {
		name  string
		block bool
	}{{"by default they open", false}, {"with the blocker they do not", true}} {
		t.Run(tc.name, func(t *testing.T) {
			conn := connect(t, launch(t, LaunchOptions{BlockPopups: tc.block}))
			evaluate := firstPage(t, conn)
			if opened := evaluate("String(window.open('about:blank') !== null)"); opened == strconv.FormatBool(tc.block) {
				t.Errorf("opened is %s", opened)
			}
		})
	}
}

// firstPage opens a page, and returns what evaluates an expression in it.
func firstPage(t *testing.T, conn *cdp.Conn) (evaluate func(expression string) string) {
	t.Helper()
	var target struct {
		ID string `json:"targetId"`
	}
	var attached struct {
		ID string `json:"sessionId"`
	}
	call := func(session, method string, params, result any) {
		t.Helper()
		if err := conn.Call(t.Context(), session, method, params, result); err != nil {
			t.Fatal(err)
		}
	}
	call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	call("", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
	return func(expression string) string {
		t.Helper()
		var r struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		call(attached.ID, "Runtime.evaluate", map[string]any{"expression": expression}, &r)
		return r.Result.Value
	}
}

func TestPagesHaveTheSizeOfASmallLaptopAndTheNameOfABrowserWithAWindow(t *testing.T) {
	const described = `[innerWidth, innerHeight, outerWidth <= screen.width && outerHeight <= screen.height, navigator.userAgent].join(" ")`
	evaluate := firstPage(t, connect(t, launch(t, LaunchOptions{})))
	if got := evaluate(described); !strings.HasPrefix(got, "1280 800 true Mozilla/5.0 (") || !strings.Contains(got, " Chrome/") || strings.Contains(got, "Headless") {
		t.Errorf("by default: %s", got)
	}
	evaluate = firstPage(t, connect(t, launch(t, LaunchOptions{Width: 2000, Height: 1500, UserAgent: "Agent/7"})))
	if got := evaluate(described); got != "2000 1500 true Agent/7" {
		t.Errorf("as asked: %s", got)
	}
}

func TestStartFailures(t *testing.T) {
	for _, tc := range []struct {
		name   string
		script string
		opts   LaunchOptions
		want   []string
	}{
		{"a program that exits at once", "echo no display today >&2; exit 3", LaunchOptions{}, []string{"exit status 3", "no display today"}},
		{"a program that exits at once, by port", "echo no port today >&2; exit 4", LaunchOptions{Transport: TransportPort},
			[]string{"exit status 4", "no port today"}},
		{"a program that closes the pipe", "exec 3<&- 4>&-; echo closed >&2; exit 5", LaunchOptions{}, []string{"exit status 5", "closed"}},
		{"a program that says nothing", "exec sleep 1000", LaunchOptions{StartTimeout: 50 * time.Millisecond}, []string{"did not answer within 50ms"}},
		{"a program that says nothing, by port", "exec sleep 1000",
			LaunchOptions{Transport: TransportPort, StartTimeout: 50 * time.Millisecond}, []string{"did not answer within 50ms"}},
		{"a switch that an option sets", "exit 0", LaunchOptions{Args: []string{"--headless"}}, []string{"Headful"}},
		{"a sandbox that cannot work", "echo 'FATAL: No usable sandbox!' >&2; exit 1", LaunchOptions{}, []string{"user namespaces"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			tc.opts.Executable = executable(t, "browser", tc.script)
			_, err := Launch(t.Context(), tc.opts)
			var failed *StartError
			if !errors.As(err, &failed) {
				t.Fatalf("got %v, want a *StartError", err)
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	t.Run("no executable", func(t *testing.T) {
		if _, err := Launch(t.Context(), LaunchOptions{Executable: "/does/not/exist"}); !errors.Is(err, fault.ErrNoBrowser) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a cancelled context", func(t *testing.T) {
		why := errors.New("never mind")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if _, err := Launch(ctx, LaunchOptions{Executable: executable(t, "browser", "exec sleep 1000")}); !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
	})
}

// stubborn answers the first command and then ignores the end of its pipe and SIGTERM, and so does its child.
const stubborn = `trap '' TERM; printf '{"id":1,"result":{}}\0' >&4; sh -c "trap '' TERM; while :; do sleep 1; done" & while :; do sleep 1; done`

func TestCloseEndsABrowserThatIgnoresEverything(t *testing.T) {
	for name, ctx := range map[string]func() context.Context{
		"after the graces":           context.Background,
		"at once when its ctx ended": func() context.Context { ctx, cancel := context.WithCancel(context.Background()); cancel(); return ctx },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var printed bytes.Buffer
			p, err := Launch(t.Context(), LaunchOptions{Executable: executable(t, "browser", "echo hello >&2;"+stubborn), Stderr: &printed})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 2)
			for range 2 {
				go func() { done <- p.Close(ctx()) }()
			}
			for range 2 {
				if err := within(t, done, "Close"); err != nil {
					t.Error(err)
				}
			}
			mustClose(t, p)
			if !strings.Contains(printed.String(), "hello") {
				t.Errorf("stderr got %q", printed.String())
			}
		})
	}
}
