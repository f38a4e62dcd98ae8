package act

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// ActionOptions are the options of every action on an element. The zero value is valid.
type ActionOptions struct {
	// Force skips the checks that the element is visible, enabled, at rest and not covered.
	Force bool
	// WaitForHidden is a CSS selector: the action waits until no match of it is visible in any frame, for at most
	// HiddenTimeout and at most most of the time that the context gives.
	WaitForHidden string
	// HiddenTimeout is 5 s by default; the rest of the call's time is for the action.
	HiddenTimeout time.Duration
}

// ClickOptions says how an element is clicked.
type ClickOptions struct {
	ActionOptions
	// Double clicks twice.
	Double bool
	// Count is how many times in a row it is clicked, at most 3; 0: once, or twice with Double.
	Count int
	// Modifiers are keys that are held down meanwhile, as people write them: Control, ctrl, cmd, Shift, Alt.
	Modifiers []string
	// Button is the left one by default.
	Button MouseButton
}

// MouseButton is a button of the mouse.
type MouseButton string

// The buttons of the mouse.
const (
	ButtonLeft   MouseButton = "left"
	ButtonMiddle MouseButton = "middle"
	ButtonRight  MouseButton = "right"
)

// TypeOptions says how text is typed.
type TypeOptions struct {
	ActionOptions
	// Clear first removes what the field holds; without a locator, not what an editor holds, but what is selected there.
	Clear bool
	// Submit presses Enter afterwards, in the field or where the page has moved on in the same form. If something else
	// has the focus by then, Enter is not pressed, and the error is a [*NotDeliveredError].
	Submit bool
}

// PressOptions says where a key is pressed.
type PressOptions struct {
	ActionOptions
	// Locator is focused first; zero: the key goes to the focused element of the tab.
	Locator Locator
}

// ScrollOptions says what is scrolled, and how far.
type ScrollOptions struct {
	// Locator is where the wheel turns; zero: at At.
	Locator Locator
	// At is the point at which the wheel turns; nil: the middle of the viewport.
	At *Point
	// Direction is down by default.
	Direction Direction
	// Amount is in CSS pixels; zero: four fifths of the viewport's height, or width.
	Amount float64
}

// Direction is where to scroll.
type Direction string

// The directions in which to scroll.
const (
	ScrollDown  Direction = "down"
	ScrollUp    Direction = "up"
	ScrollLeft  Direction = "left"
	ScrollRight Direction = "right"
)

// TextOptions says what text is extracted from a page.
type TextOptions struct {
	// Locator is the element; zero: the documents of all frames; a frame alone: its document.
	Locator Locator
	// MaxChars is where the text is cut, in characters; default 65,536.
	MaxChars int
	// Offset is how many characters are left out at the beginning, to read on a text that was cut.
	Offset int
}

// Text is the visible text of an element or a page; untrusted.
type Text struct {
	Text string `json:"text"`
	// Chars is how many characters the text has in full.
	Chars int `json:"chars"`
	// Truncated says that it was cut at its end.
	Truncated bool `json:"truncated,omitempty"`
	// Filtered are the frames whose text is missing because the operator's frame filter took them from agents.
	Filtered []FrameNote `json:"filtered_frames,omitempty"`
	// Unresponsive are the frames whose text is missing because they did not answer.
	Unresponsive []string `json:"unresponsive_frames,omitempty"`
	// Loading says that the page, or a frame of it, was still loading, so that more text may come.
	Loading   bool   `json:"loading,omitempty"`
	Origin    string `json:"origin,omitempty"` // of the document
	Untrusted bool   `json:"untrusted"`        // always true
}

// WaitState is what [Tab.Wait] waits for.
type WaitState string

// The states of an element.
const (
	WaitVisible  WaitState = "visible"
	WaitHidden   WaitState = "hidden"   // or not present
	WaitAttached WaitState = "attached" // visible or not
	WaitDetached WaitState = "detached"
	WaitEnabled  WaitState = "enabled" // and visible
)

