package fault

import "net/http"

// row is what there is to say about a code, beside its cause, which is the comment on its constant.
type row struct {
	text   string // what Error returns
	cure   string
	is     Code // the code of which it is a case
	status int  // of an HTTP response
	exit   int  // the exit code of the command, which docs/cli.md explains
}

// table has each code once; docs/errors.md is made from it.
var table = map[Code]row{
	ErrTimeout:          {"timeout", "Look at what remains, which the text says; then call again with more time.", "", http.StatusGatewayTimeout, 5},
	ErrAborted:          {"aborted", "Look at what remains, which the text says; then call again if it is still wanted.", "", http.StatusConflict, 1},
	ErrClosed:           {"closed", "Attach or launch the task again.", "", http.StatusServiceUnavailable, 1},
	ErrBlockedByDialog:  {"blocked by a dialog", "Answer the dialog. Then resume the call if it has an id, otherwise call again.", "", http.StatusConflict, 3},
	ErrDelivered:        {"delivered", "Do not repeat the action. Resume the call by its id, or stop it.", "", http.StatusConflict, 5},
	ErrRendererBusy:     {"the renderer is busy", "Wait, end the call that keeps the page busy, load another page, or close the tab.", "", http.StatusConflict, 1},
	ErrLoading:          {"the tab is loading", "Wait for the new page, or load another one: navigating and reloading end the load that hangs.", "", http.StatusConflict, 5},
	ErrHeldByOperator:   {"held by the operator", "Wait, then call again: the result says when the task was given back, and has a note.", "", http.StatusConflict, 1},
	ErrUnknownCall:      {"unknown call", "Take the id from the error of the call. A result is given out once, and a restart ends all calls.", "", http.StatusNotFound, 1},
	ErrToolCall:         {"this is the call of a tool", "Resume it with browser_resume, or with `hermes-cdp browser resume`.", "", http.StatusConflict, 1},
	ErrBadArguments:     {"bad arguments", "Correct the argument that the text names.", "", http.StatusBadRequest, 2},
	ErrRefused:          {"refused", "Use what the text offers instead.", "", http.StatusForbidden, 1},
	ErrEvaluateDisabled: {"evaluating script is disabled by browser.evaluate_enabled", "Use the tools that need no script, or have the operator set `browser.evaluate_enabled`.", ErrRefused, http.StatusForbidden, 1},
	ErrUnsupported:      {"unsupported operation", "Use a daemon, or another transport, as the text says.", "", http.StatusNotImplemented, 1},
	ErrFailed:           {"failed", "Read the text.", "", http.StatusInternalServerError, 1},

	ErrNoDialog:          {"no dialog is open", "Go on: nothing waits for an answer.", "", http.StatusConflict, 1},
	ErrUnknownDialog:     {"unknown dialog id", "Use one of the ids that the error lists.", "", http.StatusNotFound, 1},
	ErrAmbiguousDialog:   {"several dialogs are pending", "Name one of the dialogs that the error lists.", "", http.StatusConflict, 1},
	ErrDialogBusy:        {"an answer is already under way", "Wait for that answer.", "", http.StatusConflict, 1},
	ErrDialogGone:        {"the dialog ended before the answer", "Go on: the snapshot says who closed it.", "", http.StatusConflict, 1},
	ErrAnswerRefused:     {"the browser did not accept the answer", "Answer again: the dialog is still pending.", "", http.StatusConflict, 1},
	ErrAnswerUnconfirmed: {"disconnected from the browser before it confirmed the answer", "Once the connection is back, a snapshot shows whether the dialog is still pending.", ErrDisconnected, http.StatusServiceUnavailable, 4},
	ErrDialogType:        {"unknown dialog type", "Use one of the types that the text lists.", ErrBadArguments, http.StatusBadRequest, 2},
	ErrDialogPolicy:      {"unknown dialog policy", "Use one of the policies that the text lists.", ErrBadArguments, http.StatusBadRequest, 2},

	ErrUnknownTarget: {"unknown target", "List the tabs, and use one of them.", "", http.StatusNotFound, 1},
	ErrUnknownFrame:  {"unknown frame", "Take a new snapshot, and use a frame of it.", "", http.StatusNotFound, 1},
	ErrFrameFiltered: {"the frame filter took the frame", "Do without the frame, or have the operator change the rule of the plugin that the text names.", "", http.StatusForbidden, 1},
	ErrNoPage:        {"there is no page", "Navigate to a URL.", "", http.StatusConflict, 1},
	ErrSessionLost:   {"the session is lost", "Take a new snapshot before the next call.", "", http.StatusConflict, 1},
	ErrTargetCrashed: {"the tab crashed", "Reload the tab or navigate: that revives it, without what its page had in memory.", ErrSessionLost, http.StatusConflict, 1},
	ErrTargetGone:    {"the tab is gone", "Use another tab, or open one.", ErrSessionLost, http.StatusConflict, 1},
	ErrFrameGone:     {"the frame or its document is gone", "Take a new snapshot before the next call.", ErrSessionLost, http.StatusConflict, 1},

	ErrAmbiguousElement: {"several elements match", "Name one of them: by its ref, a selector, or a frame.", "", http.StatusConflict, 1},
	ErrNoElement:        {"no such element", "Read the page again, or wait for the element.", "", http.StatusConflict, 1},
	ErrUnknownRef:       {"unknown ref", "Read the page, and use a ref of that reading.", "", http.StatusNotFound, 1},
	ErrStaleRef:         {"stale ref", "Read the page again; the error names the elements that resemble it most.", "", http.StatusConflict, 1},
	ErrNotActionable:    {"the element cannot be acted on", "Remove the obstacle that the text names, or act on another element.", "", http.StatusConflict, 1},
	ErrHidden:           {"the element takes up no space in the page: it is hidden or empty", "Make the element visible first.", ErrNotActionable, http.StatusConflict, 1},
	ErrNotDelivered:     {"the input was not delivered", "Read the page again: another element may have come in the way.", "", http.StatusConflict, 1},
	ErrDownload:         {"the download failed", "Do what the text says: the element may start no download, or need more time.", "", http.StatusConflict, 1},
	ErrNavigate:         {"navigation failed", "Check the URL and the network; the text has the browser's reason.", "", http.StatusConflict, 1},
	ErrNavigationDenied: {"navigation failed: denied", "Go elsewhere, or have the operator change the rule that the text names.", ErrNavigate, http.StatusForbidden, 1},
	ErrNetworkRefused:   {"navigation failed: the address may not be reached", "Go elsewhere, or have the operator allow the address with `browser.network.allow`.", ErrNavigate, http.StatusForbidden, 1},

	ErrEvaluate:        {"the expression threw", "Correct the expression; the text has the exception.", "", http.StatusConflict, 1},
	ErrNotSerialisable: {"the result cannot be serialised", "Return a part of the value, or a string.", "", http.StatusConflict, 1},
	ErrProtocol:        {"the browser refused the command", "Correct the command or its parameters; the text is the browser's.", "", http.StatusConflict, 1},

	ErrTransport:              {"the browser's answer did not arrive", "Take a new snapshot before you try again.", "", http.StatusServiceUnavailable, 4},
	ErrDisconnected:           {"disconnected from the browser", "The host reconnects by itself: take a new snapshot before you try again.", ErrTransport, http.StatusServiceUnavailable, 4},
	ErrBrowserGone:            {"disconnected from the browser: the browser is gone", "Attach or launch again; the next call of a tool does so by itself.", ErrDisconnected, http.StatusServiceUnavailable, 4},
	ErrTooLarge:               {"the result is too large", "Ask for a part of it, or raise `browser.read_limit_mb`.", ErrTransport, http.StatusConflict, 1},
	ErrProvider:               {"renting a browser failed", "Do what the text says: check the key, the plan and the limits at the service, or use a local browser.", "", http.StatusBadGateway, 1},
	ErrProviderSessionExpired: {"disconnected from the browser: its rented session has ended", "Start the task again, or call a tool: another browser is rented.", ErrBrowserGone, http.StatusServiceUnavailable, 4},
	ErrProfileBusy:            {"the profile is in use", "Wait until it is free, use another one, or set `browser.profile_busy` to `wait` or `copy`.", "", http.StatusConflict, 1},
	ErrNoBrowser:              {"no browser found", "Install a Chromium, or name one with `browser.executable`.", "", http.StatusServiceUnavailable, 1},
	ErrRestartLoop:            {"the browser keeps ending by itself", "Check the browser as the text says, and wait until the host tries again.", "", http.StatusServiceUnavailable, 1},
	ErrTask:                   {"task failed", "Correct what the text names, and start the task again.", "", http.StatusInternalServerError, 1},

	ErrNoTask:           {"there is no task", "Start one: `hermes-cdp connect`.", "", http.StatusNotFound, 1},
	ErrUnknownTask:      {"unknown task", "Use a task that the text or `hermes-cdp status` lists, or start it first.", "", http.StatusNotFound, 1},
	ErrAmbiguousTask:    {"several tasks are supervised", "Name one of them with --task.", "", http.StatusConflict, 1},
	ErrUnknownTool:      {"unknown tool", "Use one of the tools that the text lists.", "", http.StatusNotFound, 1},
	ErrToolset:          {"bad toolset", "Correct the toolset that the text names.", "", http.StatusBadRequest, 2},
	ErrFormat:           {"unknown format", "Use one of the formats that the text lists.", "", http.StatusBadRequest, 2},
	ErrBadTool:          {"bad tool", "Correct the tool before it is registered.", "", http.StatusBadRequest, 1},
	ErrNoRecording:      {"no such recording", "Use an id of `hermes-cdp recordings`.", "", http.StatusNotFound, 1},
	ErrNoTrace:          {"no trace is running", "Start one; if one was running, it ended with its task, and the log says where its file is.", "", http.StatusConflict, 1},
	ErrCredentials:      {"the credentials were refused", "Correct the user or the password in `browser.credentials`, and start the task again: they are not sent a second time.", "", http.StatusConflict, 1},
	ErrTraceRunning:     {"a trace is running already", "Stop it, which writes its file; then start the next one.", "", http.StatusConflict, 1},
	ErrBadState:         {"the storage state cannot be used", "Save the state again, or correct what the text names. Nothing of it was loaded.", "", http.StatusConflict, 1},
	ErrStateKey:         {"the storage state does not fit the key", "Set `browser.state_key` to the key that it was saved with, or to none for a plain file. Nothing was loaded.", "", http.StatusConflict, 1},
	ErrNotHeld:          {"nobody has taken the task over", "Take it over first: `hermes-cdp takeover TASK`.", "", http.StatusConflict, 1},
	ErrUnknownQuestion:  {"no such question", "Answer one that the live page or `hermes-cdp status` lists.", "", http.StatusNotFound, 1},
	ErrNotRecorded:      {"the task is not being recorded", "Start a recording; `hermes-cdp recordings list` shows those that have ended.", "", http.StatusConflict, 1},
	ErrRecordingRunning: {"the task is being recorded already", "Stop the recording, which completes its file; then start the next one.", "", http.StatusConflict, 1},

	ErrUnknownPlugin:    {"unknown plugin", "Use one of the plugins in service.", "", http.StatusNotFound, 1},
	ErrKnownPlugin:      {"the plugin is there already", "Swap it, or add yours under another name.", "", http.StatusConflict, 1},
	ErrUnknownHook:      {"unknown hook", "Use one of the hooks that the text lists.", ErrBadArguments, http.StatusBadRequest, 2},
	ErrPluginRefused:    {"plugin refused", "Correct the module at the step that the text names.", "", http.StatusUnprocessableEntity, 1},
	ErrNoGeneration:     {"no earlier generation", "Swap in the module that is to serve.", "", http.StatusConflict, 1},
	ErrNoCandidate:      {"no candidate", "Load one with `hermes-cdp plugin shadow`.", "", http.StatusNotFound, 1},
	ErrOutOfService:     {"out of service", "Swap in a module that works.", "", http.StatusServiceUnavailable, 1},
	ErrCapabilityDenied: {"capability not granted", "Have the operator grant it under plugins.NAME.capabilities.", "", http.StatusForbidden, 1},
	ErrPageScript:       {"the tool's page script failed", "Correct the script in the plugin; the text has its reason.", "", http.StatusBadGateway, 1},
	ErrPluginFault:      {"plugin fault", "Correct or roll back the module; its next call has a new instance.", "", http.StatusBadGateway, 1},
	ErrToolDenied:       {"a plugin denied this", "Do without it, or have the operator change the rule that the text names.", "", http.StatusForbidden, 1},
	ErrFileDenied:       {"a plugin denied this file", "Do without it, or have the operator change the rule that the text names.", "", http.StatusForbidden, 1},
	ErrToolFailed:       {"the plugin could not answer", "Do what the plugin's reason suggests.", "", http.StatusBadGateway, 1},
	ErrServer:           {"the MCP server did not do what was asked", "Check what it did, then call again; `hermes-cdp status` shows the server.", "", http.StatusBadGateway, 1},
	ErrServerTool:       {"the tool of the MCP server failed", "Do what the server's text suggests.", "", http.StatusBadGateway, 1},

	ErrNoDaemon:        {"no daemon is running", "Start one: `hermes-cdp run`.", "", http.StatusServiceUnavailable, 4},
	ErrDaemonRunning:   {"a daemon is already running", "Use it, or give this one another `control.socket`.", "", http.StatusConflict, 1},
	ErrBadRequest:      {"bad request", "Correct the request as the text says.", "", http.StatusBadRequest, 2},
	ErrUnknownPath:     {"unknown path", "Use one of the paths in the description of the API.", ErrBadRequest, http.StatusNotFound, 1},
	ErrRequestTooLarge: {"the request is too large", "Send less.", ErrBadRequest, http.StatusRequestEntityTooLarge, 2},
	ErrUnauthorized:    {"unauthorized", "Send a valid token.", "", http.StatusUnauthorized, 1},
	ErrForbidden:       {"forbidden", "Use a token that is bound to it, or the operator's.", "", http.StatusForbidden, 1},
	ErrBadToken:        {"bad token", "Ask for what the text allows.", "", http.StatusBadRequest, 2},
	ErrUnknownToken:    {"unknown token", "Use a name of `hermes-cdp token list`.", "", http.StatusNotFound, 1},
	ErrTokenExists:     {"the token exists already", "Use another name, or revoke that token first.", "", http.StatusConflict, 1},

	ErrUsage:         {"wrong command line", "Correct it; --help lists what there is.", "", http.StatusBadRequest, 2},
	ErrConfiguration: {"wrong configuration", "Correct the keys that the text names.", "", http.StatusBadRequest, 2},
	ErrDifferences:   {"decisions differ", "Correct the plugin, or allow the differences with --allow.", "", http.StatusConflict, 3},
	ErrDegraded:      {"not as configured", "Do what `hermes-cdp status` says.", "", http.StatusConflict, 6},
}
