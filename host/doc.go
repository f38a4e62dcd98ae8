// Package host supervises real browsers for agents: it knows every tab, popup, frame and dialog of a task, answers dialogs
// or surfaces them as sandboxed WebAssembly modules decide, and never lets a call hang behind one.
//
// A [Host] loads the modules and holds one Chrome DevTools Protocol connection per browser. A [Task] is one agent's share
// of a browser. [Task.Snapshot] never waits; what happens is told by [Task.Events].
package host
