package browsertool

import (
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/look"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/move"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/network"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/script"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// What results have in common.
type (
	ArgumentError = result.ArgumentError
	DialogInfo    = result.DialogInfo
	Image         = result.Image
	Result        = result.Result
	Untrusted     = result.Untrusted
)

// What tools share, and what their results tell besides.
type (
	BrowserOptions = toolkit.Options
	DownloadInfo   = toolkit.DownloadInfo
	GotoResult     = toolkit.GotoResult
	HandBack       = toolkit.HandBack
	Observed       = toolkit.Observed
	Observing      = toolkit.Observing
	Outcome        = toolkit.Outcome
	PageAgain      = toolkit.PageAgain
	RestartInfo    = toolkit.RestartInfo
	TabInUse       = toolkit.TabInUse
	Target         = toolkit.Target
	Timeout        = toolkit.Timeout
	Vision         = toolkit.Vision
)

// The tools that read pages; see [look].
type (
	ElementBox       = look.ElementBox
	ExtractParams    = look.ExtractParams
	ExtractResult    = look.ExtractResult
	FindParams       = look.FindParams
	FindResult       = look.FindResult
	FrameTree        = look.FrameTree
	GetParams        = look.GetParams
	GetResult        = look.GetResult
	HighlightParams  = look.HighlightParams
	HighlightResult  = look.HighlightResult
	ImagesParams     = look.ImagesParams
	ImagesResult     = look.ImagesResult
	Reading          = look.Reading
	SaveParams       = look.SaveParams
	SaveResult       = look.SaveResult
	ScreenshotParams = look.ScreenshotParams
	ScreenshotResult = look.ScreenshotResult
	SnapshotParams   = look.SnapshotParams
	SnapshotResult   = look.SnapshotResult
	VisionParams     = look.VisionParams
	VisionResult     = look.VisionResult
	WaitParams       = look.WaitParams
	WaitResult       = look.WaitResult
)

// The tools that open other pages; see [move].
type (
	HistoryParams  = move.HistoryParams
	HistoryResult  = move.HistoryResult
	NavigateParams = move.NavigateParams
	NavigateResult = move.NavigateResult
	TabsParams     = move.TabsParams
	TabsResult     = move.TabsResult
)

// The tools that act on pages; see [act].
type (
	CheckParams    = act.CheckParams
	CheckResult    = act.CheckResult
	Checks         = act.Checks
	ClickParams    = act.ClickParams
	ClickResult    = act.ClickResult
	Clicking       = act.Clicking
	DialogParams   = act.DialogParams
	DialogResult   = act.DialogResult
	DownloadParams = act.DownloadParams
	DownloadResult = act.DownloadResult
	DragParams     = act.DragParams
	DragResult     = act.DragResult
	HoverParams    = act.HoverParams
	HoverResult    = act.HoverResult
	MouseParams    = act.MouseParams
	MouseResult    = act.MouseResult
	Onto           = act.Onto
	PressParams    = act.PressParams
	PressResult    = act.PressResult
	ScrollParams   = act.ScrollParams
	ScrollResult   = act.ScrollResult
	SelectParams   = act.SelectParams
	SelectResult   = act.SelectResult
	TypeParams     = act.TypeParams
	TypeResult     = act.TypeResult
	UploadParams   = act.UploadParams
	UploadResult   = act.UploadResult
)

// The tools that run script; see [script].
type (
	BrowserLog     = script.BrowserLog
	CDPParams      = script.CDPParams
	CDPResult      = script.CDPResult
	ConsoleError   = script.ConsoleError
	ConsoleMessage = script.ConsoleMessage
	ConsoleParams  = script.ConsoleParams
	ConsoleResult  = script.ConsoleResult
	EvaluateParams = script.EvaluateParams
	EvaluateResult = script.EvaluateResult
	Evaluated      = script.Evaluated
)

// The tools for requests; see [network].
type (
	Body           = network.Body
	RequestInfo    = network.RequestInfo
	RequestParams  = network.RequestParams
	RequestResult  = network.RequestResult
	RequestsParams = network.RequestsParams
	RequestsResult = network.RequestsResult
	RouteParams    = network.RouteParams
	RouteResult    = network.RouteResult
	RuleInfo       = network.RuleInfo
)
