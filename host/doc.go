// Package host drives Chromium for AI agents over the Chrome DevTools Protocol (CDP), and supervises it: it knows every
// tab, frame and dialog at any moment, and no call hangs because of a dialog.
//
// Five words are enough to use it:
//
//   - A [Host] owns the connections to browsers and the plugins. A program usually has one.
//   - A [Task] is one agent's share of a browser: its tabs, dialogs and console. [Host.Launch] starts a browser for a
//     task, and [Host.Attach] uses one that is already running.
//   - A tab is a page or popup of a task. Its handle (t1) never changes. Calls that name no tab use the one in use.
//   - A [Snapshot] is everything known about a task at one moment. [Task.Snapshot] returns it without waiting, and
//     [Task.Events] reports what changes.
//   - A plugin is a sandboxed WebAssembly module that decides for the host: how to answer a dialog, which frames
//     to show, whether to allow a navigation. It can also offer tools to agents.
//
// A page stops while it shows a dialog (alert, confirm, prompt, beforeunload). A plugin answers the dialog or leaves it
// to the agent. In the second case, calls that the dialog blocks return a [*BlockedError] at once. They go on in the
// page when the dialog is answered, and [Task.Resume] returns their results:
//
//	h, err := host.New(ctx, host.Options{}) // check err here and below
//	defer h.Close(ctx)
//	task, err := h.Launch(ctx, "shop", host.LaunchOptions{}, host.TaskOptions{})
//	_, err = task.Load(ctx, "https://shop.example", host.NavigateOptions{})
//	_, err = task.Click(ctx, host.Locator{Selector: "#delete"}, host.ClickOptions{})
//	var blocked *host.BlockedError
//	if errors.As(err, &blocked) { // the click opened a dialog
//		_, err = task.RespondDialog(ctx, host.DialogResponse{Accept: true})
//		result, err := task.Resume(ctx, blocked.CallID)
//	}
//
// A dialog that nobody answers is dismissed at its deadline. [ErrorKind] sorts all errors of this package.
package host
