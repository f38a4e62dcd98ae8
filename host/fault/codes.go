package fault

// Calls: what ended a call before its result, or stands in the place of one.
const (
	// ErrTimeout says that a call ran out of time; see [StoppedError].
	ErrTimeout Code = "timeout"
	// ErrAborted says that the caller, or the end of the task, stopped a call; see [StoppedError].
	ErrAborted Code = "aborted"
	// ErrClosed says that the host or the task has been closed.
	ErrClosed Code = "closed"
	// ErrBlockedByDialog says that a dialog holds the tab; see BlockedError.
	ErrBlockedByDialog Code = "blocked_by_dialog"
	// ErrDelivered says that an action reached its page, which has been busy since; see [DeliveredError].
	ErrDelivered Code = "delivered"
	// ErrRendererBusy says that the main thread of a page did not answer, so that nothing was run; see
	// [RendererBusyError].
	ErrRendererBusy Code = "renderer_busy"
	// ErrLoading says that the tab is loading a page whose server has not answered, until which the page that is still
	// there answers nothing; see [LoadingError].
	ErrLoading Code = "loading"
	// ErrHeldByOperator says that a person has taken the task over; nothing more is done for its agent until it is given
	// back.
	ErrHeldByOperator Code = "held_by_operator"
	// ErrUnknownCall says that no call with the given id can be resumed.
	ErrUnknownCall Code = "unknown_call"
	// ErrToolCall says that a call must be resumed through its tool, as otherwise the tool's result would be lost.
	ErrToolCall Code = "tool_call"
	// ErrBadArguments says that the arguments of a call are wrong or do not fit together; the text says how.
	ErrBadArguments Code = "bad_arguments"
	// ErrRefused says that what was asked for is not allowed; see [RefusedError].
	ErrRefused Code = "refused"
	// ErrEvaluateDisabled says that the configuration forbids script; see Options.EvaluateDisabled.
	ErrEvaluateDisabled Code = "evaluate_disabled"
	// ErrUnsupported says that this way of running cannot do it; the text says what can.
	ErrUnsupported Code = "unsupported"
	// ErrFailed says that something else went wrong, such as a file that cannot be written; the text says what.
	ErrFailed Code = "failed"
)

// Dialogs: answers that had no effect, and settings of dialogs.
const (
	// ErrNoDialog says that there is no dialog to answer.
	ErrNoDialog Code = "no_dialog"
	// ErrUnknownDialog says that no open dialog has the given id.
	ErrUnknownDialog Code = "unknown_dialog"
	// ErrAmbiguousDialog says that several dialogs are pending and the call named none.
	ErrAmbiguousDialog Code = "ambiguous_dialog"
	// ErrDialogBusy says that an answer to the dialog is already under way.
	ErrDialogBusy Code = "dialog_busy"
	// ErrDialogGone says that the dialog ended before the answer reached it.
	ErrDialogGone Code = "dialog_gone"
	// ErrAnswerRefused says that the browser did not accept the answer; the dialog is pending again.
	ErrAnswerRefused Code = "answer_refused"
	// ErrAnswerUnconfirmed says that the connection was lost before the browser confirmed the answer to a dialog.
	ErrAnswerUnconfirmed Code = "answer_unconfirmed"
	// ErrDialogType says that a dialog type is none of those that there are.
	ErrDialogType Code = "dialog_type"
	// ErrDialogPolicy says that no plugin in service knows the dialog policy.
	ErrDialogPolicy Code = "dialog_policy"
)

// Tabs and frames: what a call needs is not there, or no longer.
const (
	// ErrUnknownTarget says that the task has no tab with the given id or handle.
	ErrUnknownTarget Code = "unknown_tab"
	// ErrUnknownFrame says that the task has no frame with the given id.
	ErrUnknownFrame Code = "unknown_frame"
	// ErrFrameFiltered says that the operator's frame filter took the frame from agents, with all that is in it.
	ErrFrameFiltered Code = "frame_filtered"
	// ErrNoPage says that the browser was restarted, no page has been opened since, and no last page is known.
	ErrNoPage Code = "no_page"
	// ErrSessionLost says that the page, frame or tab of a call ended during it.
	ErrSessionLost Code = "session_lost"
	// ErrTargetCrashed says that the tab's renderer crashed.
	ErrTargetCrashed Code = "target_crashed"
	// ErrTargetGone says that the tab was closed.
	ErrTargetGone Code = "target_gone"
	// ErrFrameGone says that the frame, or the document in it, was replaced or removed in the meantime.
	ErrFrameGone Code = "frame_gone"
)

