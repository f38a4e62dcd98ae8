package host

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/storagestate"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
)

// Options configures a host. The zero value works: the shipped plugins with their defaults, and no logging.
type Options struct {
	// Logger receives what the host does and decides; nil logs nothing. Page text is escaped.
	Logger *slog.Logger
	// Plugins configures the shipped plugins (dialog-policy, frame-filter, bridge-script) by name, and adds others. A
	// module serves the hooks that it exports. The modules of a hook are asked in order of Priority, and the first that
	// decides wins. Modules that filter frames each see what the one before kept.
	Plugins map[string]PluginOptions
	// Functions are functions of the program that plugins may import, if PluginOptions.Functions grants them.
	Functions []PluginFunction
	// Policies are code of the program that decides beside the modules of plugins.
	Policies []Policy
	// PluginDownloadDir keeps downloaded modules by their hash. Empty: a URL cannot be a source.
	PluginDownloadDir string
	// PluginStateDir keeps which modules serve, their history and the plugins that were installed, so that the next host
	// continues with them; it is created with mode 0700, and one host has it at a time. Empty: nothing is kept.
	PluginStateDir string
	// PluginFallback has [New] start although a plugin's module cannot: with the last good one in PluginStateDir, else
	// the shipped one, else none, so that the host decides in its place. [PluginInfo.Problem] then says why. Default: it
	// fails.
	PluginFallback bool
	// PluginTrial says how modules that are not shipped are tried in a child process before they may run here: compiled,
	// initialised, tested and asked about recent calls. Default: they are, in a new process of this executable.
	PluginTrial module.Trial
	// VerifySigstore verifies that a bundle is a signature that somebody has made of one of the contents, as
	// sigstore.Verify of package host/sigstore does. Nil: no module meets PluginOptions.Sigstore.
	VerifySigstore func(by Sigstore, bundle []byte, contents ...[]byte) error
	// PluginFaults is how many faults of a plugin within PluginFaultWindow make the host return to the last good module,
	// or to the shipped one. Default 5; negative: it never returns.
	PluginFaults int
	// PluginFaultWindow is the period over which faults are counted. Default 1 minute.
	PluginFaultWindow time.Duration
	// NavigateFailClosed denies navigations on which a plugin failed to decide. Default: they are allowed.
	NavigateFailClosed bool
	// RequestFailClosed blocks requests on which a plugin failed to decide. Default: they are allowed.
	RequestFailClosed bool
	// FileFailOpen lets files pass, from a page or to one, on which a plugin failed to decide. Default: they are denied.
	FileFailOpen bool
	// SnapshotFailOpen shows what a page shows if a plugin failed to decide on the reading. Default: it is withheld.
	SnapshotFailOpen bool
	// ConsoleFailOpen keeps what a page logs if a plugin failed to decide on it. Default: it is dropped.
	ConsoleFailOpen bool
	// ToolAskTimeout is how long a call waits that a plugin leaves to the operator, before it is denied. Default: two
	// minutes.
	ToolAskTimeout time.Duration
	// ToolFailOpen lets calls of tools, and their results, pass on which a plugin failed to decide. Default: they are
	// denied.
	ToolFailOpen bool
	// DialogFailClosed dismisses a dialog at once if a plugin failed to decide on it. An agent's answer to such a dialog
	// does not count, not even an armed one. A dialog plugin that fails too often does not return to the shipped module,
	// whose rules are different. Default: an armed answer is used, else the dialog is held for an agent until its
	// deadline.
	DialogFailClosed bool
	// PluginConcluded is told of each change of a plugin that the host made by itself. It must not wait for the host;
	// may be nil.
	PluginConcluded func(PluginConclusion)
	// Journal says how hook calls are kept.
	Journal JournalOptions
	// Recording says where recordings and traces of tasks are kept.
	Recording RecordingOptions
	// StateKey encrypts what [Task.SaveState] writes, and must have encrypted what [Task.LoadState] reads: 32 random bytes
	// in base64. Empty: the files are plain JSON.
	StateKey string
	// Rental says how rented browsers are released after a crash.
	Rental RentalOptions
	// PluginCacheDir keeps compiled modules between runs. As it holds native code, it must belong to this user and be
	// writable by nobody else; otherwise it is ignored and a warning is logged. Empty: no cache.
	PluginCacheDir string
	// DialogPolicy is the policy of tasks that name none; see [Host.UseDialogPolicy]. Empty: the plugin's own choice.
	DialogPolicy string
	// DialogTimeout is the time after which a dialog is dismissed if neither its task nor the plugin sets one. Default 300
	// s.
	DialogTimeout time.Duration
	// ReadLimit is the size in bytes of the largest message accepted from a browser. Default 256 MiB.
	ReadLimit int64
	// AllowSchemes are URL schemes, such as file, that may be loaded in addition to http, https, about:blank, data and
	// blob. All others are refused, and a tab that shows a document with another scheme anyway is sent to about:blank at
	// once.
	AllowSchemes []string
	// UploadRoots are the directories from which files may be given to pages, and into which a raw command may download.
	// Symbolic links are resolved first. Empty: the working directory, unless that is the root of a file system.
	UploadRoots []string
	// Private are files and directories that are excluded from UploadRoots: nothing in them is given to pages, and raw
	// commands cannot download into them. They are those that hold the program's secrets or its executables. Always
	// excluded are the directories and modules that other options name, except DownloadDir, the profiles of browsers that
	// this host has started, and the storage states that its tasks have saved or loaded.
	Private []string
	// DownloadDir is the directory for what tasks download, created with mode 0700. Files keep the names that pages
	// suggest, made safe, with a number if the name is taken. Empty: each task has a directory of its own, which is
	// removed with the task and from which its pages may be given files.
	DownloadDir string
	// DownloadLimit is how many bytes a task may download; what would be more is canceled. Default 1 GiB; negative: no
	// limit.
	DownloadLimit int64
	// EvaluateDisabled refuses [Tab.Evaluate], and every raw command and URL that would run a script of the agent's.
	EvaluateDisabled bool
	// ConnectTimeout bounds starting a browser and connecting to it. Default 30 s.
	ConnectTimeout time.Duration
	// ActionWait is how long the caller of an action waits while the page is busy with it. After that the error is a
	// [*DeliveredError], and the action goes on. Default 3 s; negative: as long as the action's time limit.
	ActionWait time.Duration
	// ReconnectTimeout is how long the host tries to restore a lost connection before its tasks end with ErrBrowserGone.
	// Default 60 s; negative: they end at once.
	ReconnectTimeout time.Duration
	// RestartLimit is how many of a task's browsers may end by themselves within RestartWindow. [Host.Launch] then fails
	// with ErrRestartLoop until the window has passed. Default 3; negative: no limit.
	RestartLimit int
	// RestartWindow is the period over which they are counted. Default 1 minute.
	RestartWindow time.Duration
	// PingInterval is the time between WebSocket pings, which detect a dead connection that was never closed. Default 15
	// s; negative: no pings.
	PingInterval time.Duration
	// PingTimeout is how long a ping may stay unanswered before the connection is given up. Default 10 s.
	PingTimeout time.Duration
	// Heartbeat is how long a connection may be silent before a cheap command is sent, as some backends close silent
	// connections. Default 60 s; negative: none is sent.
	Heartbeat time.Duration
}

