// Package schedule decides when a command may be sent to a page, and how the wait for its reply ends.
//
// Chromium does not reply to a page's command while a dialog is open or a script runs on the page's main thread, and
// never if the tab crashes, is closed or loses its connection. So a call is held until its page can take it, and ends
// as soon as it is known that no reply will come:
//
//   - A call to a page that is blocked by a dialog waiting for an agent ends with that dialog. If its operation has
//     already had an effect, the call waits instead, and goes on when the dialog is answered.
//   - The pages of one renderer process share a main thread, and Runtime.terminateExecution ends whatever script runs
//     on it. So script is only sent to a main thread that answers a fence, and only for one operation at a time,
//     which then has the turn. Whatever has to be terminated later is the script of that operation, and an operation
//     without a turn has run nothing.
//   - A call that had not been sent when the connection was lost waits for the reconnection.
//
// The package is pure: no clock, no goroutine, no I/O. An [Event] is what happened, an [Effect] is what to do. A
// [Browser], which is the state of package supervise, tells about tabs, frames and dialogs.
package schedule
