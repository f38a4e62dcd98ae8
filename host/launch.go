package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Isolation says what a launched task has to itself.
type Isolation string

// The values of [Isolation].
const (
	// IsolationAuto is a browser for a task with a profile or a port, and a context for any other.
	IsolationAuto Isolation = ""
	// IsolationContext is a browser context, with its own cookies and storage, in a browser that the host's tasks with the
	// same [LaunchOptions] share. It starts in a fraction of the time and memory of a browser. What ends the browser ends
	// all of its tasks, and they share its clipboard.
	IsolationContext Isolation = "context"
	// IsolationBrowser is a browser.
	IsolationBrowser Isolation = "browser"
)

// Launch starts a task in a browser that the host starts, or has started for another task: in a browser context, or in
// a browser of its own, as [LaunchOptions.Isolation] says. The browser ends with the last of its tasks. Launch is
// idempotent like [Host.Attach] and returns the same errors, as well as ErrRestartLoop if the task's browsers have
// ended by themselves too often.
func (h *Host) Launch(ctx context.Context, id string, launch *LaunchOptions, options *TaskOptions) (_ *Task, err error) {
	defer fault.During("launch", &err)
	o := optional.Or(launch)
	return h.startTask(ctx, id, place{}, optional.Or(options), func(ctx context.Context) (*shared, error) { return h.launch(ctx, id, o) })
}

// launch returns the browser for a task: one that is there for it, or a new one.
func (h *Host) launch(ctx context.Context, task string, o LaunchOptions) (*shared, error) {
	alone, err := o.alone()
	if err != nil {
		return nil, err
	}
	if alone || h.suspect(task) {
		return h.startBrowser(ctx, task, o, false)
	}
	return h.share(ctx, o.key(), func() (*shared, error) { return h.startBrowser(ctx, task, o, true) })
}

// alone reports whether the task must have a browser of its own.
func (o *LaunchOptions) alone() (bool, error) {
	switch o.Isolation {
	case IsolationAuto:
		return o.UserDataDir != "" || o.Port, nil
	case IsolationBrowser:
		return true, nil
	case IsolationContext:
		if o.UserDataDir != "" {
			return false, fmt.Errorf("%w: a task with a profile has a browser of its own: isolation cannot be %s", ErrBadArguments, IsolationContext)
		}
		return false, nil
	}
	return false, fmt.Errorf("%w: the isolation %q is not one of %s, %s", ErrBadArguments, o.Isolation, IsolationContext, IsolationBrowser)
}

// key is the same for options with which tasks may share a browser. It has the secrets of the options, and is never
// shown.
func (o LaunchOptions) key() string {
	output, resolver, network := o.Stderr, o.Network.Resolver, o.Network
	o.Stderr, o.Network, o.Isolation, network.Resolver = nil, Network{}, "", nil
	return fmt.Sprintf("launched %p %p %#v %#v", output, resolver, network, o)
}

// suspectEnds is how many browsers of a task must have ended by themselves for its next one to be its own.
const suspectEnds = 2

// suspect reports whether a task may be what ends its browsers, which other tasks should then not share.
func (h *Host) suspect(task string) bool {
	record := h.restarts.of(task)
	return record != nil && len(record.since(time.Now().Add(-h.options.RestartWindow))) >= suspectEnds
}

// startBrowser starts a browser and opens the connection to it. One that tasks share has no tab of its own.
func (h *Host) startBrowser(ctx context.Context, task string, o LaunchOptions, common bool) (*shared, error) {
	options := browser.LaunchOptions{
		Executable: o.Executable, Headful: o.Headed, UserDataDir: o.UserDataDir, Busy: o.ProfileBusy, User: "the task " + task, Args: o.Args, Stderr: o.Stderr, Logger: h.log,
		Environment: o.Environment, Sandbox: o.Sandbox, Width: o.Width, Height: o.Height, UserAgent: o.UserAgent, NoTab: common,
	}
	if o.Port {
		options.Transport = browser.TransportPort
	}
	var err error
	if options.Guard, err = h.guard(o.Network); err != nil {
		return nil, err
	}
	process, err := browser.Launch(ctx, options)
	if err != nil {
		return nil, err
	}
	s := &shared{process: process, users: 1}
	if s.link, err = h.group.Adopt(ctx, process); err != nil {
		return nil, errors.Join(err, process.Close(ctx))
	}
	return s, nil
}
