package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

const (
	// exitGrace is how long a browser may take to quit by itself once its pipe is closed.
	exitGrace = 3 * time.Second
	// termGrace is how long it may take after SIGTERM.
	termGrace = 2 * time.Second
	// goneGrace is how long the rest of its processes may take to vanish after SIGKILL.
	goneGrace = 5 * time.Second
	// drainGrace is how long to wait for the last output on stderr.
	drainGrace = 100 * time.Millisecond
)

// ExitError says that a browser ended unexpectedly.
type ExitError struct {
	// State is how it ended, such as "signal: killed".
	State string
	// Stderr is the end of its output, at most 8 KiB.
	Stderr string
}

// Error says how it ended.
func (e *ExitError) Error() string { return "the browser ended by itself: " + e.State }

// LeftoverError says that Close could not clean up everything.
type LeftoverError struct {
	// PIDs are processes of the browser that are still alive.
	PIDs []int
	// Err is why the profile could not be removed; nil if it was.
	Err error
}

// Error names what is left.
func (e *LeftoverError) Error() string {
	text := "the browser left something behind"
	if len(e.PIDs) > 0 {
		text += fmt.Sprintf(": processes %v; end them by hand", e.PIDs)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns why the profile could not be removed.
func (e *LeftoverError) Unwrap() error { return e.Err }

// Process is a browser that [Launch] started. Its methods are safe for concurrent use.
type Process struct {
	group                  *procgroup.Group
	log                    *slog.Logger
	profile                profile
	toBrowser, fromBrowser *os.File // nil with TransportPort
	webSocketURL           string
	sandbox                string          // set before Launch returns
	guard                  *netguard.Proxy // nil: none
	tail                   *tail
	done                   chan struct{}
	state                  string        // how it ended; set before done is closed
	drained                chan struct{} // closed after done, when tail has all its output

	closing  sync.Once
	closed   chan struct{} // Close has finished
	closeErr error         // set before closed is closed

	mu        sync.Mutex
	wantedEnd bool // Close was called before it ended
}

// start runs cmd in a process group of its own, with its pipes on file descriptors 3 (it reads) and 4 (it writes).
func start(cmd *exec.Cmd, opts LaunchOptions, profile profile) (*Process, error) {
	p := &Process{
		log:     opts.Logger,
		profile: profile,
		guard:   opts.Guard,
		tail:    &tail{next: opts.Stderr},
		done:    make(chan struct{}),
		drained: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	var theirs []*os.File
	closeAll := func(files ...*os.File) {
		for _, f := range files {
			_ = f.Close()
		}
	}
	stderr, theirStderr, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	theirs = append(theirs, theirStderr)
	cmd.Stdout, cmd.Stderr = theirStderr, theirStderr
	if opts.Transport == TransportPipe {
		theirIn, in, err := os.Pipe()
		if err != nil {
			closeAll(stderr, theirStderr)
			return nil, err
		}
		out, theirOut, err := os.Pipe()
		if err != nil {
			closeAll(stderr, theirStderr, theirIn, in)
			return nil, err
		}
		p.toBrowser, p.fromBrowser = in, out
		cmd.ExtraFiles = []*os.File{theirIn, theirOut}
		theirs = append(theirs, theirIn, theirOut)
	}
	p.group, err = procgroup.Start(cmd)
	closeAll(theirs...)
	if err != nil {
		closeAll(stderr)
		p.closePipe()
		return nil, err
	}
	go p.reap(cmd, stderr)
	return p, nil
}

// reap waits for the browser's end, ends the rest of its process group and reports it.
func (p *Process) reap(cmd *exec.Cmd, stderr *os.File) {
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		_, _ = io.Copy(p.tail, stderr)
	}()
	p.group.Wait()
	p.state = cmd.ProcessState.String()
	close(p.done)
	// Processes that inherited stderr may live on for a moment, or longer (a crash handler): read what is there and no
	// more.
	select {
	case <-printed:
	case <-time.After(drainGrace):
	}
	_ = stderr.Close()
	<-printed
	close(p.drained)
	if err := p.Err(); err != nil {
		p.log.Warn("browser ended by itself", slog.Int("pid", p.PID()), slog.String("state", p.state))
	}
}

// PID is the process id of the browser. On Unix it is also that of its process group.
func (p *Process) PID() int { return p.group.PID() }

// UserDataDir is the directory of the profile.
func (p *Process) UserDataDir() string { return p.profile.dir }

// Guard is the proxy through which it reaches the network; nil: none.
func (p *Process) Guard() *netguard.Proxy { return p.guard }

// Sandbox says whether the browser runs its own sandbox: "on", or "off" with the reason.
func (p *Process) Sandbox() string { return p.sandbox }

// HasTemporaryProfile reports whether the profile was made for this browser and is removed with it.
func (p *Process) HasTemporaryProfile() bool { return p.profile.temporary }

// Pipe returns the ends of the debugging pipe: r is what the browser writes, w what it reads; nil with TransportPort.
// The caller may close them, and the browser then quits.
func (p *Process) Pipe() (r io.ReadCloser, w io.WriteCloser) {
	if p.fromBrowser == nil {
		return nil, nil
	}
	return p.fromBrowser, p.toBrowser
}

// WebSocketURL is the URL of the browser's endpoint; empty with TransportPipe.
func (p *Process) WebSocketURL() string { return p.webSocketURL }

// Done is closed as soon as the browser has ended, for whatever reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns an [*ExitError] if the browser ended without Close, also if someone closed its pipe or sent
// Browser.close. It is nil while the browser runs, and after a Close.
func (p *Process) Err() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	p.mu.Lock()
	wanted := p.wantedEnd
	p.mu.Unlock()
	if wanted {
		return nil
	}
	return p.exitReason()
}

// exitReason describes the end, after done. It waits a moment for the last output.
func (p *Process) exitReason() error {
	<-p.drained
	return &ExitError{State: p.state, Stderr: p.tail.String()}
}

// Kill ends the browser and its process group at once (SIGKILL). Close must still be called.
func (p *Process) Kill() { p.group.Kill() }

// Close ends the browser. It closes the pipe, which makes a browser quit by itself (even if Browser.close was sent
// before). After 3 s it sends SIGTERM, after 2 more SIGKILL. If ctx ends, it sends SIGKILL at once. Then it waits until
// no process of the browser is left, and removes a temporary profile. Further calls wait for the first and return its
// result, which is nil or a [*LeftoverError].
func (p *Process) Close(ctx context.Context) error {
	p.closing.Do(func() {
		p.mu.Lock()
		select {
		case <-p.done: // it ended by itself, which Err keeps reporting
		default:
			p.wantedEnd = true
		}
		p.mu.Unlock()
		p.closeErr = p.close(ctx)
		close(p.closed)
	})
	<-p.closed
	return p.closeErr
}

func (p *Process) close(ctx context.Context) error {
	p.closePipe()
	if p.fromBrowser != nil && p.awaitDone(ctx, exitGrace) {
		return p.cleanUp()
	}
	p.group.Terminate()
	if !p.awaitDone(ctx, termGrace) {
		p.Kill()
		<-p.done
	}
	return p.cleanUp()
}

// awaitDone waits for the browser's end, at most for the given time and until ctx ends.
func (p *Process) awaitDone(ctx context.Context, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// cleanUp waits for the rest of the processes and removes the profile.
func (p *Process) cleanUp() error {
	<-p.drained
	left := p.Survivors()
	for deadline := time.Now().Add(goneGrace); len(left) > 0 && time.Now().Before(deadline); left = p.Survivors() {
		if p.profile.temporary { // only this browser uses it; another directory may belong to a browser of the user
			killAll(left)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if p.guard != nil {
		_ = p.guard.Close() // nobody uses it any more
	}
	err := p.profile.remove()
	if len(left) > 0 || err != nil {
		return &LeftoverError{PIDs: left, Err: err}
	}
	return nil
}

// Survivors lists the live processes of this browser: its process group, and those that name its temporary profile on
// their command line (crash handlers leave the group). Tests and the registry of browsers use it.
func (p *Process) Survivors() []int {
	dir := ""
	if p.profile.temporary {
		dir = p.profile.dir
	}
	return survivors(p.PID(), dir)
}

func (p *Process) closePipe() {
	for _, f := range []*os.File{p.toBrowser, p.fromBrowser} {
		if f == nil {
			continue
		}
		if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			p.log.Warn("close the debugging pipe", slog.Any("error", err))
		}
	}
}
