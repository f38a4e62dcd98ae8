package host

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/endpoint"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/proctable"
	"github.com/hermes-cdp/hermes-cdp/host/internal/rental"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// FindBrowser returns the browser that [Host.Launch] would start: the given path or name, else the first Chromium-based
// browser on PATH, else one in a well-known location. The error is ErrNoBrowser.
func FindBrowser(explicit string) (string, error) { return browser.Find(explicit) }

// EnsureBrowser is [FindBrowser], and installs Chromium from the distribution's packages if no browser is found and
// this process may install one: as root, or with sudo without a password. The installer's output goes to out. If
// explicit names a browser that does not exist, that is an error; no other browser is installed.
func EnsureBrowser(ctx context.Context, explicit string, out io.Writer) (string, error) {
	path, err := browser.Find(explicit)
	if err == nil || explicit != "" || !errors.Is(err, ErrNoBrowser) {
		return path, err
	}
	return browser.Install(ctx, out)
}

// Running is the address of whichever browser this user has running here that accepts debugging: one whose profile
// says so, as Chrome's does once a person allows it at chrome://inspect/#remote-debugging, or one on port 9222.
const Running = endpoint.Running

// OpenWindow starts a browser for a person, with a window and a profile of its own beside their usual one, and returns
// its address, which [Running] then stands for. It is theirs: no host ends it. Of the options it takes Executable,
// Args, Environment and Sandbox. ctx bounds the start. Errors: ErrNoBrowser, and others with the reason.
func OpenWindow(ctx context.Context, options *LaunchOptions) (address string, err error) {
	defer fault.During("open window", &err)
	o := optional.Or(options)
	return browser.OpenWindow(ctx, browser.LaunchOptions{Executable: o.Executable, Args: o.Args, Environment: o.Environment, Sandbox: o.Sandbox})
}

// BrowserSandbox reports whether the browser launched for the task runs its own sandbox: "on", or "off" with the
// reason. It is empty for a browser that the host did not start.
func (t *Task) BrowserSandbox() string {
	if t.shared.process == nil {
		return ""
	}
	return t.shared.process.Sandbox()
}

// BrowserInfo is a browser, who uses it and what it takes.
type BrowserInfo struct {
	// PID is the process of a local browser that a host has started; 0: of another one, or only the profile is left.
	PID int `json:"pid,omitempty"`
	// HostPID is the process of the host that started it; 0: unknown.
	HostPID int `json:"host_pid,omitempty"`
	// Left says that this host is gone: see [Reap].
	Left bool `json:"left,omitempty"`
	// Tasks are those of this host that use it.
	Tasks []BrowserTask `json:"tasks,omitempty"`
	// For says what another host started it for, such as "the task shop".
	For string `json:"for,omitempty"`
	// Provider is the service of a rented browser, and SessionID its name for the session.
	Provider  string `json:"provider,omitempty"`
	SessionID string `json:"session_id,omitempty"`
	// Address is where a browser is that was running already, without secrets.
	Address string `json:"address,omitempty"`
	// Profile is the directory of the profile of a local browser, and Temporary says that it is removed with it.
	Profile   string `json:"profile,omitempty"`
	Temporary bool   `json:"temporary,omitempty"`
	// Began is when it was started or rented.
	Began UnixTime `json:"began,omitzero"`
	// Idle is for how long no task has done anything on it, in seconds.
	Idle float64 `json:"idle_s,omitempty"`
	// Processes and Memory are those of the whole tree of its processes. Memory is in bytes; on Linux a page that several
	// processes share counts once.
	Processes int   `json:"processes,omitempty"`
	Memory    int64 `json:"memory_bytes,omitempty"`
}

// BrowserTask is a task on a browser.
type BrowserTask struct {
	ID    string   `json:"id"`
	Began UnixTime `json:"began"`
	// Idle is for how long it has done nothing, in seconds.
	Idle float64 `json:"idle_s"`
}

// Browsers lists the browsers of the tasks, without what only their processes tell; see [LocalBrowsers].
func (h *Host) Browsers() []BrowserInfo {
	tasks := h.Tasks()
	slices.SortFunc(tasks, func(a, b *Task) int { return strings.Compare(a.ID(), b.ID()) })
	at := map[*shared]int{}
	var list []BrowserInfo
	for _, t := range tasks {
		i, known := at[t.shared]
		if !known {
			i = len(list)
			at[t.shared], list = i, append(list, t.shared.info())
		}
		one := BrowserTask{ID: t.ID(), Began: UnixTime{Time: t.began}, Idle: t.Idle().Seconds()}
		if list[i].Tasks == nil || one.Idle < list[i].Idle {
			list[i].Idle = one.Idle
		}
		list[i].Tasks = append(list[i].Tasks, one)
	}
	return list
}

