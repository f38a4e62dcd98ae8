package agent

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// What a call of a tool returns.
type (
	Result        = result.Result
	Image         = result.Image
	Untrusted     = result.Untrusted
	ArgumentError = result.ArgumentError
)

// The tools of one task; see [browsertool].
type (
	Browser        = browsertool.Browser
	BrowserOptions = browsertool.BrowserOptions
	Timeout        = browsertool.Timeout
	Vision         = browsertool.Vision
)

// ReportProgress reports progress to the caller of a tool: done of total steps (0: unknown), and what was done last.
// ctx is the one that the tool was given. It does nothing if the caller did not ask for progress.
func ReportProgress(ctx context.Context, done, total float64, note string) {
	toolkit.ReportProgress(ctx, done, total, note)
}

// FenceNote explains the fence to a model, in the instructions that it gets once.
const FenceNote = result.FenceNote

// WithoutEmptyFence removes an empty fence from the start of a text. An end with another mark was written by a page.
func WithoutEmptyFence(text string) string { return result.WithoutEmptyFence(text) }

// The reasons of [ToolCounters.Fallbacks].
const (
	// FallbackLastKnown: the last known page, as a dialog holds it or it does not answer.
	FallbackLastKnown = result.FallbackLastKnown
	// FallbackFrames: the page without frames that do not answer or cannot be read.
	FallbackFrames = result.FallbackFrames
)
