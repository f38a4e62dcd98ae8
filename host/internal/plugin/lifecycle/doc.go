// Package lifecycle keeps the modules of a host in service: it takes each through every step before it may decide, puts
// another in its place while calls go on, goes back to an earlier one, lets a candidate see live events beside it, and
// asks them all in order. It knows nothing of browsers.
//
// Each plugin, which is a name, has at most one module in service and one candidate. Both are in its seat, one pointer
// that readers load without a lock; only who holds the plugin's turn writes it. A module in a seat has one user for that
// and one for each call; the last user closes it. So a call either gets the module that was in service when it asked, to
// its end, or the next one, and nothing in between.
//
// Order of locks: the turn of a plugin, then Engine.mu, then member.mu. None is held while a module runs, but the turn,
// which no one needs in order to ask.
package lifecycle
