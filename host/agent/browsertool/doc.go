// Package browsertool has the tools with which an agent works with a browser: browser_navigate, browser_click and so
// on. Each is a typed method of [Browser].
//
// Those that work on pages are in the packages below this one: they read pages (look), open other ones (move), act on
// them (act), run script (script), and see and change their requests (network). Here are those that work on the task
// as a whole, and browser_interact, which runs a list of the others.
//
// A call is bounded by its context and its timeout_ms. It never waits for a dialog: it fails at once and names the
// dialogs that hold the page. It also returns the id of the call, with which browser_resume returns the result once
// they are answered.
//
// What a page says is untrusted. The key "untrusted" of a result lists the fields that contain it, with its origin.
package browsertool
