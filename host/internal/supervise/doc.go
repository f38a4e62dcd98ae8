// Package supervise is the state machine that knows every tab, frame and dialog of one browser connection.
//
// [State.Apply] takes what happened (a browser event, a command reply, a plugin's verdict, an agent's answer, a timer)
// and returns what to do: send commands, ask plugins, arm timers, answer callers. The package does no I/O, reads no
// clock and starts no goroutine, so every schedule can be replayed and every bug is a list of events. One goroutine
// owns a State, so nothing here locks.
//
// The tests check these invariants:
//
//  1. A dialog is pending, being answered or closed. It closes once, with one closed_by.
//  2. While a dialog is open, a timer is armed that ends it.
//  3. The raw frame tree equals the browser's once all events are applied.
//  4. No answer is sent for a dialog whose frame is gone: Chromium crashes on such an answer.
//  5. Every session that waits for the debugger is resumed once, after its domains are enabled.
//  6. Every request gets one reply.
package supervise
