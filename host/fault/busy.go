package fault

import "strings"

// RendererBusyError says that the main thread of a page did not answer in time. Nothing was run. It is [ErrRendererBusy],
// and the context's error.
type RendererBusyError struct {
	// TargetID is the tab whose main thread it is.
	TargetID string
	// BusyTab is the tab whose call keeps the thread busy: TargetID itself or one of Siblings. Empty: no call of this task
	// does, so it is a script of the page's own, or of a sibling's.
	BusyTab string
	// CallID is that of the call, where its caller was told that the page is busy ([DeliveredError]).
	CallID string
	// Siblings are the other tabs of the task that share the thread.
	Siblings []string
	// Elsewhere says that a call of another task keeps the thread busy.
	Elsewhere bool

	Cause   error
	Ending  bool              // the time of the call that keeps the thread busy is over
	Acted   bool              // something had been done before
	Handles map[string]string // of the tabs
}

// Error names the culprit, and what can be done.
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
		return "the script of a call whose time is over is being ended in this tab"
	case e.BusyTab == e.TargetID && e.BusyTab != "":
		return "another call still runs in this tab"
	case e.BusyTab != "":
		return "a call still runs in the tab " + e.tab(e.BusyTab) + ", which shares its process"
	case e.Elsewhere:
		return "a call of another task still runs in its process"
	case len(e.Siblings) > 0:
		names := make([]string, len(e.Siblings))
		for i, id := range e.Siblings {
			names[i] = e.tab(id)
		}
		return "a script of the page's own runs, or one of the tabs that share its process: " + strings.Join(names, ", ")
	}
	return "a script of the page's own runs"
}

// tab is the handle of a tab, and its id.
func (e *RendererBusyError) tab(id string) string {
	if handle := e.Handles[id]; handle != "" {
		return handle + " (" + id + ")"
	}
	return id
}

// BusyElsewhere tells whether a call in another tab keeps the thread busy.
func (e *RendererBusyError) BusyElsewhere() bool {
	return e.Elsewhere || e.BusyTab != "" && e.BusyTab != e.TargetID
}

// Unwrap gives [ErrRendererBusy] and the context's error.
func (e *RendererBusyError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrRendererBusy}
	}
	return []error{ErrRendererBusy, e.Cause}
}
