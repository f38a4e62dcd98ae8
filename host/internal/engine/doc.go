// Package engine owns the connections to browsers. Each connection has one goroutine, its owner (Link.run): it takes
// items from an inbox, decodes them, feeds the pure state machines supervise and schedule, and carries out the effects
// they return. It sends commands, asks plugins, arms timers, reconnects, and publishes a snapshot of each task. What
// needs no connection is in the packages below: decode, hooks, netlog, and others.
//
// Work that takes several commands, such as an evaluation or a click, is an [Operation]. It has a goroutine and one
// budget of its own, and continues after its caller was told about a dialog and left.
package engine
