// Package schedule decides when a command that somebody waits for may be sent to a page, and how the wait for it ends.
//
// Chromium does not reply to a page's command while a dialog is open or a script runs on the page's main thread, and never
// if the tab crashes, goes away or loses its connection. So a call is held until its page can take it, and it ends as soon as
// it is known that no reply will come:
//
//   - A call that finds a dialog that waits for an agent ends with it. One of an operation that has already had an effect is
//     blocked instead: it goes on when the dialog is answered.
//   - The pages of one renderer process share a main thread, and Runtime.terminateExecution ends whatever script runs on it.
//     So script is sent only to a main thread that answers a fence, and for one operation at a time, which then has the turn:
//     what has to be terminated later is the script of that operation, and an operation that got no turn has run nothing.
//   - A call that was not sent when the connection was lost waits for it to come back.
//
// The package is pure: no clock, no goroutine, no I/O. What happens is an [Event]; what is to be done is an [Effect]. What is
// known of tabs, frames and dialogs is asked of a [Browser], which is the state of package supervise.
package schedule
