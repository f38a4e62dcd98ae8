package view

// DialogType is the type of a dialog. See https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html.
type DialogType string

// The types of dialogs.
const (
	DialogAlert        DialogType = "alert"
	DialogConfirm      DialogType = "confirm"
	DialogPrompt       DialogType = "prompt"
	DialogBeforeUnload DialogType = "beforeunload"
)

// Via is how a dialog reached the host.
type Via string

// The ways of dialogs.
const (
	ViaNative  Via = "native"  // the browser announced it
	ViaPause   Via = "pause"   // through the bridge, which paused the page in the debugger
	ViaRequest Via = "request" // through the bridge, which made a request that is held
)

// Suppressed is why a browser would not have shown a dialog that a page asked for.
type Suppressed string

// The reasons for which dialogs are suppressed.
const (
	SuppressedBeforeUnload Suppressed = "beforeunload" // the page is being left
	SuppressedSandbox      Suppressed = "sandbox"      // the frame has no allow-modals
)

// DialogAction is what a policy decided on a dialog.
type DialogAction string

// The decisions on dialogs.
const (
	ActionHold    DialogAction = "hold" // an agent answers
	ActionAccept  DialogAction = "accept"
	ActionDismiss DialogAction = "dismiss"
)

// ClosedBy is who closed a dialog.
type ClosedBy string

// Who closes dialogs.
const (
	ClosedByAgent        ClosedBy = "agent"
	ClosedByAutoPolicy   ClosedBy = "auto_policy"
	ClosedByWatchdog     ClosedBy = "watchdog"     // nobody had answered at its deadline
	ClosedByRemote       ClosedBy = "remote"       // the browser, a person at it, or another client
	ClosedByPluginFault  ClosedBy = "plugin_fault" // the host, as the policy failed
	ClosedByDisconnected ClosedBy = "disconnected" // it ended with the connection
)

// FrameKind is where a frame runs.
type FrameKind string

// The kinds of frames.
const (
	FrameTop     FrameKind = "top"
	FrameLocal   FrameKind = "local"       // in the process of the frame above it
	FrameOOPIF   FrameKind = "oopif"       // in a process of its own
	FrameUnknown FrameKind = "unspecified" // the host did not know the frame
)
