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

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

const (
	// exitGrace is how long a browser may take to quit by itself once its pipe is closed.
	exitGrace = 3 * time.Second
	// termGrace is how long it may take after SIGTERM.
	termGrace = 2 * time.Second
	// goneGrace is how long the rest of its processes may take to vanish after SIGKILL.
	goneGrace = 5 * time.Second
	// drainGrace is how long the last words on stderr are waited for.
	drainGrace = 100 * time.Millisecond
)

// ExitError says that a browser ended without being asked to.
type ExitError struct {
	// State is how it ended, such as "signal: killed".
	State string
	// Stderr is the end of what it printed, at most 8 KiB.
	Stderr string
}

// Error names how it ended.
func (e *ExitError) Error() string { return "the browser ended by itself: " + e.State }

// LeftoverError says that Close could not clean up everything.
type LeftoverError struct {
	// PIDs are processes of the browser that live on.
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

// Unwrap gives why the profile could not be removed.
func (e *LeftoverError) Unwrap() error { return e.Err }

// Process is a browser that [Launch] started. Its methods may be called by any goroutine.
type Process struct {
	group                  *procgroup.Group
	log                    *slog.Logger
	profile                profile
	toBrowser, fromBrowser *os.File // nil with TransportPort
	webSocketURL           string
	sandbox                string // set before Launch returns
	tail                   *tail
	done                   chan struct{}
	state                  string        // how it ended; set before done is closed
	drained                chan struct{} // closed after done, when all that it printed is in tail

	closing  sync.Once
	closed   chan struct{} // Close has finished
	closeErr error         // set before closed is closed

	mu        sync.Mutex
	wantedEnd bool // Close came before the end
}

// start runs cmd with its own process group, and its pipes on file descriptors 3 (it reads) and 4 (it writes).
func start(cmd *exec.Cmd, opts LaunchOptions, profile profile) (*Process, error) {
	p := &Process{
		log:     opts.Logger,
		profile: profile,
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

// reap waits for the browser's end, takes the rest of its process group with it and reports it.
func (p *Process) reap(cmd *exec.Cmd, stderr *os.File) {
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		_, _ = io.Copy(p.tail, stderr)
	}()
	p.group.Wait()
	p.state = cmd.ProcessState.String()
	close(p.done)
	// Who inherited stderr may live on for a moment, or for long (a crash handler): take what is there, and no more.
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

// PID is the process id of the browser, which is also that of its process group on Unix.
func (p *Process) PID() int { return p.group.PID() }

// UserDataDir is the directory of the profile.
func (p *Process) UserDataDir() string { return p.profile.dir }

// Sandbox reports whether the browser runs its own sandbox: "on", or "off" and why.
func (p *Process) Sandbox() string { return p.sandbox }

// HasTemporaryProfile reports whether the profile was made for this browser, and goes with it.
func (p *Process) HasTemporaryProfile() bool { return p.profile.temporary }

// Pipe gives the ends of the debugging pipe: r is what the browser writes, w what it reads; nil with TransportPort. Who
// takes them may close them: the browser then quits.
func (p *Process) Pipe() (r io.ReadCloser, w io.WriteCloser) {
	if p.fromBrowser == nil {
		return nil, nil
	}
	return p.fromBrowser, p.toBrowser
}

// WebSocketURL is the address of the browser's endpoint; empty with TransportPipe.
func (p *Process) WebSocketURL() string { return p.webSocketURL }

// Done is closed as soon as the browser has ended, for whatever reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err gives an [*ExitError] when the browser ended without Close, also when someone closed its pipe or sent
// Browser.close; nil while it runs, and after a Close.
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

// exitReason describes the end; only after done. It waits a moment for the last words.
func (p *Process) exitReason() error {
	<-p.drained
	return &ExitError{State: p.state, Stderr: p.tail.String()}
}

// Kill ends the browser and its process group at once (SIGKILL); Close still has to be called.
func (p *Process) Kill() { p.group.Kill() }

// Close ends the browser: it closes the pipe, on which a browser quits by itself (also if Browser.close was sent
// before); after 3 s it sends SIGTERM, after 2 more SIGKILL. When ctx ends, SIGKILL is sent at once. Then it waits until
// no process of the browser is left, and removes a temporary profile. Further calls wait for the first and give its
// result, which is nil or a [*LeftoverError].
func (p *Process) Close(ctx context.Context) error {
	p.closing.Do(func() {
		p.mu.Lock()
		select {
		case <-p.done: // it ended by itself, and Err keeps saying so
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

// awaitDone waits for the browser's end, at most for the given time and for ctx.
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
		if p.profile.temporary { // a directory that only this browser can use; another's may belong to a browser of the user
			killAll(left)
		}
		time.Sleep(5 * time.Millisecond)
	}
	err := p.profile.remove()
	if len(left) > 0 || err != nil {
		return &LeftoverError{PIDs: left, Err: err}
	}
	return nil
}

// Survivors lists the living processes of this browser: its process group, and those that name its temporary profile on
// their command line (crash handlers leave the group). It is what tests and the registry of browsers look at.
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
