package host

import (
	"cmp"
	"io"
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Options configures a host. The zero value works: the shipped plugins with their own defaults, nothing logged.
type Options struct {
	// Logger receives what the host does and decides; nil logs nothing. Page text in it is escaped.
	Logger *slog.Logger
	// Plugins configures the shipped plugins (dialog-policy, frame-filter, bridge-script) by name, and adds others. A module
	// serves the hooks that it exports. The modules of a hook are asked by their Priority; the first that decides wins, and
	// those that filter frames each see what the one before kept.
	Plugins map[string]PluginOptions
	// PluginDownloadDir keeps modules that were downloaded, by their hash. Empty: an address can not be a source.
	PluginDownloadDir string
	// PluginTrial is how modules that are not shipped are tried in a child process before they may run here: compiled,
	// initialised, tested and asked about the recent calls. Default: they are, in this executable started again.
	PluginTrial module.Trial
	// PluginFaults is how many faults of a plugin within PluginFaultWindow make the host go back to the last good module, or
	// to the shipped one. Default 5; negative: it never does.
	PluginFaults int
	// PluginFaultWindow is the time in which faults are counted. Default 1 minute.
	PluginFaultWindow time.Duration
	// NavigateFailClosed denies navigations on which a plugin failed to decide. Default: they are allowed.
	NavigateFailClosed bool
	// DialogFailClosed dismisses dialogs on which a plugin failed to decide, at once, so that no agent's answer to them counts, nor
	// one that was armed; and a plugin that decides on dialogs and fails too often does not go back to the shipped module, whose
	// rules are others. Default: an armed answer is used, else the dialog is held for an agent until its time is over.
	DialogFailClosed bool
	// Journal is how hook calls are kept.
	Journal JournalOptions
	// Recording is where the recordings of tasks are kept.
	Recording RecordingOptions
	// PluginCacheDir keeps compiled modules between runs. It must belong to this user and to nobody else, as it holds
	// native code; otherwise it is ignored and a warning logged. Empty: no cache.
	PluginCacheDir string
	// DialogPolicy is that of tasks that name none; see [Host.UseDialogPolicy]. Empty: the plugin's own choice.
	DialogPolicy string
	// DialogTimeout dismisses a dialog for which neither its task nor the plugin names a timeout. Default 300 s.
	DialogTimeout time.Duration
	// ReadLimit is the largest message in bytes that is taken from a browser. Default 256 MiB.
	ReadLimit int64
	// AllowSchemes are the schemes of addresses that are loaded beside http, https, about:blank, data and blob, such as file.
	// All others are refused, and a document of theirs that comes otherwise is left at once for about:blank.
	AllowSchemes []string
	// UploadRoots are the folders from which pages may be given files, and into which a raw command may have them downloaded.
	// Symbolic links are followed before. Empty: the working directory, unless that is the root of a file system.
	UploadRoots []string
	// Private are files and folders that pages are never given and raw commands never have anything downloaded into, though they
	// are within UploadRoots: those that hold secrets of the program's own, or what it runs. Temporary profiles of browsers are
	// among them anyway.
	Private []string
	// EvaluateDisabled refuses [Task.Evaluate], and every raw command and address that would run script of the agent's.
	EvaluateDisabled bool
	// ConnectTimeout bounds the connection to a browser and its start. Default 30 s.
	ConnectTimeout time.Duration
	// ActionWait is how long the caller of an action waits for a page that is busy with it: then the error is a
	// [*DeliveredError], and the action goes on. Default 3 s; negative: as long as its budget.
	ActionWait time.Duration
	// ReconnectTimeout is how long reconnecting is tried after a lost connection before its tasks end with ErrBrowserGone.
	// Default 60 s; negative: they end at once.
	ReconnectTimeout time.Duration
	// RestartLimit is how many browsers of a task may end by themselves within RestartWindow; [Host.Launch] then fails with
	// ErrRestartLoop until the window has passed. Default 3; negative: there is no limit.
	RestartLimit int
	// RestartWindow is the time in which they are counted. Default 1 minute.
	RestartWindow time.Duration
	// PingInterval is the time between WebSocket pings, which find a connection that is dead without having ended. Default
	// 15 s; negative: none are sent.
	PingInterval time.Duration
	// PingTimeout is how long a ping may stay unanswered before the connection is given up. Default 10 s.
	PingTimeout time.Duration
	// Heartbeat is how long no command may be sent before a cheap one is, for backends that close connections which are
	// silent. Default 60 s; negative: none is sent.
	Heartbeat time.Duration
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = 30 * time.Second
	}
	o.PluginFaults = cmp.Or(o.PluginFaults, 5)
	o.PluginFaultWindow = cmp.Or(o.PluginFaultWindow, time.Minute)
	o.Journal.Entries = cmp.Or(o.Journal.Entries, 1000)
	o.Journal.Bytes = cmp.Or(o.Journal.Bytes, 16<<20)
	o.Journal.FileBytes = cmp.Or(o.Journal.FileBytes, 16<<20)
	o.Journal.DirBytes = cmp.Or(o.Journal.DirBytes, 256<<20)
	o.ActionWait = cmp.Or(o.ActionWait, 3*time.Second)
	o.ReconnectTimeout = cmp.Or(o.ReconnectTimeout, time.Minute)
	o.RestartLimit = cmp.Or(o.RestartLimit, 3)
	o.RestartWindow = cmp.Or(o.RestartWindow, time.Minute)
	o.PingInterval = cmp.Or(o.PingInterval, 15*time.Second)
	o.PingTimeout = cmp.Or(o.PingTimeout, 10*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, time.Minute)
	return o
}

