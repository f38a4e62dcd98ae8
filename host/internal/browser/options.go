package browser

import (
	"cmp"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
)

// Transport is how the host communicates with a launched browser.
type Transport string

// The transports.
const (
	// TransportAuto is the pipe if the system can pass file descriptors to children (all but Windows), else the port.
	TransportAuto Transport = ""
	// TransportPipe uses --remote-debugging-pipe: no port is open, and the browser quits when its parent dies.
	TransportPipe Transport = "pipe"
	// TransportPort uses --remote-debugging-port=0 on the loopback interface. Any local process can connect, and the
	// browser outlives a parent that is killed.
	TransportPort Transport = "port"
)

// Sandbox says whether the browser's own sandbox is used.
type Sandbox string

// The sandbox modes.
const (
	// SandboxAuto turns the sandbox off if the browser cannot start with it: as root, and in a container without user
	// namespaces. Otherwise it stays on.
	SandboxAuto Sandbox = ""
	// SandboxOn refuses to start a browser without its sandbox.
	SandboxOn Sandbox = "on"
	// SandboxOff always passes --no-sandbox: a page that exploits the renderer then has the rights of this process.
	SandboxOff Sandbox = "off"
)

// DefaultStartTimeout is how long a browser may take to answer its first command. It is generous: a start takes a third
// of a second on an idle machine, but many times that with cold disks and busy cores.
const DefaultStartTimeout = 30 * time.Second

// The default size of pages: that of a small laptop, for which sites show their full layout.
const (
	DefaultWidth  = 1280
	DefaultHeight = 800
)

// LaunchOptions say how to start a browser. The zero value starts a headless one over the pipe with a fresh profile.
type LaunchOptions struct {
	// Executable is a path or a name in PATH; empty: see [Find].
	Executable string
	// Headful shows a window, which needs a display. The default is headless (--headless=new).
	Headful bool
	// UserDataDir is the directory of the profile; empty: a temporary one, which is removed at the end.
	UserDataDir string
	// Busy is what to do if another browser uses UserDataDir, and User whom to name to others as using it.
	Busy Busy
	User string
	// Args are additional switches, after the default ones. Several --enable-features and --disable-features are
	// merged. Switches that another option sets are refused.
	Args []string
	// Environment names variables of this process that the browser gets in addition to those that it needs. A trailing
	// * matches any text.
	Environment []string
	// Width and Height are the size of pages, in CSS pixels; 0 is [DefaultWidth] and [DefaultHeight]. With a window they
	// are about that.
	Width, Height int
	// UserAgent is how the browser names itself to sites; empty: as the same browser with a window does. Only Linux and
	// macOS browsers without a window are renamed.
	UserAgent string
	// Transport is how to communicate with it.
	Transport Transport
	// Sandbox says whether it runs its sandbox.
	Sandbox Sandbox
	// NoTab starts it without a tab. It then lives on without one.
	NoTab bool
	// BlockPopups keeps the popup blocker on. By default it is off: it blocks each window.open more than 5 s after an
	// input, and neither an agent nor a supervisor is told of a blocked popup, while an opened one is a supervised
	// target that can be closed.
	BlockPopups bool
	// Guard is the proxy through which it reaches the network; nil: none. The browser owns it: it is closed with the
	// browser, and if the start fails.
	Guard *netguard.Proxy
	// Stderr receives the output of the browser; may be nil. The last 8 KiB are kept for errors in any case.
	Stderr io.Writer
	// Logger logs the start, the end and warnings; may be nil.
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
	o.Width, o.Height = cmp.Or(o.Width, DefaultWidth), cmp.Or(o.Height, DefaultHeight)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.StartTimeout <= 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	return o
}
