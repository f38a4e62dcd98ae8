package browser

import (
	"io"
	"log/slog"
	"runtime"
	"time"
)

// Transport is how the host speaks to a launched browser.
type Transport string

// The transports.
const (
	// TransportAuto is the pipe where the system can pass file descriptors to children (all but Windows), else the port.
	TransportAuto Transport = ""
	// TransportPipe uses --remote-debugging-pipe: no port is open, and the browser quits when its parent dies.
	TransportPipe Transport = "pipe"
	// TransportPort uses --remote-debugging-port=0 on the loopback interface. Any process of the machine can connect, and
	// the browser outlives a parent that is killed.
	TransportPort Transport = "port"
)

// Sandbox says whether the browser's own sandbox is used.
type Sandbox string

// The sandbox modes.
const (
	// SandboxAuto turns the sandbox off where the browser cannot start with it: as root, and in a container that allows
	// no user namespaces. Elsewhere it stays on.
	SandboxAuto Sandbox = ""
	// SandboxOn starts no browser that would run without it.
	SandboxOn Sandbox = "on"
	// SandboxOff always passes --no-sandbox: any page that exploits the renderer then has the rights of this process.
	SandboxOff Sandbox = "off"
)

// DefaultStartTimeout is how long a browser may take to answer its first command. It is generous: a start takes a third of
// a second on an idle machine, and many times that with cold disks and busy cores.
const DefaultStartTimeout = 30 * time.Second

// LaunchOptions says how to start a browser. The zero value starts a headless one over the pipe with a fresh profile.
type LaunchOptions struct {
	// Executable is a path or a name in PATH; empty searches, see [Find].
	Executable string
	// Headful shows a window, which needs a display. The default is headless (--headless=new).
	Headful bool
	// UserDataDir is the profile's directory; empty is a fresh one below the temp directory that is removed at the end.
	UserDataDir string
	// Args are more switches for the browser, after the default ones. Several --enable-features and --disable-features
	// are merged. Switches that another option sets are refused.
	Args []string
	// Environment names variables of this process that the browser gets beside those that it needs to run; a * at the end
	// stands for any text.
	Environment []string
	// Transport is how to speak to it.
	Transport Transport
	// Sandbox is whether it runs its sandbox.
	Sandbox Sandbox
	// BlockPopups keeps the browser's popup blocker. By default it is off: it blocks each window.open that is not within
	// 5 s of an input, and a blocked popup is something that neither an agent nor a supervisor ever hears of, while an
	// opened one is a supervised target that can be closed.
	BlockPopups bool
	// Stderr receives what the browser prints; nil drops it. The last 8 KiB are kept for errors in any case.
	Stderr io.Writer
	// Logger receives the start, the end and warnings; nil logs nothing.
	Logger *slog.Logger
	// StartTimeout bounds the start; 0 is DefaultStartTimeout.
	StartTimeout time.Duration
}

func (o LaunchOptions) withDefaults() LaunchOptions {
	if o.Transport == TransportAuto {
		o.Transport = TransportPipe
		if runtime.GOOS == "windows" {
			o.Transport = TransportPort
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.StartTimeout <= 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	return o
}
