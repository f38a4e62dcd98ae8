package abi

// The words for enum values, as in configuration, JSON and logs. A value that this version does not know is "unknown",
// and value 0 is "unspecified".

const unknownName = "unknown"

var (
	dialogTypeNames   = [...]string{"unspecified", "alert", "confirm", "prompt", "beforeunload"}
	frameKindNames    = [...]string{"unspecified", "top", "local", "oopif"}
	dialogActionNames = [...]string{"unspecified", "hold", "accept", "dismiss"}
	closedByNames     = [...]string{
		"unspecified", "agent", "auto_policy", "watchdog", "remote", "plugin_fault", "disconnected",
	}
	bridgeViaNames        = [...]string{"unspecified", "pause", "request"}
	bridgeSuppressedNames = [...]string{"unspecified", "beforeunload", "sandbox"}
	navigateActionNames   = [...]string{"unspecified", "allow", "deny", "rewrite"}
	requestActionNames    = [...]string{"unspecified", "allow", "block", "abort"}
	toolActionNames       = [...]string{"unspecified", "allow", "deny", "change", "ask"}
	consoleActionNames    = [...]string{"unspecified", "keep", "drop", "mask"}
	snapshotActionNames   = [...]string{"unspecified", "mask", "drop", "annotate"}
	fileActionNames       = [...]string{"unspecified", "allow", "deny"}
	kindNames             = [...]string{"null", "number", "string", "boolean", "object", "array"}
	logLevelNames         = [...]string{"debug", "info", "warn", "error"}
	statusNames           = [...]string{"decided", "abstain", "error"}
	codeNames             = [...]string{
		"ok", "not found", "bad memory", "too large", "denied", "unsupported", "internal error", "failed", "conflict",
	}
)

func nameOf[T ~int32 | ~uint8](names []string, v T) string {
	if v < 0 || int(v) >= len(names) {
		return unknownName
	}
	return names[v]
}

// parseName finds the value of a word, except for value 0.
func parseName[T ~int32](names []string, s string) (T, bool) {
	for i := 1; i < len(names); i++ {
		if names[i] == s {
			return T(i), true
		}
	}
	return 0, false
}

// String returns alert, confirm, prompt or beforeunload.
func (t DialogType) String() string { return nameOf(dialogTypeNames[:], t) }

// ParseDialogType is the inverse of [DialogType.String].
func ParseDialogType(s string) (DialogType, bool) {
	return parseName[DialogType](dialogTypeNames[:], s)
}

// String returns top, local or oopif.
func (k FrameKind) String() string { return nameOf(frameKindNames[:], k) }

// ParseFrameKind is the inverse of [FrameKind.String].
func ParseFrameKind(s string) (FrameKind, bool) { return parseName[FrameKind](frameKindNames[:], s) }

// String returns hold, accept or dismiss.
func (a DialogAction) String() string { return nameOf(dialogActionNames[:], a) }

// ParseDialogAction is the inverse of [DialogAction.String].
func ParseDialogAction(s string) (DialogAction, bool) {
	return parseName[DialogAction](dialogActionNames[:], s)
}

// String returns agent, auto_policy, watchdog, remote, plugin_fault or disconnected.
func (c ClosedBy) String() string { return nameOf(closedByNames[:], c) }

// ParseClosedBy is the inverse of [ClosedBy.String].
func ParseClosedBy(s string) (ClosedBy, bool) { return parseName[ClosedBy](closedByNames[:], s) }

// String returns pause or request.
func (v BridgeVia) String() string { return nameOf(bridgeViaNames[:], v) }

// ParseBridgeVia is the inverse of [BridgeVia.String].
func ParseBridgeVia(s string) (BridgeVia, bool) { return parseName[BridgeVia](bridgeViaNames[:], s) }

// String returns beforeunload or sandbox.
func (s BridgeSuppressed) String() string { return nameOf(bridgeSuppressedNames[:], s) }

// ParseBridgeSuppressed is the inverse of [BridgeSuppressed.String].
func ParseBridgeSuppressed(s string) (BridgeSuppressed, bool) {
	return parseName[BridgeSuppressed](bridgeSuppressedNames[:], s)
}

// String returns allow, deny or rewrite.
func (a NavigateAction) String() string { return nameOf(navigateActionNames[:], a) }

// ParseNavigateAction is the inverse of [NavigateAction.String].
func ParseNavigateAction(s string) (NavigateAction, bool) {
	return parseName[NavigateAction](navigateActionNames[:], s)
}

// String returns allow, block or abort.
func (a RequestAction) String() string { return nameOf(requestActionNames[:], a) }

// ParseRequestAction is the inverse of [RequestAction.String].
func ParseRequestAction(s string) (RequestAction, bool) {
	return parseName[RequestAction](requestActionNames[:], s)
}

// String returns allow, deny, change or ask.
func (a ToolAction) String() string { return nameOf(toolActionNames[:], a) }

// ParseToolAction is the inverse of [ToolAction.String].
func ParseToolAction(s string) (ToolAction, bool) {
	return parseName[ToolAction](toolActionNames[:], s)
}

// String returns keep, drop or mask.
func (a ConsoleAction) String() string { return nameOf(consoleActionNames[:], a) }

// ParseConsoleAction is the inverse of [ConsoleAction.String].
func ParseConsoleAction(s string) (ConsoleAction, bool) {
	return parseName[ConsoleAction](consoleActionNames[:], s)
}

// String returns mask, drop or annotate.
func (a SnapshotAction) String() string { return nameOf(snapshotActionNames[:], a) }

// ParseSnapshotAction is the inverse of [SnapshotAction.String].
func ParseSnapshotAction(s string) (SnapshotAction, bool) {
	return parseName[SnapshotAction](snapshotActionNames[:], s)
}

// String returns allow or deny.
func (a FileAction) String() string { return nameOf(fileActionNames[:], a) }

// ParseFileAction is the inverse of [FileAction.String].
func ParseFileAction(s string) (FileAction, bool) {
	return parseName[FileAction](fileActionNames[:], s)
}

// String returns the JSON word for the kind: null, number, string, boolean, object or array.
func (k Kind) String() string { return nameOf(kindNames[:], k) }

// String returns debug, info, warn or error.
func (l LogLevel) String() string { return nameOf(logLevelNames[:], l) }

// String returns decided, abstain or error.
func (s Status) String() string { return nameOf(statusNames[:], s) }

// String says what a negative result of an import means; it returns "ok" for a length.
func (c Code) String() string {
	if c >= 0 {
		return codeNames[0]
	}
	return nameOf(codeNames[:], -c)
}
