// Package sim is a model of Chromium as a CDP client sees it, for tests of the state machine in package supervise.
//
// A [Browser] has tabs, frames in processes, sessions, targets that wait for the debugger, and native dialogs. It takes
// [supervise.Send] effects as commands and gives [supervise.Event]s, each in the order of the one connection between them;
// when a command is executed and when an event is delivered is up to the test, so every race between the two sides can
// be made. There is no goroutine and no clock, and nothing is chosen at random: the same calls give the same events.
//
// The event orders, and what crashes the browser, are those measured on Chromium 156. Where the model would crash, or a
// target is left waiting, or the user's own tab is touched, and the client could have known better, because the event
// that tells was delivered before the command was sent, the model notes a violation; see [Browser.Violations].
package sim
