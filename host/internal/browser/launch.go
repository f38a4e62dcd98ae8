package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"time"
)

// StartError says that a browser could not be started.
type StartError struct {
	// Executable is the executable that was started.
	Executable string
	// Err is the reason.
	Err error
	// Stderr is the end of the browser's output, at most 8 KiB, which often explains the error best.
	Stderr string
}

// Error names the executable and the reason, and quotes the output.
func (e *StartError) Error() string {
	text := fmt.Sprintf("start browser %s: %v", e.Executable, e.Err)
	if strings.Contains(e.Stderr, "No usable sandbox") {
		text += "; the system allows no user namespaces: allow them, or set browser.sandbox to off"
	}
	if e.Stderr != "" {
		text += "; it printed:\n" + e.Stderr
	}
	return text
}

// Unwrap returns the reason.
func (e *StartError) Unwrap() error { return e.Err }

// Launch starts a browser and returns when it answers. ctx only bounds the start. Errors are a [*NotFoundError] or a
// [*StartError]; after an error nothing of the browser is left. The caller must call [Process.Close].
func Launch(ctx context.Context, opts LaunchOptions) (p *Process, err error) {
	defer func() {
		if err != nil && opts.Guard != nil {
			_ = opts.Guard.Close()
		}
	}()
	opts = opts.withDefaults()
	executable, err := Find(opts.Executable)
	if err != nil {
		return nil, err
	}
	reapAbandoned(opts.Logger)
	profile, err := openProfile(ctx, opts)
	if err != nil {
		return nil, &StartError{Executable: executable, Err: err}
	}
	limits := detectConstraints(opts, executable)
	if err := mayStart(opts, limits); err != nil {
		return nil, &StartError{Executable: executable, Err: errors.Join(err, profile.remove())}
	}
	if opts.UserAgent == "" && !opts.Headful {
		opts.UserAgent = windowedUserAgent(ctx, executable, min(opts.StartTimeout, versionLimit))
	}
	args, err := commandLine(opts, profile.dir, limits)
	if err != nil {
		return nil, &StartError{Executable: executable, Err: errors.Join(err, profile.remove())}
	}
	cmd := exec.Command(executable, args...)
	if cmd.Env, err = withOwnHandlers(environment(os.Environ(), opts.Environment, profile.dir), profile.dir); err != nil {
		return nil, &StartError{Executable: executable, Err: errors.Join(err, profile.remove())}
	}
	p, err = start(cmd, opts, profile)
	if err != nil {
		return nil, &StartError{Executable: executable, Err: errors.Join(err, profile.remove())}
	}
	startCtx, cancel := context.WithTimeoutCause(ctx, opts.StartTimeout,
		fmt.Errorf("it did not answer within %v", opts.StartTimeout))
	defer cancel()
	if err := p.awaitAnswer(startCtx); err != nil {
		select {
		case <-p.done:
			err = p.exitReason()
		case <-startCtx.Done():
			err = context.Cause(startCtx)
		default:
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel() // no grace
		err = errors.Join(err, p.Close(cancelled))
		return nil, &StartError{Executable: executable, Err: err, Stderr: p.tail.String()}
	}
	p.profile.answered()
	p.sandbox = sandboxOf(p.PID(), args, limits)
	if p.sandbox != sandboxIsOn && opts.Sandbox == SandboxOn {
		cancelled, cancel := context.WithCancel(context.Background())
		cancel() // no grace
		return nil, &StartError{Executable: executable, Err: errors.Join(&SandboxError{Reason: p.sandbox}, p.Close(cancelled))}
	}
	if p.sandbox != sandboxIsOn && opts.Sandbox == SandboxAuto {
		opts.Logger.Warn("the browser runs without its sandbox", slog.String("sandbox", p.sandbox))
	}
	opts.Logger.Info("browser started", slog.String("executable", executable), slog.Int("pid", p.PID()))
	return p, nil
}

// awaitAnswer waits until the browser can be used.
func (p *Process) awaitAnswer(ctx context.Context) error {
	if p.fromBrowser != nil {
		return p.awaitPipe(ctx)
	}
	return p.awaitPort(ctx)
}

// awaitPipe exchanges one command, byte by byte, so that nothing is left in the pipe for whoever takes it over.
func (p *Process) awaitPipe(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = p.fromBrowser.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := p.toBrowser.Write([]byte("{\"id\":1,\"method\":\"Browser.getVersion\"}\x00")); err != nil {
		return p.afterExit(err)
	}
	one := make([]byte, 1)
	for one[0] = 1; one[0] != 0; {
		if _, err := p.fromBrowser.Read(one); err != nil {
			return p.afterExit(err)
		}
	}
	if !stop() {
		return context.Cause(ctx)
	}
	return nil
}

// afterExit waits for the exit that a broken pipe announces, so that the exit is reported and not the pipe.
func (p *Process) afterExit(err error) error {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		select {
		case <-p.done:
		case <-time.After(exitGrace):
		}
	}
	return fmt.Errorf("no answer over the debugging pipe: %w", err)
}

// awaitPort waits until the browser has written which port it chose.
func (p *Process) awaitPort(ctx context.Context) (err error) {
	p.webSocketURL, err = awaitPortFile(ctx, p.profile.dir, p.done, p.exitReason)
	return err
}

const (
	portFile = "DevToolsActivePort"
	portPoll = 20 * time.Millisecond
)
