package fault

import "strings"

// RendererBusyError says that the main thread of a page did not answer in time. Nothing was run. It matches
// [ErrRendererBusy] and the error of the context.
type RendererBusyError struct {
	// TargetID is the tab whose main thread it is.
	TargetID string
	// BusyTab is the tab whose call keeps the thread busy: TargetID itself or one of Siblings. If it is empty, no call of
	// this task does: the page itself or a sibling runs the script.
	BusyTab string
	// CallID is the id of that call, if its caller was told that the page is busy ([DeliveredError]).
	CallID string
	// Siblings are the other tabs of the task that share the thread.
	Siblings []string
	// Elsewhere says that a call of another task keeps the thread busy.
	Elsewhere bool

	Cause   error
	Ending  bool              // the call that keeps the thread busy has run out of time
	Acted   bool              // the call had sent input before
	Handles map[string]string // handles of the tabs by id
}

// Error names what keeps the thread busy, and what can be done.
func (e *RendererBusyError) Error() string {
	text := ErrRendererBusy.Error()
	if !e.Acted {
		text += " and nothing was run"
	}
	if e.CallID != "" {
		return text + ": " + e.why() + " (" + e.CallID + "); wait for it, end it, load another page or close the tab"
	}
	return text + ": " + e.why() + "; wait, load another page, close the tab, or end the script with Runtime.terminateExecution"
}

func (e *RendererBusyError) why() string {
	switch {
	case e.BusyTab == e.TargetID && e.BusyTab != "" && e.Ending:
		return "the script of a call that ran out of time is being terminated in this tab"
	case e.BusyTab == e.TargetID && e.BusyTab != "":
		return "another call is still running in this tab"
	case e.BusyTab != "":
		return "a call is still running in the tab " + e.tab(e.BusyTab) + ", which shares its process"
	case e.Elsewhere:
		return "a call of another task is still running in its process"
	case len(e.Siblings) > 0:
		names := make([]string, len(e.Siblings))
		for i, id := range e.Siblings {
			names[i] = e.tab(id)
		}
		return "most likely a script of the page is running, or one of a tab that shares its process: " + strings.Join(names, ", ")
	}
	return "most likely a script of the page is running"
}

// tab returns the handle and the id of a tab.
func (e *RendererBusyError) tab(id string) string {
	if handle := e.Handles[id]; handle != "" {
		return handle + " (" + id + ")"
	}
	return id
}

// BusyElsewhere reports whether a call in another tab keeps the thread busy.
func (e *RendererBusyError) BusyElsewhere() bool {
	return e.Elsewhere || e.BusyTab != "" && e.BusyTab != e.TargetID
}

// Unwrap returns [ErrRendererBusy] and the error of the context.
func (e *RendererBusyError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrRendererBusy}
	}
	return []error{ErrRendererBusy, e.Cause}
}
