// Package netlog keeps the recent requests of a task with their responses, as the browser's events of the network tell
// them: without secrets, and bounded in number and size.
package netlog