// info is what is known of the browser itself.
func (s *shared) info() BrowserInfo {
	switch {
	case s.process != nil:
		return BrowserInfo{PID: s.process.PID(), Profile: s.process.UserDataDir(), Temporary: s.process.HasTemporaryProfile()}
	case s.lease != nil:
		return BrowserInfo{Provider: s.lease.Provider.Name(), SessionID: s.lease.Session().ID, Began: UnixTime{Time: s.lease.At}}
	}
	return BrowserInfo{Address: cdp.Redact(s.address)}
}

// LocalBrowsers adds to known browsers what their processes tell, and lists the others with temporary profiles that
// hosts of this user on this machine have started: those of other hosts, and those that hosts left which are gone.
func LocalBrowsers(known []BrowserInfo) (_ []BrowserInfo, err error) {
	defer fault.During("local browsers", &err)
	processes, err := proctable.List()
	if err != nil {
		return nil, err
	}
	list := slices.Clone(known)
	for _, one := range browser.Instances(processes) {
		at := slices.IndexFunc(list, func(b BrowserInfo) bool { return b.Profile == one.Profile })
		if at < 0 {
			at = len(list)
			list = append(list, BrowserInfo{PID: one.PID, Profile: one.Profile, Temporary: true, For: one.User, Left: one.Left, Began: UnixTime{Time: one.Since}})
		}
		list[at].HostPID = cmp.Or(list[at].HostPID, one.Host)
	}
	for i := range list {
		list[i].measure(processes)
	}
	return list, nil
}

// measure adds up what the processes of a browser take.
func (b *BrowserInfo) measure(processes []proctable.Process) {
	for i, p := range proctable.Tree(processes, b.PID) {
		if i == 0 {
			b.Began = UnixTime{Time: p.Started}
		}
		b.Processes++
		b.Memory += p.Share()
	}
}

// Age is how long ago it began; 0: unknown.
func (b BrowserInfo) Age() time.Duration {
	if b.Began.IsZero() {
		return 0
	}
	return max(time.Since(b.Began.Time), 0)
}

// shared is a connection and the number of tasks that use it.
type shared struct {
	key     string // in Host.links; empty: no other task may use it
	link    *engine.Link
	address string           // resolved; empty for a launched browser
	process *browser.Process // nil unless the host launched the browser
	headed  bool             // it launched the browser with a window
	network Network          // what it launched the browser with
	lease   *rental.Browser  // nil unless it is rented
	users   int              // guarded by Host.mu

	notices  notices
	fallback string // why a local browser was launched instead of a rented one
}

// scope returns what belongs to a task: at an address what it asks for, all of a browser that is its own, and nothing
// but a context of one that other tasks may use.
func (s *shared) scope(o TaskOptions) Scope {
	switch {
	case s.key == "":
		return ScopeBrowser
	case s.process != nil || o.Scope == ScopeAuto && o.TargetID == "":
		return ScopeContext
	case o.Scope == ScopeAuto:
		return ScopeTab
	}
	return o.Scope
}

// usable reports whether the browser is there, as far as is known.
func (s *shared) usable() bool {
	if s.process != nil {
		select {
		case <-s.process.Done():
			return false // although the connection may not have ended yet
		default:
		}
	}
	return s.link.Alive()
}

// share returns the connection with this key, which the first task opens.
func (h *Host) share(ctx context.Context, key string, open func() (*shared, error)) (*shared, error) {
	unlock, err := h.starting.Lock(ctx, "browser "+key)
	if err != nil {
		return nil, err
	}
	defer unlock()
	h.mu.Lock()
	s := h.links[key]
	if s != nil && s.usable() {
		s.users++
		h.mu.Unlock()
		return s, nil
	}
	h.mu.Unlock()
	if s, err = open(); err != nil {
		return nil, err
	}
	s.key = key
	h.mu.Lock()
	h.links[key] = s
	h.mu.Unlock()
	return s, nil
}

// release gives up one share of a connection. Releasing the last closes it and ends a launched browser.
func (h *Host) release(ctx context.Context, s *shared) error {
	h.mu.Lock()
	s.users--
	last := s.users == 0
	if last && h.links[s.key] == s {
		delete(h.links, s.key)
	}
	h.mu.Unlock()
	if !last {
		return nil
	}
	if s.lease != nil {
		s.link.Close()
		return s.lease.Release()
	}
	if s.process == nil {
		s.link.Close()
		return nil
	}
	// Browser.close lets the browser save its profile. If it does not answer, its process is ended below.
	err := s.link.Call(ctx, cdpbrowser.CommandClose, nil, nil)
	if errors.Is(err, ErrDisconnected) {
		err = nil
	}
	s.link.Close()
	return errors.Join(err, s.process.Close(ctx))
}
