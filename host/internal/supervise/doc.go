// Package supervise is the state machine that knows every tab, frame and dialog of one browser connection.
//
// [State.Apply] takes what happened (an event of the browser, a reply, a verdict of a plugin, an answer of an agent, a
// timer) and returns what to do: commands to send, plugins to ask, timers to arm, callers to answer. The package does no
// I/O, reads no clock and starts no goroutine, so every schedule can be replayed and every bug is a list of events. One
// goroutine owns a State; nothing here locks.
//
// The invariants that the tests hold it to:
//
//  1. A dialog is pending, being answered or closed; it closes once, with one closed_by.
//  2. While a dialog is open a timer is armed that ends it.
//  3. The raw frame tree equals the browser's once all events are applied.
//  4. No answer is sent for a dialog whose frame is gone: Chromium ends the whole browser on such an answer.
//  5. Every session that waits for the debugger is resumed once, after its domains are enabled.
//  6. Every request gets one reply.
package supervise
