package hosttest

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// ExecutableEnv names the browser to test with; without it the installed one is searched.
const ExecutableEnv = "HERMES_CDP_BROWSER_EXECUTABLE"

// Executable gives the path of a browser. A test without one fails and says what to install: it is never skipped, as a
// skipped end-to-end test looks like a passed one.
func Executable(t testing.TB) string {
	t.Helper()
	path, err := browser.Find(os.Getenv(ExecutableEnv))
	if err != nil {
		t.Fatalf("this test needs a real browser: %v", err)
	}
	return path
}

// Option changes how [Browser] starts a browser.
type Option func(*browser.LaunchOptions)

// WithPort opens a debugging port on the loopback interface, for tests with several clients. The default is the pipe.
func WithPort() Option {
	return func(o *browser.LaunchOptions) { o.Transport = browser.TransportPort }
}

// WithArgs adds switches to the command line.
func WithArgs(args ...string) Option {
	return func(o *browser.LaunchOptions) { o.Args = append(o.Args, args...) }
}

// WithUserDataDir uses a profile that outlives the browser.
func WithUserDataDir(dir string) Option {
	return func(o *browser.LaunchOptions) { o.UserDataDir = dir }
}

// Running is a browser that runs for one test.
type Running struct {
	*browser.Process

	t      testing.TB
	killed atomic.Bool
}

// Browser starts a real browser that ends with the test. The test fails when the browser crashed meanwhile (unless by
// [Running.Kill]) or when one of its processes or its profile is left.
func Browser(t testing.TB, opts ...Option) *Running {
	t.Helper()
	printed := &buffer{}
	launch := browser.LaunchOptions{Executable: Executable(t), Stderr: printed}
	for _, opt := range opts {
		opt(&launch)
	}
	p, err := browser.Launch(context.Background(), launch)
	if err != nil {
		t.Fatalf("this test needs a real browser: %v", err)
	}
	r := &Running{Process: p, t: t}
	t.Cleanup(func() {
		r.end()
		if t.Failed() {
			t.Logf("the browser printed:\n%s", printed)
		}
	})
	return r
}

// end closes the browser and checks that it ended well and that nothing is left of it.
func (r *Running) end() {
	var exit *browser.ExitError
	if errors.As(r.Err(), &exit) && !r.killed.Load() && exit.State != "exit status 0" {
		r.t.Errorf("the browser crashed during the test: %v", exit)
	}
	if err := r.Close(context.Background()); err != nil {
		r.t.Error(err)
	}
	if left := r.Survivors(); len(left) > 0 {
		r.t.Errorf("the browser's processes %v are left", left)
	}
}

// Kill ends the browser by SIGKILL, as a crash would, and waits for its end.
func (r *Running) Kill() {
	r.killed.Store(true)
	r.Process.Kill()
	<-r.Done()
}

// Connect gives a client over the browser's own transport. A pipe has room for one connection: after Connect it cannot
// be given to anybody else.
func (r *Running) Connect() *Client {
	r.t.Helper()
	in, out := r.Pipe()
	if in == nil {
		return Dial(r.t, r.WebSocketURL())
	}
	return newClient(r.t, func(opts cdp.Options) (*cdp.Conn, error) { return cdp.NewPipe(in, out, opts), nil })
}

// buffer collects what a browser prints.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
