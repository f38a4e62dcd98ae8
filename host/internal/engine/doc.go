// Package engine owns the connections to browsers. One goroutine for each, [Link.run], takes what comes from an inbox,
// decodes it, gives it to the pure state machines supervise and schedule, and does what they ask for: it sends commands, asks
// plugins, arms timers, reconnects, and publishes a snapshot of each task.
//
// What takes several commands, such as an evaluation or a click, is an [Operation]: work on a goroutine of its own, with one
// budget, that goes on when its caller was told of a dialog and left.
package engine
