// Package host drives Chromium for AI agents over the Chrome DevTools Protocol (CDP), and supervises it: it knows every
// tab, frame and dialog at any moment, and no call hangs because of a dialog.
//
// Five words are enough to use it:
//
//   - A [Host] owns the connections to browsers and the plugins. A program usually has one.
//   - A [Task] is one agent's share of a browser: its tabs, dialogs and console. [Host.Launch] starts a browser for a
//     task, and [Host.Attach] uses one that is already running.
//   - A [Tab] is a page or popup of a task; its methods read and act. [Task.Tab] takes its handle (t1), which never
//     changes, or nothing for the tab in use. A [Locator] names an element of it.
//   - A [Snapshot] is everything known about a task at one moment. [Task.Snapshot] returns it without waiting, and
//     [Task.Events] reports what changes.
//   - A plugin is a sandboxed WebAssembly module that decides for the host: how to answer a dialog, which frames
//     to show, whether to allow a navigation. It can also offer tools to agents.
//
// A page stops while it shows a dialog (alert, confirm, prompt, beforeunload). A plugin answers the dialog or leaves it
// to the agent. In the second case, calls that the dialog blocks return a [*BlockedError] at once. They go on in the
// page when the dialog is answered, and [Task.Resume] returns their results:
//
//	h, err := host.New(ctx, nil) // check err here and below
//	defer h.Close(ctx)
//	task, err := h.Launch(ctx, "shop", nil, nil)
//	tab := task.Tab("")
//	_, err = tab.Navigate(ctx, "https://shop.example", nil)
//	page, err := tab.Read(ctx, nil) // page.Text is for the model
//	_, err = tab.Click(ctx, host.ByRole("button", "Delete"), nil)
//	var blocked *host.BlockedError
//	if errors.As(err, &blocked) { // the click opened a dialog
//		_, err = task.RespondDialog(ctx, host.DialogResponse{Accept: true})
//		result, err := task.Resume(ctx, blocked.CallID)
//	}
//
// A dialog that nobody answers is dismissed at its deadline. Every method that fails returns an [*Error] with a [Code].
package host