// withDefaults replaces zero values with defaults.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = 30 * time.Second
	}
	o.PluginFaults = cmp.Or(o.PluginFaults, 5)
	o.ToolAskTimeout = cmp.Or(o.ToolAskTimeout, 2*time.Minute)
	o.PluginFaultWindow = cmp.Or(o.PluginFaultWindow, time.Minute)
	o.Journal.Entries = cmp.Or(o.Journal.Entries, 1000)
	o.Journal.Bytes = cmp.Or(o.Journal.Bytes, 16<<20)
	o.Journal.FileBytes = cmp.Or(o.Journal.FileBytes, 16<<20)
	o.Journal.DirBytes = cmp.Or(o.Journal.DirBytes, 256<<20)
	o.DownloadLimit = cmp.Or(o.DownloadLimit, 1<<30)
	o.ActionWait = cmp.Or(o.ActionWait, 3*time.Second)
	o.ReconnectTimeout = cmp.Or(o.ReconnectTimeout, time.Minute)
	o.RestartLimit = cmp.Or(o.RestartLimit, 3)
	o.RestartWindow = cmp.Or(o.RestartWindow, time.Minute)
	o.PingInterval = cmp.Or(o.PingInterval, 15*time.Second)
	o.PingTimeout = cmp.Or(o.PingTimeout, 10*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, time.Minute)
	return o
}

// RentalOptions says how rented browsers are released although the host that rented them was killed.
type RentalOptions struct {
	// Journal is the directory with the ids of the sessions that run, created with mode 0700. Hosts can share it. Empty:
	// none is recorded.
	Journal string
	// Providers release what is found there at the start.
	Providers []provider.Provider
}

// JournalOptions says how hook calls are kept for replays.
type JournalOptions struct {
	// Entries limits how many calls are kept in memory. Default 1,000; negative: none.
	Entries int
	// Bytes limits the memory they take. Default 16 MiB.
	Bytes int64
	// Dir is the directory for journal files, created with mode 0700. Empty: no files. They contain what pages and tasks
	// gave to plugins.
	Dir string
	// FileBytes is the size at which a new file is started. Default 16 MiB.
	FileBytes int64
	// DirBytes limits the size of all files together; the oldest are removed. Default 256 MiB.
	DirBytes int64
}

