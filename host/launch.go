package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
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
	h.private.add(o.UserDataDir)
	var err error
	if options.Guard, err = h.guard(o.Network); err != nil {
		return nil, err
	}
	process, err := browser.Launch(ctx, options)
	if err != nil {
		return nil, err
	}
	s := &shared{process: process, headed: o.Headed, network: o.Network, users: 1}
	if s.link, err = h.group.Adopt(ctx, process); err != nil {
		return nil, errors.Join(err, process.Close(ctx))
	}
	return s, nil
}

// Network says what a launched browser may reach, and through which proxy. The zero value restricts nothing.
//
// A restricted browser reaches the network through a proxy of the host only: it resolves no names, connects to nothing
// else and sends no UDP, so there is no QUIC, no WebTransport, and no WebRTC over UDP.
type Network struct {
	// Allow is what may be reached beside the addresses of the public internet: loopback, private, link-local, metadata,
	// special, addresses, prefixes such as 10.1.0.0/16, and names of hosts (*.corp.example for all below a domain). Nil,
	// or with the word all: everything. Not nil but empty: nothing. What is refused is ErrNetworkRefused.
	Allow []string
	// Proxy is the URL of another proxy for everything but this machine: http, https, socks5 or socks5h, with its user
	// and password. The browser does not learn it. Empty: the one that the environment names, or none.
	Proxy string
	// Resolve resolves names here, and gives that proxy the address that was checked. Otherwise it resolves them, and
	// only hosts that are addresses or known names are checked.
	Resolve bool
	// Resolver resolves names. Default: the resolver of the system.
	Resolver *net.Resolver
}

// RequestNetwork says what the requests of a task may reach, in any browser. The zero value restricts nothing, and
// costs nothing, as does one that the host has started the browser with, in [LaunchOptions.Network].
//
// Otherwise each request is held until the address has been looked at, as far as Chromium shows requests to a debugger:
// navigations, redirects, subresources and what workers request. It does not show WebSockets, WebTransport, WebRTC,
// what it prefetches by itself and what raw commands make it load. Names are looked up here: where the browser runs
// they may stand for other addresses, now or a moment later. What must not be reached at all needs
// [LaunchOptions.Network], or a firewall around the browser.
type RequestNetwork struct {
	// Allow is like [Network.Allow].
	Allow []string
	// Resolver resolves names. Default: the resolver of the system.
	Resolver *net.Resolver
}

// checker decides on the requests of a task; nil: nobody does.
func (h *Host) checker(o RequestNetwork) (*netguard.Checker, error) {
	if o.Allow == nil || slices.Contains(o.Allow, netrules.All) {
		return nil, nil
	}
	policy, err := netrules.Parse(o.Allow)
	if err != nil {
		return nil, fmt.Errorf("%w: TaskOptions.Network.Allow: %w", ErrBadArguments, err)
	}
	return netguard.NewChecker(netguard.Options{Policy: policy, Resolver: o.Resolver, Tally: &h.network, Logger: h.log}), nil
}

// restrictsLike reports whether a browser that was started with these options reaches no more than these requests may,
// so that nobody needs to look at each.
func (o Network) restrictsLike(requests RequestNetwork) bool {
	return o.Allow != nil && slices.Equal(o.Allow, requests.Allow)
}

// guard starts the proxy that a browser needs for its options; nil: it needs none.
func (h *Host) guard(o Network) (*netguard.Proxy, error) {
	unrestricted := o.Allow == nil || slices.Contains(o.Allow, netrules.All)
	if unrestricted && o.Proxy == "" {
		return nil, nil
	}
	if unrestricted {
		o.Allow = []string{netrules.All}
	}
	policy, err := netrules.Parse(o.Allow)
	if err != nil {
		return nil, fmt.Errorf("%w: Network.Allow: %w", ErrBadArguments, err)
	}
	options := netguard.Options{Policy: policy, Resolve: o.Resolve, Resolver: o.Resolver, Tally: &h.network, Logger: h.log}
	if o.Proxy != "" {
		if options.Upstream, err = netguard.ParseProxy(o.Proxy); err != nil {
			return nil, fmt.Errorf("%w: Network.Proxy: %w", ErrBadArguments, err)
		}
	}
	return netguard.Start(options)
}

// String has no secrets.
func (o Network) String() string {
	return fmt.Sprintf("{Allow:%q Proxy:%s Resolve:%t}", o.Allow, secret.Address(o.Proxy), o.Resolve)
}

// NetworkCounters count what browsers with a [Network] asked for.
type NetworkCounters = netguard.Counters