// Elements and actions: what an action was for cannot be found, or cannot be acted on.
const (
	// ErrNoElement says that the frame has no such element; the text says why.
	ErrNoElement Code = "no_element"
	// ErrAmbiguousElement says that a role with a name, or a text, names several elements; the text says which.
	ErrAmbiguousElement Code = "ambiguous_element"
	// ErrUnknownRef says that no reading of the task has given out a ref.
	ErrUnknownRef Code = "unknown_ref"
	// ErrStaleRef says that the element of a ref is gone, or its document; see StaleRefError.
	ErrStaleRef Code = "stale_ref"
	// ErrNotActionable says that an element is not in a state to be acted on; see NotActionableError.
	ErrNotActionable Code = "not_actionable"
	// ErrHidden says that an element takes up no space in the page, so that there is nothing to capture.
	ErrHidden Code = "hidden"
	// ErrNotDelivered says that input was not delivered to the element it was for; see NotDeliveredError.
	ErrNotDelivered Code = "input_not_delivered"
	// ErrDownload says that a download produced no file; the text says why.
	ErrDownload Code = "download_failed"
	// ErrNavigate says that a navigation failed; the text has the browser's net error.
	ErrNavigate Code = "navigation_failed"
	// ErrCredentials says that a server refused the user and the password that the task has for it.
	ErrCredentials Code = "credentials_refused"
	// ErrNavigationDenied says that a plugin denied the navigation, or that none decided and the host denies in that case;
	// see NavigationDeniedError.
	ErrNavigationDenied Code = "navigation_denied"
	// ErrNetworkRefused says that the address is one that the browser may not reach; see [NetworkRefusedError].
	ErrNetworkRefused Code = "network_refused"
)

// Script and raw commands: what the page or the browser answered.
const (
	// ErrEvaluate says that an expression threw; see [EvaluateError].
	ErrEvaluate Code = "js_exception"
	// ErrNotSerialisable says that a result has no JSON form; see NotSerialisableError.
	ErrNotSerialisable Code = "result_not_serialisable"
	// ErrProtocol says that the browser refused a command; see [ProtocolError].
	ErrProtocol Code = "cdp_protocol"
)

// The browser and its connection.
const (
	// ErrTransport says that what the browser said did not arrive.
	ErrTransport Code = "cdp_transport"
	// ErrDisconnected says that the connection to the browser was lost while the call was under way, so its outcome is
	// unknown.
	ErrDisconnected Code = "disconnected"
	// ErrBrowserGone says that the browser of the task is gone, or was unreachable for too long, so the task has ended.
	ErrBrowserGone Code = "browser_gone"
	// ErrTooLarge says that a reply is larger than Options.ReadLimit.
	ErrTooLarge Code = "result_too_large"
	// ErrProvider says that a service that rents browsers did not do what it was asked for; see provider.Error.
	ErrProvider Code = "provider"
	// ErrProviderSessionExpired says that the session of a rented browser has ended, so the task has ended.
	ErrProviderSessionExpired Code = "provider_session_expired"
	// ErrProfileBusy says that another browser uses the profile; the text names whose it is.
	ErrProfileBusy Code = "profile_busy"
	// ErrNoBrowser says that no browser was found; the text says which were looked for.
	ErrNoBrowser Code = "no_browser"
	// ErrRestartLoop says that a browser was not started because the task's earlier ones ended by themselves in quick
	// succession.
	ErrRestartLoop Code = "restart_loop"
	// ErrTask says that a task could not be started; the text says why.
	ErrTask Code = "task_failed"
)

// Tasks, tools and recordings: names that mean nothing here.
const (
	// ErrNoTask says that there is no task yet.
	ErrNoTask Code = "no_task"
	// ErrUnknownTask says that no task has the given id.
	ErrUnknownTask Code = "unknown_task"
	// ErrAmbiguousTask says that there are several tasks and the request named none.
	ErrAmbiguousTask Code = "ambiguous_task"
	// ErrUnknownTool says that there is no tool of that name for this client and task, or that the plugin has none.
	ErrUnknownTool Code = "unknown_tool"
	// ErrToolset says that a toolset cannot be used; the text says why.
	ErrToolset Code = "bad_toolset"
	// ErrFormat says that there is no such format for tools.
	ErrFormat Code = "unknown_format"
	// ErrBadTool says that a tool cannot be registered; the text says why.
	ErrBadTool Code = "bad_tool"
	// ErrNoRecording says that there is no recording with the given id.
	ErrNoRecording Code = "unknown_recording"
	// ErrNotHeld says that nobody has taken the task over, so that it cannot be given back, nor take a person's input.
	ErrNotHeld Code = "not_held"
	// ErrUnknownQuestion says that no question of an agent with the given id waits for an answer.
	ErrUnknownQuestion Code = "unknown_question"
	// ErrNotRecorded says that the task is not being recorded.
	ErrNotRecorded Code = "not_recorded"
	// ErrRecordingRunning says that the task is being recorded already.
	ErrRecordingRunning Code = "recording_running"
	// ErrNoTrace says that no trace of the task is running.
	ErrNoTrace Code = "no_trace"
	// ErrTraceRunning says that a trace of the task is running already.
	ErrTraceRunning Code = "trace_running"
	// ErrBadState says that a file is not a storage state, or is damaged; nothing of it was loaded.
	ErrBadState Code = "bad_state"
	// ErrStateKey says that a storage state does not fit the key: another one encrypted it, or none did, or the key itself
	// cannot be used; nothing was loaded.
	ErrStateKey Code = "state_key"
)