// PluginOptions configures one plugin.
type PluginOptions struct {
	// PluginSource is where the module comes from. Its SHA256 and PublicKey also apply to every later module of the
	// plugin, whoever installs it; only ConfigurePlugin changes them. Without a SHA256 so does the digest in an oci URL.
	PluginSource
	// Sigstore is who must have signed every module of the plugin, in place of PublicKey. The zero value asks for
	// nothing.
	Sigstore Sigstore
	// Sources are the files, directories, https URLs, and registries with or without a repository
	// (oci://HOST/REPOSITORY) that modules of the plugin may come from, with everything below them, and the word
	// shipped. Empty: anywhere. Later modules are bound by it as well.
	Sources []string
	// Hooks are the hooks that the plugin's modules may serve. Empty: those of the shipped plugin of this name; any other
	// name then has none, and its module is refused.
	Hooks []abi.Hook
	// IgnoreExtraHooks lets a module that exports more than Hooks serve those that are granted, instead of being refused.
	IgnoreExtraHooks bool
	// Capabilities are granted to the module. Any others that its manifest asks for are denied.
	Capabilities []abi.Capability
	// Functions are the functions in Options.Functions that the module may import, such as lookup_v1. A module that
	// imports any other is refused.
	Functions []string
	// Priority orders the modules of one hook; the highest is asked first. Ties are broken by name, with modules that are
	// not shipped first.
	Priority int
	// Config is passed to the module: strings, numbers, booleans, and lists and maps of these.
	Config map[string]any
	// Limits bound the module; zero fields have defaults.
	Limits module.Limits
	// StoreOnDisk has the next host with the same Options.PluginStateDir continue with what the plugin stores for
	// tasks, until they are closed. Otherwise it is in memory, and what an earlier host left on disk of it is removed.
	StoreOnDisk bool
	// ConfigWins says that a host begins with the module of these options, even if another one was swapped in beside the
	// same options before it ended. It matters only with Options.PluginStateDir.
	ConfigWins bool
}

// Scope says which targets of a browser belong to a task.
type Scope int

const (
	// ScopeAuto is ScopeTab for a task that adopts a tab or attaches to [Running], which is a person's browser, and
	// ScopeContext for any other: no two tasks have the same cookies unless they ask for it.
	ScopeAuto Scope = iota
	// ScopeTab owns one tab, in the browser's own context, and all tabs and popups that come from it. Nothing else in the
	// browser is touched. Chromium reports no opener for a tab that a person opens with a modified click (control, shift
	// or the middle button), nor for a shared worker. Those are visible only with the other scopes.
	ScopeTab
	// ScopeContext owns a browser context, with its own cookies and storage, that is created for the task and disposed of
	// when it ends.
	ScopeContext
	// ScopeBrowser owns every tab that no other task owns.
	ScopeBrowser
)

// TaskOptions configures a task. The zero value works.
type TaskOptions struct {
	// Scope says which targets belong to the task. [Host.Launch] ignores it, as [LaunchOptions.Isolation] says it there.
	Scope Scope
	// TargetID is the tab to adopt, with ScopeTab, instead of opening one.
	TargetID string
	// URL is the page of the tab that the task opens, or of the one with which a browser of its own begins. Empty:
	// about:blank. It excludes TargetID and, at an address, ScopeBrowser, with which no tab is opened.
	URL string
	// DialogPolicy is passed to the dialog plugin. One that no plugin knows is ErrDialogPolicy. Empty: the host's.
	DialogPolicy string
	// DialogTimeout is passed to the dialog plugin and bounds the fallback. Zero: the plugin's choice.
	DialogTimeout time.Duration
	// DialogBridge says whether dialogs go through the bridge script. Default BridgeAuto.
	DialogBridge DialogBridge
	// Record records what the task's tabs show as video files in [RecordingOptions.Dir]. If recording fails the task goes
	// on; the log and [Host.Recordings] say so.
	Record bool
	// Device is a well known device that the pages are shown on; see [Task.Device]. What Emulation has takes precedence.
	Device string
	// Emulation is what [Task.Emulate] sets before the first page.
	Emulation Emulation
	// Credentials are for the HTTP authentication, basic or digest, of origins such as https://example.com. They are sent
	// to a server of the origin that asks for them, once, and to nobody else. [ErrBadArguments] if a user is empty.
	Credentials map[string]Credentials
	// Network says what requests may reach. A browser that the host starts is better restricted by
	// [LaunchOptions.Network], which sees all of its traffic; with both, what either refuses is refused.
	Network RequestNetwork
	// StorageState is a file of [Task.SaveState], or of Playwright's storageState, which is loaded before the first page.
	// Empty: none.
	StorageState string
	// PluginConfig is the task's own configuration of plugins, keyed by plugin name.
	PluginConfig map[string]map[string]any
}

