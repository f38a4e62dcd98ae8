package control

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// DefaultTask is the name of a task that was given none.
const DefaultTask = access.DefaultTask

// API is what can be asked of a host from outside. An empty task means the only one, or else [DefaultTask]. Errors can
// be passed to [ErrorOf]. They are errors of package host or an [*Error]; errors.Is finds those of package host in
// both.
type API interface {
	PluginAPI
	StoreAPI
	JournalAPI
	ToolAPI
	HintAPI
	TokenAPI
	HoldAPI
	LogAPI

	Status(ctx context.Context) (Status, error)
	// Reload has the daemon read its configuration again, as SIGHUP does, and returns its status once that is done.
	Reload(ctx context.Context) (Status, error)
	Plugins(ctx context.Context) ([]host.PluginInfo, error)

	Connect(ctx context.Context, r ConnectRequest) (TaskStatus, error)
	Disconnect(ctx context.Context, task string) (TaskStatus, error)

	Snapshot(ctx context.Context, task string) (*host.Snapshot, error)
	Frames(ctx context.Context, task string, raw bool) ([]TargetFrames, error)
	ExplainFrames(ctx context.Context, task string) ([]host.FramesExplanation, error)
	Console(ctx context.Context, task string, clear bool) (Console, error)

	RespondDialog(ctx context.Context, task string, a DialogAnswer) (host.Dialog, error)
	RespondSignIn(ctx context.Context, task string, a SignInAnswer) (host.SignIn, error)
	ArmDialog(ctx context.Context, task string, a host.ArmedAnswer) (host.ArmedAnswer, error)
	DisarmDialog(ctx context.Context, task string) (*host.ArmedAnswer, error)
	ExplainDialog(ctx context.Context, task, id string) (host.DialogExplanation, error)

	Evaluate(ctx context.Context, task string, r EvaluateRequest) (host.Evaluation, error)
	CDP(ctx context.Context, task string, r CDPRequest) (host.CDPResult, error)
	Resume(ctx context.Context, task, callID string) (host.Resumed, error)

	// Events calls each for every event of a task from now on, until the task or the daemon ends (nil), ctx ends, or each
	// fails. begun is called once, when no later event can be missed; it may be nil.
	Events(ctx context.Context, task string, begun func(), each func(host.Event) error) error
}

// Status is what `hermes-cdp status --json` prints.
type Status struct {
	Daemon  DaemonStatus      `json:"daemon"`
	Tasks   []TaskStatus      `json:"tasks"`
	Plugins []host.PluginInfo `json:"plugins"`
	// Withdrawn are the configured plugins that an operator removed.
	Withdrawn []host.WithdrawnPlugin `json:"withdrawn_plugins,omitempty"`
	Counters  host.Counters          `json:"counters"`
	// Browsers are those that the tasks use, without what their processes take: see [host.LocalBrowsers].
	Browsers []host.BrowserInfo `json:"browsers,omitempty"`
	// Tools are the calls of agents, keyed by tool name.
	Tools map[string]agent.ToolCounters `json:"tools,omitempty"`
	// MCPServers are the servers whose tools are passed through.
	MCPServers []upstream.Status `json:"mcp_servers,omitempty"`
	// Audit is the record of operators' actions.
	Audit AuditStatus `json:"audit,omitzero"`
}

