// Package shared is what the packages of end-to-end tests have in common: the one browser that most tests of a package
// use, each with a browser context of its own there, their hosts, and the ways to look at results.
package shared

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// parallel is how many tests run at a time where nobody says: most of the time they wait.
const parallel = "4"

// Suite is what the tests of a package share: a browser, which is started for the first test that asks for its address,
// and compiled modules. The zero value is ready.
type Suite struct {
	cache   string     // the directory of compiled modules
	mu      sync.Mutex // guards the rest
	process *browser.Process
	ended   error // how browsers that were shared ended by themselves
}

// Main is the TestMain of a package: it runs the tests, cleans up after them, and fails where something is left.
func (s *Suite) Main(m *testing.M) { os.Exit(s.run(m)) }

func (s *Suite) run(m *testing.M) (code int) {
	flag.Parse()
	if given := flag.Lookup("test.parallel"); given.Value.String() == given.DefValue {
		_ = flag.Set("test.parallel", parallel) // it is a number
	}
	fail := func(what string, err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, what+":", err)
			code = 1
		}
	}
	var err error
	if s.cache, err = os.MkdirTemp("", "hermes-tests-"); err != nil {
		fail("the plugin cache", err)
		return code
	}
	code = m.Run()
	fail("the plugin cache", os.RemoveAll(s.cache))
	fail("the shared browser", errors.Join(s.close(), s.ended))
	if code == 0 {
		fail("leaks", goleak.Find())
	}
	return code
}

// Address gives the WebSocket address of the browser that most tests share. Tests that may wound a whole browser start
// their own, see [Own]. If it has ended by itself, another one takes its place, so that only the tests that used it
// fail; the run then fails in any case.
func (s *Suite) Address(t *testing.T) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != nil && s.process.Err() != nil {
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	}
	if s.process == nil {
		var err error
		if s.process, err = Launch(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return s.process.WebSocketURL()
}

// close ends the browser, if any.
func (s *Suite) close() error {
	if s.process == nil {
		return nil
	}
	if exit := (*browser.ExitError)(nil); errors.As(s.process.Err(), &exit) {
		s.ended = errors.Join(s.ended, fmt.Errorf("%w; it printed at the end:\n%s", exit, exit.Stderr))
	}
	ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
	defer cancel()
	err := s.process.Close(ctx)
	s.process = nil
	return err
}

// CloseTimeout ends the wait for what hangs while it is closed: a browser, a host, a task.
const CloseTimeout = time.Minute

// Launch starts a browser that any number of clients can connect to. Every site has processes of its own, as on a
// desktop.
func Launch(ctx context.Context) (*browser.Process, error) {
	return launch(ctx, browser.LaunchOptions{})
}

func launch(ctx context.Context, o browser.LaunchOptions) (process *browser.Process, err error) {
	o.Transport, o.Args = browser.TransportPort, append(o.Args, "--site-per-process")
	started(Measure(func() { process, err = browser.Launch(ctx, o) }))
	return process, err
}

// Own starts a browser for one test, which may wound it, and gives its WebSocket address.
func Own(t *testing.T, args ...string) (address string, process *browser.Process) {
	t.Helper()
	return own(t, browser.LaunchOptions{Args: args})
}

// OwnAhead is [Own] of a browser that loads ahead what pages ask it to, as browsers do that others start.
func OwnAhead(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	return own(t, browser.LaunchOptions{UserDataDir: LoadingAhead(t)})
}

// LoadingAhead makes the profile of such a browser.
func LoadingAhead(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, "Default")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "Preferences"), []byte(`{"net":{"network_prediction_options":0}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func own(t *testing.T, o browser.LaunchOptions) (address string, process *browser.Process) {
	t.Helper()
	process, err := launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	CloseAfter(t, process)
	return process.WebSocketURL(), process
}

// CloseAfter ends a browser with the test.
func CloseAfter(t *testing.T, process *browser.Process) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
		defer cancel()
		if err := process.Close(ctx); err != nil {
			t.Errorf("the browser did not end cleanly: %v", err)
		}
	})
}