// Plugins and MCP servers.
const (
	// ErrUnknownPlugin says that there is no plugin of that name.
	ErrUnknownPlugin Code = "unknown_plugin"
	// ErrKnownPlugin says that there is a plugin of that name already.
	ErrKnownPlugin Code = "known_plugin"
	// ErrUnknownHook says that a word does not name a hook.
	ErrUnknownHook Code = "unknown_hook"
	// ErrPluginRefused says that a module did not pass a loading step; the previous one stays in service.
	ErrPluginRefused Code = "plugin_refused"
	// ErrNoGeneration says that there is nothing to roll back to.
	ErrNoGeneration Code = "no_generation"
	// ErrNoCandidate says that the plugin has no candidate.
	ErrNoCandidate Code = "no_candidate"
	// ErrOutOfService says that a plugin has no module fit to serve.
	ErrOutOfService Code = "out_of_service"
	// ErrCapabilityDenied says that a tool needs a capability that the operator has not granted to the plugin.
	ErrCapabilityDenied Code = "capability_denied"
	// ErrPageScript says that a tool's page script did not return a usable value.
	ErrPageScript Code = "page_script_failed"
	// ErrPluginFault says that a module failed: it trapped, took too long, or returned something that is not a result.
	ErrPluginFault Code = "plugin_fault"
	// ErrToolDenied says that a plugin denied a call of a tool or its result, or that none decided and the host denies in
	// that case; see [ToolDeniedError].
	ErrToolDenied Code = "tool_denied"
	// ErrFileDenied says that a plugin denied a file that a page offered or was about to get, or that none decided and the
	// host denies in that case; see [FileDeniedError].
	ErrFileDenied Code = "file_denied"
	// ErrToolFailed says that the tool of a module could not answer; the text has its reason.
	ErrToolFailed Code = "tool_failed"
	// ErrServer says that an MCP server cannot be used now, or ended during the call.
	ErrServer Code = "mcp_server"
	// ErrServerTool says that the tool of an MCP server reported that it failed.
	ErrServerTool Code = "mcp_tool"
)

// The daemon and its tokens.
const (
	// ErrNoDaemon says that no daemon answers at the socket or address.
	ErrNoDaemon Code = "no_daemon"
	// ErrDaemonRunning says that the socket belongs to a running daemon.
	ErrDaemonRunning Code = "daemon_running"
	// ErrBadRequest says that a request cannot be understood.
	ErrBadRequest Code = "bad_request"
	// ErrUnknownPath says that nothing is served at a path, or not with that method.
	ErrUnknownPath Code = "unknown_path"
	// ErrRequestTooLarge says that the body of a request is too large.
	ErrRequestTooLarge Code = "request_too_large"
	// ErrUnauthorized says that the sender of a request is unknown: a token is missing, wrong, expired or revoked.
	ErrUnauthorized Code = "unauthorized"
	// ErrForbidden says that the sender of a request may not do this, or that the request came by a host name or from a
	// web page that is not allowed.
	ErrForbidden Code = "forbidden"
	// ErrBadToken says that a token with the requested properties cannot be created.
	ErrBadToken Code = "bad_token"
	// ErrUnknownToken says that there is no token of that name.
	ErrUnknownToken Code = "unknown_token"
	// ErrTokenExists says that the name of a token is taken.
	ErrTokenExists Code = "token_exists"
)

// The command line.
const (
	// ErrUsage says that the command line is wrong; nothing was done.
	ErrUsage Code = "usage"
	// ErrConfiguration says that the configuration is wrong; nothing was done.
	ErrConfiguration Code = "configuration"
	// ErrDifferences says that a replay worked, and that decisions differ.
	ErrDifferences Code = "differences"
	// ErrDegraded says that the daemon runs, and does not match its configuration.
	ErrDegraded Code = "degraded"
)