// Credentials are a user and a password. They print as [redacted].
type Credentials = supervise.Credentials

// Sandbox says whether a launched browser uses its own sandbox; see [Task.BrowserSandbox] for the outcome.
type Sandbox = browser.Sandbox

// The values of [Sandbox].
const (
	// SandboxAuto turns it off where the browser cannot start with it: as root, or in a container without user namespaces.
	SandboxAuto = browser.SandboxAuto
	// SandboxOn never starts a browser without it.
	SandboxOn = browser.SandboxOn
	// SandboxOff turns it off: any page that exploits the renderer then has the privileges of this process.
	SandboxOff = browser.SandboxOff
)

// ProfileBusy is what to do about a profile that another browser uses: Chromium has no profile in two browsers.
type ProfileBusy = browser.Busy

// What can be done about it.
const (
	ProfileBusyFail = browser.BusyFail // the start fails
	ProfileBusyWait = browser.BusyWait // the start waits for the profile, as long as it may take
	ProfileBusyCopy = browser.BusyCopy // the browser gets a copy, which is removed at its end
)

// LaunchOptions configures a browser to be started. The zero value works.
type LaunchOptions struct {
	// Isolation says what the task has to itself. Default IsolationAuto.
	Isolation Isolation
	// Executable is the browser; empty: see [FindBrowser].
	Executable string
	// Headed makes the browser show a window.
	Headed bool
	// UserDataDir is the profile; empty: a new one that is removed at the end. ProfileBusy is what to do if another
	// browser uses it; by default the start fails with a [*ProfileBusyError].
	UserDataDir string
	ProfileBusy ProfileBusy
	// Width and Height are the size of pages, in CSS pixels. Default 1280 and 800.
	Width, Height int
	// UserAgent is how the browser names itself to sites. Default: as the same browser with a window does; Chromium on
	// Windows without one adds "Headless".
	UserAgent string
	// Args are appended to the command line.
	Args []string
	// Environment names variables that the browser gets in addition to those that every program needs, such as PATH, HOME,
	// the locale and the display. A * at the end of a name matches any suffix.
	Environment []string
	// Sandbox says whether the browser runs its own sandbox. Default SandboxAuto.
	Sandbox Sandbox
	// Network says what the browser may reach, and through which proxy. Default: everything, directly.
	Network Network
	// Stderr receives what the browser prints.
	Stderr io.Writer
	// Port makes the browser listen on a loopback port instead of a pipe, so that other clients can reach it.
	Port bool
}

// checkCredentials refuses credentials that no server would ask for, or that were left out.
func (o TaskOptions) checkCredentials() error {
	for origin, c := range o.Credentials {
		switch {
		case !storagestate.IsOrigin(origin):
			return fmt.Errorf("%w: credentials are for an origin such as https://example.com, and one of them is not", ErrBadArguments)
		case c.User == "":
			return fmt.Errorf("%w: the credentials for %s have no user: is its variable set?", ErrBadArguments, origin)
		}
	}
	return nil
}

// ownFiles are the files and directories that these options name and that the host alone reads: no page is given them,
// whatever UploadRoots says.
func (o Options) ownFiles() []string {
	own := []string{o.PluginCacheDir, o.PluginDownloadDir, o.PluginStateDir, o.Journal.Dir, o.Recording.Dir, o.Rental.Journal}
	for _, p := range o.Plugins {
		own = append(own, p.Path)
	}
	return slices.DeleteFunc(own, func(path string) bool { return path == "" })
}

// privateFiles are those that a host learns of while it runs: the profiles of its browsers and the storage states of
// its tasks, which have cookies. The zero value is ready for use.
type privateFiles struct {
	mu    sync.Mutex
	paths []string
}

// add keeps a path; empty: none.
func (f *privateFiles) add(path string) {
	absolute, err := filepath.Abs(path)
	if path == "" || err != nil { // what has no name here cannot be asked for by one
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.paths, absolute) {
		f.paths = append(f.paths, absolute)
	}
}

// ExcludeUploads adds to Options.Private: nothing in these files and directories is given to pages from then on.
func (h *Host) ExcludeUploads(paths ...string) {
	for _, path := range paths {
		h.private.add(path)
	}
}

// all returns them together with the temporary profiles that are there.
func (f *privateFiles) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(browser.TemporaryProfiles(), f.paths...)
}
