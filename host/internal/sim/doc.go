// Package sim is a model of Chromium as a CDP client sees it, for tests of the state machine in package supervise.
//
// A [Browser] has tabs, frames in processes, sessions, targets that wait for the debugger, and native dialogs. It takes
// [supervise.SendCommand] effects as commands and returns [supervise.Event]s, each in the order of their single
// connection. The test decides when a command is executed and when an event is delivered, so it can produce every race
// between the two sides. There are no goroutines, no clock and no randomness: the same calls return the same events.
//
// The order of events, and what crashes the browser, were measured on Chromium 156. If the browser crashes, a target is
// left waiting, or the user's own tab is touched, and the client could have known better because the relevant event was
// delivered before it sent the command, the model records a violation; see [Browser.Violations].
package sim