// JournalOptions says how hook calls are kept for replays.
type JournalOptions struct {
	// Entries is how many calls are kept in memory. Default 1,000; negative: none.
	Entries int
	// Bytes is how much memory they may take. Default 16 MiB.
	Bytes int64
	// Dir is the folder for journal files, made with mode 0700. Empty: there are no files. They hold what pages and tasks
	// gave to plugins.
	Dir string
	// FileBytes is the size at which a new file is begun. Default 16 MiB.
	FileBytes int64
	// DirBytes is how much all files may take; the oldest are removed. Default 256 MiB.
	DirBytes int64
}

// PluginOptions configures one plugin.
type PluginOptions struct {
	// PluginSource is where the module comes from. By its SHA256 and PublicKey every later module of the plugin has to be proven,
	// too, whoever brings it; only ConfigurePlugin changes them.
	PluginSource
	// Sources are the files, folders and https addresses that modules of the plugin may come from, with all that is below them, and
	// the word shipped. Empty: anywhere. Later modules are bound by it as well.
	Sources []string
	// Hooks are those that modules of the plugin may serve. Empty: those of the shipped name; none for any other name, so that its
	// module is refused.
	Hooks []abi.Hook
	// IgnoreExtraHooks lets a module that exports more than Hooks serve what is granted, in place of its being refused.
	IgnoreExtraHooks bool
	// Capabilities are granted to the module; those that its manifest asks for and that are not granted are denied.
	Capabilities []abi.Capability
	// Priority orders the modules of one hook: the highest is asked first. Among equals, those that are not shipped come
	// first, then by name.
	Priority int
	// Config is handed to the module: strings, numbers, booleans, lists and maps of these.
	Config map[string]any
	// Limits bound the module; zero fields take their defaults.
	Limits module.Limits
}

// Scope is which targets of a browser belong to a task.
type Scope int

const (
	// ScopeTab owns one tab and all tabs and popups that come from it. It is the default for a browser that others may be
	// using: nothing else in it is touched. Chromium names no opener for a tab that a person's modified click (control,
	// middle, shift) opens, nor for a shared worker: such a tab or worker is only seen with the other scopes.
	ScopeTab Scope = iota
	// ScopeContext owns a browser context that is made for the task and disposed of at its end: cookies and storage of its
	// own.
	ScopeContext
	// ScopeBrowser owns every tab that no other task owns. It is what a launched browser has.
	ScopeBrowser
)

// TaskOptions is what a task is started with. The zero value works.
type TaskOptions struct {
	// Scope is which targets belong to the task. [Host.Launch] ignores it: a launched browser belongs to its task.
	Scope Scope
	// TargetID adopts this tab, with ScopeTab, instead of opening one.
	TargetID string
	// URL is opened in the tab that the task opens. Empty: about:blank.
	URL string
	// DialogPolicy is handed to the dialog plugin; one that no plugin knows is ErrDialogPolicy. Empty: that of the host.
	DialogPolicy string
	// DialogTimeout is handed to the dialog plugin and bounds the fallback. Zero: the plugin's choice.
	DialogTimeout time.Duration
	// DialogBridge is whether dialogs go through the bridge script. Default BridgeAuto.
	DialogBridge DialogBridge
	// Record keeps what the task's tabs show as video files in [RecordingOptions.Dir]. The task goes on where that fails; the
	// log and [Host.Recordings] say so.
	Record bool
	// PluginConfig is the task's own configuration, by plugin name.
	PluginConfig map[string]map[string]any
}

// Sandbox says whether a launched browser uses its own sandbox; see [Task.BrowserSandbox] for what came of it.
type Sandbox = browser.Sandbox

// The values of [Sandbox].
const (
	// SandboxAuto turns it off where the browser cannot start with it: as root, and in a container without user namespaces.
	SandboxAuto = browser.SandboxAuto
	// SandboxOn does not start a browser without it.
	SandboxOn = browser.SandboxOn
	// SandboxOff turns it off: any page that exploits the renderer then has the rights of this process.
	SandboxOff = browser.SandboxOff
)

// LaunchOptions says how a browser is started. The zero value works.
type LaunchOptions struct {
	// Executable is the browser; empty: the first that is found.
	Executable string
	// Headed shows a window.
	Headed bool
	// UserDataDir is the profile; empty: a fresh one that is removed at the end.
	UserDataDir string
	// Args are added to the command line.
	Args []string
	// Environment names variables that the browser gets beside those that every program needs: PATH, HOME, the language, the
	// display and the like. A * at the end stands for any text.
	Environment []string
	// Sandbox is whether the browser runs its own sandbox. Default SandboxAuto.
	Sandbox Sandbox
	// Stderr receives what the browser prints.
	Stderr io.Writer
	// Port listens on a loopback port, so that other clients can reach the browser, instead of using a pipe.
	Port bool
}
