package host

import (
	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/route"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Rules for the requests of a task; see [Task.Route].
type (
	BadRuleError  = route.BadRuleError
	Rule          = route.Rule
	RouteHeaders  = route.Headers
	RouteResponse = route.Response
)

// What is known about a task at a given moment; see [view].
type (
	ArmedAnswer      = view.ArmedAnswer
	Bodies           = view.Bodies
	ClosedBy         = view.ClosedBy
	ConsoleMessage   = view.ConsoleMessage
	DeniedNavigation = view.DeniedNavigation
	BlockedRequest   = view.BlockedRequest
	RequestCounters  = view.RequestCounters
	RequestVerdicts  = view.RequestVerdicts
	Dialog           = view.Dialog
	DialogAction     = view.DialogAction
	DialogType       = view.DialogType
	Event            = view.Event
	EventKind        = view.EventKind
	Frame            = view.Frame
	FrameKind        = view.FrameKind
	FrameTree        = view.FrameTree
	Header           = view.Header
	Provenance       = view.Provenance
	Emulation        = view.Emulation
	Geolocation      = view.Geolocation
	Headers          = view.Headers
	NetworkSpeed     = view.NetworkSpeed
	Permission       = view.Permission
	Request          = view.Request
	Requests         = view.Requests
	SignIn           = view.SignIn
	SignInKind       = view.SignInKind
	Account          = view.Account
	Snapshot         = view.Snapshot
	Suppressed       = view.Suppressed
	Target           = view.Target
	Timing           = view.Timing
	UnixTime         = view.UnixTime
	Via              = view.Via
)

// What is known about a task at a given moment; see [view].
const (
	ActionAccept             = view.ActionAccept
	ActionDismiss            = view.ActionDismiss
	ActionHold               = view.ActionHold
	ClosedByAgent            = view.ClosedByAgent
	ClosedByAutoPolicy       = view.ClosedByAutoPolicy
	ClosedByDisconnected     = view.ClosedByDisconnected
	ClosedByPluginFault      = view.ClosedByPluginFault
	ClosedByRemote           = view.ClosedByRemote
	ClosedByWatchdog         = view.ClosedByWatchdog
	DialogAlert              = view.DialogAlert
	DialogBeforeUnload       = view.DialogBeforeUnload
	DialogConfirm            = view.DialogConfirm
	DialogPrompt             = view.DialogPrompt
	EventBridged             = view.EventBridged
	EventConsole             = view.EventConsole
	EventDialogClosed        = view.EventDialogClosed
	EventDialogOpened        = view.EventDialogOpened
	EventDisconnected        = view.EventDisconnected
	EventNavigationDenied    = view.EventNavigationDenied
	EventNavigationRewritten = view.EventNavigationRewritten
	EventDownload            = view.EventDownload
	EventPluginChanged       = view.EventPluginChanged
	EventPluginFault         = view.EventPluginFault
	EventReconnected         = view.EventReconnected
	EventTargetAttached      = view.EventTargetAttached
	EventTargetCrashed       = view.EventTargetCrashed
	EventTargetGone          = view.EventTargetGone
	FrameLocal               = view.FrameLocal
	FrameOOPIF               = view.FrameOOPIF
	FrameTop                 = view.FrameTop
	FrameUnknown             = view.FrameUnknown
	SignInAccount            = view.SignInAccount
	SignInAgain              = view.SignInAgain
	SignInError              = view.SignInError
	SignInProvider           = view.SignInProvider
	SuppressedBeforeUnload   = view.SuppressedBeforeUnload
	SuppressedSandbox        = view.SuppressedSandbox
	ViaNative                = view.ViaNative
	ViaPause                 = view.ViaPause
	ViaRequest               = view.ViaRequest
)

// What can be done on a task's pages; see [act].
type (
	ActionOptions        = act.ActionOptions
	ActionResult         = act.ActionResult
	Annotation           = act.Annotation
	ClickOptions         = act.ClickOptions
	Direction            = act.Direction
	Document             = act.Document
	Download             = view.Download
	DownloadState        = view.DownloadState
	ElementRef           = act.ElementRef
	EvaluateOptions      = act.EvaluateOptions
	Evaluation           = act.Evaluation
	FrameNote            = act.FrameNote
	Image                = act.Image
	Inspected            = act.Inspected
	InspectOptions       = act.InspectOptions
	Inspection           = act.Inspection
	Box                  = act.Box
	SaveFormat           = act.SaveFormat
	SaveOptions          = act.SaveOptions
	Locator              = act.Locator
	MouseButton          = act.MouseButton
	NavigateOptions      = act.NavigateOptions
	NotActionableError   = act.NotActionableError
	NotDeliveredError    = act.NotDeliveredError
	Find                 = act.Find
	NotSerialisableError = act.NotSerialisableError
	OptionError          = act.OptionError
	Observation          = act.Observation
	Point                = act.Point
	PressOptions         = act.PressOptions
	ReadOptions          = act.ReadOptions
	Reading              = act.Reading
	Screenshot           = act.Screenshot
	ScreenshotOptions    = act.ScreenshotOptions
	ScrollOptions        = act.ScrollOptions
	Scrolled             = act.Scrolled
	StaleRefError        = act.StaleRefError
	Tab                  = act.Tab
	TabInfo              = act.TabInfo
	Text                 = act.Text
	TextOptions          = act.TextOptions
	TypeOptions          = act.TypeOptions
	WaitError            = act.WaitError
	WaitState            = act.WaitState
	WaitUntil            = act.WaitUntil
	World                = act.World
)

// What can be done on a task's pages; see [act].
const (
	ButtonLeft           = act.ButtonLeft
	ButtonMiddle         = act.ButtonMiddle
	ButtonRight          = act.ButtonRight
	DefaultFullBudget    = act.DefaultFullBudget
	DefaultReadBudget    = act.DefaultReadBudget
	DownloadCanceled     = view.DownloadCanceled
	DownloadComplete     = view.DownloadComplete
	DownloadFailed       = view.DownloadFailed
	DownloadStarted      = view.DownloadStarted
	InspectAttribute     = act.InspectAttribute
	InspectBox           = act.InspectBox
	InspectHTML          = act.InspectHTML
	InspectState         = act.InspectState
	InspectStyle         = act.InspectStyle
	InspectValue         = act.InspectValue
	MaxReadBudget        = act.MaxReadBudget
	MinReadBudget        = act.MinReadBudget
	ObstacleCovered      = act.ObstacleCovered
	ObstacleDetached     = act.ObstacleDetached
	ObstacleDisabled     = act.ObstacleDisabled
	ObstacleHidden       = act.ObstacleHidden
	ObstacleMoving       = act.ObstacleMoving
	ObstacleOutside      = act.ObstacleOutside
	ObstacleReadOnly     = act.ObstacleReadOnly
	ObstacleUnfit        = act.ObstacleUnfit
	SaveMHTML            = act.SaveMHTML
	SavePDF              = act.SavePDF
	ScrollDown           = act.ScrollDown
	ScrollLeft           = act.ScrollLeft
	ScrollRight          = act.ScrollRight
	ScrollUp             = act.ScrollUp
	WaitAttached         = act.WaitAttached
	WaitCommit           = act.WaitCommit
	WaitDOMContentLoaded = act.WaitDOMContentLoaded
	WaitDetached         = act.WaitDetached
	WaitEnabled          = act.WaitEnabled
	WaitHidden           = act.WaitHidden
	WaitLoad             = act.WaitLoad
	WaitNetworkIdle      = act.WaitNetworkIdle
	WaitVisible          = act.WaitVisible
	WorldIsolated        = act.WorldIsolated
	WorldMain            = act.WorldMain
)

// ByRef names an element by its ref in a reading of the page.
func ByRef(ref string) Locator { return act.ByRef(ref) }

// BySelector names the first match of a CSS selector.
func BySelector(css string) Locator { return act.BySelector(css) }

// ByRole names the element with a role and a name, as a reading of the page shows them.
func ByRole(role, name string) Locator { return act.ByRole(role, name) }

// ByText names the innermost element that shows a text.
func ByText(text string) Locator { return act.ByText(text) }

// NetworkNamed is the speed of a kind of network: slow 3g, fast 3g or 4g.
func NetworkNamed(name string) (speed NetworkSpeed, known bool) { return view.NetworkNamed(name) }

// Devices lists the names that [Task.Device] knows.
func Devices() []string { return view.Devices() }

// InFrame names a frame.
func InFrame(id string) Locator { return act.InFrame(id) }