// AuditStatus counts the recorded actions of operators since the daemon started.
type AuditStatus struct {
	// Done and Failed are by action.
	Done   map[string]uint64 `json:"done,omitempty"`
	Failed map[string]uint64 `json:"failed,omitempty"`
	// Lost are actions that could not be recorded, and Problem says why if that was so of the last one.
	Lost    uint64 `json:"lost,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Deviations say what keeps a daemon from being what its configuration says. Keys that wait for a restart do not.
func (s Status) Deviations() []string {
	var reasons []string
	if s.Daemon.Config.Error != "" {
		reasons = append(reasons, "the last reload was refused")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Daemon.Config.PluginProblems)) {
		reasons = append(reasons, "plugin "+name+" is not the configured one")
	}
	if s.Audit.Problem != "" {
		reasons = append(reasons, s.Audit.Problem)
	}
	for _, w := range s.Withdrawn {
		reasons = append(reasons, "plugin "+w.Name+", which is configured, was removed")
	}
	for _, p := range s.Plugins {
		if p.Outage != "" {
			reasons = append(reasons, "the host decides in place of plugin "+p.Name)
		}
		if p.Unkept != "" {
			reasons = append(reasons, "the next start will not know what serves for plugin "+p.Name)
		}
		if p.StoreProblem != "" {
			reasons = append(reasons, "the next start will not have what plugin "+p.Name+" stores")
		}
	}
	return reasons
}

// DaemonStatus describes a daemon.
type DaemonStatus struct {
	Version   string        `json:"version"`
	PID       int           `json:"pid"`
	StartedAt time.Time     `json:"started_at"`
	Uptime    time.Duration `json:"uptime_ns"`
	Config    ConfigStatus  `json:"config"`
}

// ConfigStatus says where the configuration came from.
type ConfigStatus struct {
	// File and DotEnv are the files that were read; empty: none.
	File     string    `json:"file,omitempty"`
	DotEnv   string    `json:"dotenv,omitempty"`
	LoadedAt time.Time `json:"loaded_at"`
	// NeedRestart are keys that have changed and take effect at the next start.
	NeedRestart []string `json:"need_restart,omitempty"`
	// Error says why the last reload was refused; the previous configuration is in use.
	Error string `json:"error,omitempty"`
	// PluginProblems says which plugins differ from the configuration, keyed by name, and why: a module was refused, or
	// its file is missing. The previous module stays in service.
	PluginProblems map[string]string `json:"plugin_problems,omitempty"`
}

// TaskStatus summarises a task.
type TaskStatus struct {
	ID             string `json:"id"`
	Disconnected   string `json:"disconnected,omitempty"` // why the connection to the browser ended
	Targets        int    `json:"targets"`
	Frames         int    `json:"frames"`   // in all tabs, before plugins left any out
	Sessions       int    `json:"sessions"` // of CDP
	PendingDialogs int    `json:"pending_dialogs"`
	URL            string `json:"url"`                // of the tab in use; untrusted text
	Recorded       bool   `json:"recorded,omitempty"` // it is being recorded
	// RecordingProblem says why its recording ended by itself, such as a full disk.
	RecordingProblem string `json:"recording_problem,omitempty"`
	Sandbox          string `json:"sandbox,omitempty"` // of a launched browser: on, or off and why
	// Rented is the rented browser; nil if it is not rented. Fallback says why a browser was launched instead.
	Rented   *host.Rental `json:"rented,omitempty"`
	Fallback string       `json:"fallback,omitempty"`
	// Agent is what the client of its last call called itself; untrusted text.
	Agent string `json:"agent,omitempty"`
	// Began is when it began. IdleSince is when a call last worked on it; absent: one does now.
	Began     host.UnixTime `json:"began"`
	IdleSince host.UnixTime `json:"idle_since,omitzero"`
	// Held says since when a person has it instead of its agent; nil: the agent has it.
	Held *host.Hold `json:"held,omitempty"`
	// Questions are those of the agent that wait for an answer; untrusted text.
	Questions []host.Question `json:"questions,omitempty"`
}

// ConnectRequest starts a task. It is idempotent for a task with the same browser.
type ConnectRequest struct {
	// Task is the id; empty: [DefaultTask].
	Task string `json:"task,omitempty"`
	// Address is a running browser; empty: the configured one. If none is configured, a browser is started.
	Address string `json:"address,omitempty"`
	// Launch starts a browser regardless of the configuration.
	Launch bool `json:"launch,omitempty"`
	// Profile is the name of the profile of a browser that is started for the task, regardless of the configuration;
	// empty: the configured one.
	Profile string `json:"profile,omitempty"`
	// NoProxy connects to a browser that the host does not start although a proxy is configured, which does not hold
	// there.
	NoProxy bool `json:"no_proxy,omitempty"`
	// Scope is auto, tab, context or all, see [host.Scope]; empty: the configured one.
	Scope string `json:"scope,omitempty"`
	// TargetID adopts this tab, with the scope tab.
	TargetID string `json:"target_id,omitempty"`
	// URL is the page of the tab that the task opens.
	URL string `json:"url,omitempty"`
	// DialogPolicy is passed to the dialog plugin; empty: the configured one.
	DialogPolicy string `json:"dialog_policy,omitempty"`
}

// TargetFrames are the frames of one tab.
type TargetFrames struct {
	TargetID string `json:"target_id"`
	URL      string `json:"url"` // untrusted text
	// FrameTree is absent until the first verdict of the frame filter.
	FrameTree *host.FrameTree `json:"frame_tree,omitempty"`
}

// Console is what the pages of a task wrote; untrusted text.
type Console struct {
	Messages []host.ConsoleMessage `json:"console_messages"`
	// Total is how many there were since the task began.
	Total int `json:"console_total"`
}

// DialogAnswer is an answer to a dialog, see [host.DialogResponse].
type DialogAnswer struct {
	DialogID   string  `json:"dialog_id,omitempty"`
	Accept     bool    `json:"accept"`
	PromptText *string `json:"prompt_text,omitempty"`
}

// SignInAnswer is an answer to a dialog to sign in, see [host.SignInResponse].
type SignInAnswer struct {
	ID      string `json:"dialog_id,omitempty"`
	Accept  bool   `json:"accept"`
	Account string `json:"account,omitempty"`
}

// EvaluateRequest is an expression, read as a console reads it, with its [host.EvaluateOptions].
type EvaluateRequest struct {
	Expression   string        `json:"expression"`
	TargetID     string        `json:"target_id,omitempty"`
	FrameID      string        `json:"frame_id,omitempty"`
	World        host.World    `json:"world,omitempty"`
	Element      *Element      `json:"element,omitempty"`
	Timeout      time.Duration `json:"timeout_ns,omitempty"`
	UserGesture  bool          `json:"user_gesture,omitempty"`
	AwaitPromise bool          `json:"await_promise,omitempty"`
}

// Element names the element of an [EvaluateRequest], by one of its fields; see [host.Locator].
type Element struct {
	Selector      string `json:"selector,omitempty"`
	BackendNodeID int64  `json:"backend_node_id,omitempty"`
	Ref           string `json:"ref,omitempty"`
}

// CDPRequest is a [host.CDPCall] and its time; zero: as long as the caller waits.
type CDPRequest struct {
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	TargetID string          `json:"target_id,omitempty"`
	FrameID  string          `json:"frame_id,omitempty"`
	Timeout  time.Duration   `json:"timeout_ns,omitempty"`
}
