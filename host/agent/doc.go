// Package agent offers to models the tools with which an agent works with a browser: browser_navigate, browser_click
// and so on. A [Registry] has all of them with JSON Schemas, in toolsets, for servers; package browsertool has the
// tools themselves.
package agent
