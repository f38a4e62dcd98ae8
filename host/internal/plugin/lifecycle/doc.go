// Package lifecycle keeps the modules of a host in service. It takes each module through every step before it may
// decide, swaps modules while calls go on, rolls back to earlier ones, shows live events to candidates, and asks all
// plugins in order. It knows nothing about browsers.
//
// Each plugin, which is a name, has at most one module in service and one candidate. Both are in its seat, a single
// pointer that readers load without a lock. Only the holder of the plugin's turn writes it. A module in a seat has one
// user for being there and one for each call; the last user closes it. So a call gets either the module that was in
// service when it asked, until the call ends, or the next one, and nothing in between.
//
// Lock order: the turn of a plugin, then Engine.mu, then member.mu. None of them is held while a module runs, except
// the turn, which asking does not need.
package lifecycle
