// Package agent is what an agent works a browser with: the tools browser_navigate, browser_click and so on, each as a typed
// method of [Browser], and all of them in a [Registry] with JSON Schemas, for servers that offer them to models.
//
// A call is bounded by its context and its timeout_ms. It never waits for a dialog: it fails at once with the dialogs that
// hold the page, and with the id of the call, whose result browser_resume gives once they are answered.
//
// What a page says is untrusted. In a result it stands in the fields that its key "untrusted" lists, with its origin.
package agent
