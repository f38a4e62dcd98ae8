// Package browsertool has the tools with which an agent works with a browser: browser_navigate, browser_click and so
// on. Each is a typed method of [Browser].
//
// A call is bounded by its context and its timeout_ms. It never waits for a dialog: it fails at once and names the
// dialogs that hold the page. It also returns the id of the call, with which browser_resume returns the result once
// they are answered.
//
// What a page says is untrusted. The key "untrusted" of a result lists the fields that contain it, with its origin.
package browsertool

import "github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"

// What results have in common.
type (
	ArgumentError = result.ArgumentError
	DialogInfo    = result.DialogInfo
	Image         = result.Image
	Result        = result.Result
	Untrusted     = result.Untrusted
)