// ActionResult is what an action did, and what came of it.
type ActionResult struct {
	// Element is the role and the name of the element, escaped; untrusted.
	Element string `json:"element,omitempty"`
	// Navigated is the URL that the tab went to; untrusted.
	Navigated string `json:"navigated,omitempty"`
	// NavigationFailed says why the browser shows its error page in place of Navigated: who denied the navigation, or the
	// browser's error (net::ERR_...); it may quote the page, untrusted.
	NavigationFailed string `json:"navigation_failed,omitempty"`
	// Navigating is the URL that the tab was still loading when the action ended; untrusted.
	Navigating string `json:"navigating,omitempty"`
	// NotNavigated says why the tab did not leave its page; it may quote the page, untrusted.
	NotNavigated string `json:"not_navigated,omitempty"`
	// ExternalProtocol is an address of another program (tel:, zoommtg:) that the page asked for, at most 2 KiB of it;
	// untrusted.
	ExternalProtocol string `json:"external_protocol,omitempty"`
	// Note says how the page treated the action if that may not be what was wanted; it quotes the page, untrusted.
	Note string `json:"note,omitempty"`
	// Document is the document of the tab after [Tab.Back], [Tab.Forward] and [Tab.Reload]; nil if it did not answer.
	Document *Document `json:"document,omitempty"`
	// Dialogs are those that opened and were answered during the action.
	Dialogs []view.Dialog `json:"dialogs,omitempty"`
	// Downloads are those that the tab, or a tab that it opened, started.
	Downloads []view.Download `json:"downloads,omitempty"`
	// NewTabs are the tabs that opened. One that is already Closed was usually opened for a download.
	NewTabs []TabInfo `json:"new_tabs,omitempty"`
	// FileChooser says that the page asked for files; the chooser was canceled: use [Tab.Upload].
	FileChooser bool `json:"file_chooser,omitempty"`
	// Given is how many files an upload gave to the page.
	Given int `json:"given,omitempty"`
	// Dropped says that an upload dropped the files on its element, and that the page took them.
	Dropped bool `json:"dropped,omitempty"`
	// TabClosed says that the action closed its tab.
	TabClosed bool `json:"tab_closed,omitempty"`
	// Selected are the values that are selected in a select now.
	Selected []string `json:"selected,omitempty"`
	// Secret says that the text went into a field for a password, a code or the number of a card.
	Secret bool `json:"secret,omitempty"`
	// Checked is the state of a checkbox, radio or switch afterwards.
	Checked *bool `json:"checked,omitempty"`
	// Scrolled is what a turn of the wheel scrolled; nil if that cannot be said, as when the page was left.
	Scrolled *Scrolled `json:"scrolled,omitempty"`
}

// Scrolled is how far something was scrolled, and how far it can be scrolled from there in each direction, in CSS
// pixels.
type Scrolled struct {
	By    float64 `json:"by"`
	Up    float64 `json:"up"`
	Down  float64 `json:"down"`
	Left  float64 `json:"left"`
	Right float64 `json:"right"`
}

// Rest is how far it can be scrolled in a direction.
func (s Scrolled) Rest(d Direction) float64 {
	return map[Direction]float64{ScrollUp: s.Up, ScrollDown: s.Down, ScrollLeft: s.Left, ScrollRight: s.Right}[d]
}

// TabInfo is what is known about a tab or popup of a task.
type TabInfo struct {
	// Handle is t1, t2, ..., in the order in which the tabs opened; a handle is never reused.
	Handle   string `json:"handle"`
	TargetID string `json:"target_id"`
	URL      string `json:"url"`   // untrusted text
	Title    string `json:"title"` // untrusted text
	// Popup says that another page opened it.
	Popup   bool `json:"popup,omitempty"`
	Crashed bool `json:"crashed,omitempty"`
	// InUse says that calls that name no tab act on this one; see [view.Snapshot.Page].
	InUse bool `json:"in_use,omitempty"`
	// Closed says, of a tab that an action opened, that it has closed again. Its URL is the one it was opened with.
	Closed bool `json:"closed,omitempty"`
	// Failed says, of a tab that an action opened, why the host closed it, or as [ActionResult.NavigationFailed] why it
	// shows an error page; untrusted.
	Failed string `json:"failed,omitempty"`
}

// WaitUntil is how far a document is loaded.
type WaitUntil string

// How far a document is loaded.
const (
	// WaitCommit waits until the tab has the document, and asks nothing of it: only its URL is known.
	WaitCommit           WaitUntil = "commit"
	WaitDOMContentLoaded WaitUntil = "domcontentloaded"
	WaitLoad             WaitUntil = "load"
	// WaitNetworkIdle waits until the document has loaded, and for half a second in which neither it nor a frame of its
	// process asks for anything. If the page goes on to another document, that one counts.
	WaitNetworkIdle WaitUntil = "networkidle"
)

// NavigateOptions says how far the document must be loaded.
type NavigateOptions struct {
	// WaitUntil is load by default.
	WaitUntil WaitUntil
	// LoadLimit is how long the document has to reach load or domcontentloaded once it is there, and half of that once all
	// that has come is parsed. Then it is returned as it is, with Document.Loading. 0: as long as the call may take, after
	// which there is an error.
	LoadLimit time.Duration
	// KeepLastURL leaves [Pages.LastURL] unchanged.
	KeepLastURL bool
}

// Document is a document that was loaded.
type Document struct {
	URL   string `json:"url"`   // untrusted text
	Title string `json:"title"` // untrusted text
	// HTTPStatus is the status of the response; 0 if there was none, or the browser does not tell.
	HTTPStatus int `json:"http_status,omitempty"`
	// BrokenOff says that the response ended before the document did, which has what had arrived. It never is complete.
	BrokenOff bool `json:"broken_off,omitempty"`
	// Loading says that the document goes on loading after NavigateOptions.LoadLimit.
	Loading bool `json:"loading,omitempty"`
	// InputRecovered reports that the tab received no input before, because of a dialog of the browser itself, and that
	// the page that was there is lost: only leaving it closes such a dialog.
	InputRecovered bool `json:"input_recovered,omitempty"`
}

// Note says in words that the tab receives input again and what that cost; empty if it did not happen.
func (d Document) Note() string {
	if !d.InputRecovered {
		return ""
	}
	return "the tab received no input, because of a dialog of the browser's own; it receives input again, and the page that was there is lost"
}
