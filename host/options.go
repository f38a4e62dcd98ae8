package host

import (
	"cmp"
	"io"
	"log/slog"
	"strconv"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Options configures a host. The zero value works: the shipped plugins with their own defaults, nothing logged.
type Options struct {
	// Logger receives what the host does and decides; nil logs nothing. Page text in it is escaped.
	Logger *slog.Logger
	// Plugins configures the shipped plugins (dialog-policy, frame-filter) by name, and adds others. A module serves the
	// hooks that it exports; added ones are asked before the shipped ones, in the order of their names, and the first that
	// decides wins.
	Plugins map[string]PluginOptions
	// PluginCacheDir keeps compiled modules between runs. It must belong to this user and to nobody else, as it holds
	// native code; otherwise it is ignored and a warning logged. Empty: no cache.
	PluginCacheDir string
	// DialogTimeout dismisses a dialog for which neither its task nor the plugin names a timeout. Default 300 s.
	DialogTimeout time.Duration
	// ReadLimit is the largest message in bytes that is taken from a browser. Default 256 MiB.
	ReadLimit int64
	// EvaluateDisabled refuses [Task.Evaluate], and every raw command and address that would run script of the agent's.
	EvaluateDisabled bool
	// ConnectTimeout bounds the connection to a browser and its start. Default 30 s.
	ConnectTimeout time.Duration
	// ReconnectTimeout is how long a lost connection is tried to be had back before its tasks end with ErrBrowserGone.
	// Default 60 s; negative: they end at once.
	ReconnectTimeout time.Duration
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
	o.ReconnectTimeout = cmp.Or(o.ReconnectTimeout, time.Minute)
	o.PingInterval = cmp.Or(o.PingInterval, 15*time.Second)
	o.PingTimeout = cmp.Or(o.PingTimeout, 10*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, time.Minute)
	return o
}

// PluginOptions configures one plugin.
type PluginOptions struct {
	// Path is the .wasm file; empty: the shipped module of this name.
	Path string
	// SHA256 is the hash, in hex, that the module must have; empty: any.
	SHA256 string
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
	// DialogPolicy is handed to the dialog plugin. Empty: the plugin's own choice.
	DialogPolicy string
	// DialogTimeout is handed to the dialog plugin and bounds the fallback. Zero: the plugin's choice.
	DialogTimeout time.Duration
	// DialogBridge is whether dialogs go through the bridge script. Default BridgeAuto.
	DialogBridge DialogBridge
	// PluginConfig is the task's own configuration, by plugin name.
	PluginConfig map[string]map[string]any
}

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
	// Stderr receives what the browser prints.
	Stderr io.Writer
	// Port listens on a loopback port, so that other clients can reach the browser, instead of using a pipe.
	Port bool
}

func formatSeconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMicro())/1e6, 'f', 6, 64)
}
