package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// descriptions are all metrics of this package, and documented is what documents say of them.
var (
	descriptions []*prometheus.Desc
	documented   []Metric
)

// Metric describes a metric.
type Metric struct {
	Name, Help string
	Labels     []string
}

// All returns all metrics of a daemon but those of the Go runtime and the process.
func All() []Metric { return slices.Clone(documented) }

func describe(name, help string, labels ...string) *prometheus.Desc {
	name = "hermes_cdp_" + name
	d := prometheus.NewDesc(name, help, labels, nil)
	descriptions, documented = append(descriptions, d), append(documented, Metric{name, help, labels})
	return d
}

// The daemon, its tasks and browsers.
var (
	buildInfo         = describe("build_info", "The version of hermes-cdp and of Go; always 1.", "version", "go_version")
	startTime         = describe("start_time_seconds", "When the daemon started, in Unix time.")
	operatorActions   = describe("operator_actions_total", "Actions of operators, by outcome.", "action", "outcome")
	auditLost         = describe("audit_lost_total", "Actions of operators that could not be recorded.")
	configProblem     = describe("config_problem", "1 if the last reload was refused or a plugin is not the configured one.")
	tasks             = describe("tasks", "Tasks, by whether their browser is connected.", "state")
	frameCount        = describe("frames", "Frames in all tabs of all tasks.")
	sessionCount      = describe("cdp_sessions", "Sessions of CDP that the tabs, workers and frames of all tasks have.")
	browsers          = describe("browsers", "Browsers of tasks: local (started here), rented, or attached.", "kind")
	providerSessions  = describe("provider_sessions", "Rented browsers, by provider.", "provider")
	browserMemory     = describe("browser_memory_bytes", "Memory of the processes of local browsers.")
	browserProcesses  = describe("browser_processes", "Processes of local browsers.")
	mcpServerUp       = describe("mcp_server_up", "1 if the tools of an MCP server can be used.", "server")
	mcpServerRestarts = describe("mcp_server_restarts_total", "How often an MCP server came back after it ended.", "server")
)

// Dialogs, and what connections carry.
var (
	dialogs           = describe("dialogs_total", "Dialogs that opened, by type.", "type")
	dialogsByPolicy   = describe("dialogs_by_policy_total", "Dialogs that opened, by the policy of their task.", "policy")
	dialogsClosed     = describe("dialogs_closed_total", "Dialogs that closed, by who closed them.", "closed_by")
	dialogOpen        = describe("dialog_open_seconds", "How long dialogs were open before they closed, by who closed them.", "closed_by")
	pendingDialogs    = describe("pending_dialogs", "Dialogs that are open.")
	answerRetries     = describe("dialog_answer_retries_total", "Answers that the browser did not accept at first.")
	bridgeProven      = describe("bridge_dialogs_total", "Dialogs of the bridge, by mechanism.", "mechanism")
	bridgeRefused     = describe("bridge_refused_total", "Requests to the bridge that became no dialog, by reason.", "reason")
	verdicts          = describe("verdicts_total", "Verdicts of plugins: applied, or dropped as they came too late.", "outcome")
	navigations       = describe("navigations_total", "Navigations, by what was decided.", "outcome")
	events            = describe("browser_events_total", "Events that browsers sent, by what became of them.", "outcome")
	requests          = describe("requests_total", "Requests of pages that plugins were asked about, by what was decided.", "outcome")
	networkRequests   = describe("network_requests_total", "Requests of browsers to the network guard, by what became of them.", "outcome")
	reconnects        = describe("reconnects_total", "Lost connections that were restored, or given up.", "outcome")
	reconnectAttempts = describe("reconnect_attempts_total", "Attempts to restore a connection.")
	queues            = describe("queue_length", "What waits at this moment, by queue.", "queue")
)

// Tools and plugins.
var (
	toolCalls        = describe("tool_calls_total", "Calls of tools.", "tool")
	toolErrors       = describe("tool_errors_total", "Calls of tools that did not do what was asked, by the code of the error.", "tool", "code")
	toolTimeouts     = describe("tool_timeouts_total", "Calls and actions that timed out.", "tool")
	toolTerminations = describe("tool_terminations_total", "Calls and actions whose script was terminated.", "tool")
	toolFallbacks    = describe("tool_fallbacks_total", "Calls whose answer is less than what was asked for, by reason.", "tool", "reason")
	toolDuration     = describe("tool_duration_seconds", "How long calls of tools took.", "tool")

	evaluations            = describe("evaluations_total", "Expressions that were run in pages.")
	evaluationErrors       = describe("evaluation_errors_total", "Expressions that failed, by the code of the error.", "code")
	evaluationTimeouts     = describe("evaluation_timeouts_total", "Expressions that timed out.")
	evaluationTerminations = describe("evaluation_terminations_total", "Expressions that were terminated.")

	pluginInfo       = describe("plugin_info", "The module in service; always 1.", "plugin", "module", "version")
	pluginGeneration = describe("plugin_generation", "The generation in service; 0: none.", "plugin")
	pluginOutage     = describe("plugin_outage", "1 if the host decides in place of a plugin.", "plugin")
	pluginInstances  = describe("plugin_instances", "Live instances of the modules of a plugin.", "plugin")
	pluginMemory     = describe("plugin_memory_bytes", "Linear memory of these instances.", "plugin")
	storedBytes      = describe("plugin_store_bytes", "What a plugin stores for all tasks, keys and values.", "plugin")
	storedKeys       = describe("plugin_store_keys", "Entries that a plugin stores for all tasks.", "plugin")
	storeRefused     = describe("plugin_store_refused_total", "Writes of a plugin that did not fit into its store.", "plugin")
	storeEvicted     = describe("plugin_store_evicted_total", "Ended tasks whose entries made room for others in the store of a plugin.", "plugin")
	storeProblem     = describe("plugin_store_problem", "1 if what a plugin stores is to be on disk and is not.", "plugin")
	pluginSwaps      = describe("plugin_swaps_total", "Modules that came into service, were refused, or were returned to because of faults.", "plugin", "outcome")
	hookCalls        = describe("hook_calls_total", "Calls of hooks, by what came of them; busy: no instance was free.", "plugin", "outcome")
	hookFaults       = describe("hook_faults_total", "Calls on which a module failed, by the kind of fault.", "plugin", "kind")
	hookFuel         = describe("hook_fuel_total", "Fuel that calls of hooks used, in units.", "plugin")
	hookDuration     = describe("hook_duration_seconds", "How long calls of hooks took in the module.", "plugin")
	moduleCalls      = describe("module_calls_total", "Calls of hooks, by the module that served; its label begins its SHA-256.", "plugin", "module")
	moduleFaults     = describe("module_faults_total", "Faults, by module.", "plugin", "module")
	moduleFuel       = describe("module_fuel_total", "Fuel that calls of hooks used, by module.", "plugin", "module")
	moduleTime       = describe("module_busy_seconds_total", "Time that calls of hooks took, by module.", "plugin", "module")
	shadowCalls      = describe("plugin_shadow_calls_total", "Calls on which a candidate was compared with the module in service.", "plugin", "outcome")
)
