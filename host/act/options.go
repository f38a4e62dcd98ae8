package act

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Locator names an element by exactly one of Ref and Selector.
type Locator struct {
	// Ref is a ref from a reading of the page, such as e5 or @e5.
	Ref string `json:"ref,omitempty"`
	// Selector is a CSS selector, of which the first match is taken: one in the document, or else in its shadow roots,
	// open and closed, each before those within it. A selector does not cross shadow boundaries: all of a match is within
	// one root.
	Selector string `json:"selector,omitempty"`
	// FrameID is the frame in which a selector is searched; empty: all frames of the tab, the top one first.
	FrameID string `json:"frame_id,omitempty"`
	// TargetID is the tab; empty: the one in use.
	TargetID string `json:"target_id,omitempty"`
}

// ActionOptions are the options of every action on an element. The zero value is valid.
type ActionOptions struct {
	// Force skips the checks that the element is visible, enabled, at rest and not covered.
	Force bool `json:"force,omitempty"`
	// WaitForHidden is a CSS selector: the action waits until no match of it is visible in any frame, for at most
	// HiddenTimeout and at most the timeout.
	WaitForHidden string `json:"wait_for_hidden,omitempty"`
	// HiddenTimeout is 5 s by default.
	HiddenTimeout time.Duration `json:"hidden_timeout_ns,omitempty"`
	// Timeout bounds the action as the context does. Zero: the context alone.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// ClickOptions says how an element is clicked.
type ClickOptions struct {
	ActionOptions
	// Double clicks twice.
	Double bool `json:"double,omitempty"`
	// Button is left, middle or right; default left.
	Button string `json:"button,omitempty"`
}

// TypeOptions says how text is typed.
type TypeOptions struct {
	ActionOptions
	// Clear first removes what the field holds.
	Clear bool `json:"clear,omitempty"`
	// Submit presses Enter afterwards.
	Submit bool `json:"submit,omitempty"`
}

// PressOptions says where a key is pressed.
type PressOptions struct {
	ActionOptions
	// Locator is focused first; zero: the key goes to the focused element of the tab that its TargetID names.
	Locator Locator `json:"locator,omitzero"`
}

// ScrollOptions says what is scrolled, and how far.
type ScrollOptions struct {
	// Locator is where the wheel turns; without a ref and a selector: the middle of the viewport.
	Locator Locator `json:"locator,omitzero"`
	// Direction is up, down, left or right; default down.
	Direction string `json:"direction,omitempty"`
	// Amount is in CSS pixels; zero: four fifths of the viewport's height, or width.
	Amount float64 `json:"amount,omitempty"`
	// Timeout is as in [ActionOptions].
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// TextOptions says what text is extracted from a page.
type TextOptions struct {
	// Locator is the element; without a ref and a selector: the documents of all frames, or of FrameID.
	Locator Locator `json:"locator,omitzero"`
	// MaxChars is where the text is cut, in characters; default 65,536.
	MaxChars int `json:"max_chars,omitempty"`
	// Timeout is as in [ActionOptions].
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// Text is the visible text of an element or a page; untrusted.
type Text struct {
	Text string `json:"text"`
	// Chars is how many characters the text had before it was cut.
	Chars int `json:"chars"`
	// Truncated says that it was cut.
	Truncated bool `json:"truncated,omitempty"`
	// Unresponsive are the frames whose text is missing because they did not answer.
	Unresponsive []string `json:"unresponsive_frames,omitempty"`
	Origin       string   `json:"origin,omitempty"` // of the document
	Untrusted    bool     `json:"untrusted"`        // always true
}

// WaitState is what [Task.WaitFor] waits for.
type WaitState string

// The states of an element.
const (
	WaitVisible  WaitState = "visible"
	WaitHidden   WaitState = "hidden"   // or not present
	WaitAttached WaitState = "attached" // visible or not
	WaitDetached WaitState = "detached"
)

// WaitOptions says what to wait for: exactly one of Selector and Text.
type WaitOptions struct {
	// Selector is a CSS selector as in [Locator].
	Selector string `json:"selector,omitempty"`
	// Text is a part of the visible text; runs of white space count as one space.
	Text string `json:"text,omitempty"`
	// State is visible by default; a text can only be visible or hidden.
	State WaitState `json:"state,omitempty"`
	// FrameID and TargetID are as in [Locator].
	FrameID  string `json:"frame_id,omitempty"`
	TargetID string `json:"target_id,omitempty"`
	// Timeout is as in [ActionOptions]; zero, without a deadline of the context: 30 s.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// ActionResult is what an action did, and what came of it.
type ActionResult struct {
	// Element is the role and the name of the element, escaped; untrusted.
	Element string `json:"element,omitempty"`
	// Navigated is the URL that the tab went to; untrusted.
	Navigated string `json:"navigated,omitempty"`
	// Navigating is the URL that the tab was still loading when the action ended; untrusted.
	Navigating string `json:"navigating,omitempty"`
	// NotNavigated says why the tab did not leave its page.
	NotNavigated string `json:"stayed,omitempty"`
	// Note says how the page treated the action if that may not be what was wanted; it quotes the page, untrusted.
	Note string `json:"note,omitempty"`
	// Document is the document of the tab after [Task.Back], [Task.Forward] and [Task.Reload]; nil if it did not answer.
	Document *Document `json:"loaded,omitempty"`
	// Dialogs are those that opened and were answered during the action.
	Dialogs []view.Dialog `json:"dialogs,omitempty"`
	// Downloads are those that started.
	Downloads []Download `json:"downloads,omitempty"`
	// NewTabs are the tabs that opened. One that is already Closed was usually opened for a download.
	NewTabs []Tab `json:"new_tabs,omitempty"`
	// FileChooser says that the page asked for files; the chooser was canceled: use [Task.Upload].
	FileChooser bool `json:"file_chooser,omitempty"`
	// TabClosed says that the action closed its tab.
	TabClosed bool `json:"tab_closed,omitempty"`
	// Selected are the values that are selected in a select now.
	Selected []string `json:"selected,omitempty"`
	// Checked is the state of a checkbox, radio or switch afterwards.
	Checked *bool `json:"checked,omitempty"`
}

// Download is a file that a page offered.
type Download struct {
	// URL is where the file comes from, without its query; Name is what the page suggests; both are untrusted.
	URL  string `json:"url"`
	Name string `json:"name"`
	// Path is where the file was put; empty if it was not kept.
	Path string `json:"path,omitempty"`
	// Bytes is its size once it is complete.
	Bytes int64 `json:"bytes,omitempty"`
	// State is the state of the download.
	State string `json:"state"`
}

// Tab is a tab or popup of a task.
type Tab struct {
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
}

// WaitUntil is how far a document is loaded.
type WaitUntil string

// How far a document is loaded.
const (
	WaitCommit           WaitUntil = "commit"
	WaitDOMContentLoaded WaitUntil = "domcontentloaded"
	WaitLoad             WaitUntil = "load"
	WaitNetworkIdle      WaitUntil = "networkidle"
)

// NavigateOptions says which tab navigates, and how long to wait.
type NavigateOptions struct {
	// TargetID is the tab; empty: the one in use.
	TargetID string `json:"target_id,omitempty"`
	// WaitUntil is load by default.
	WaitUntil WaitUntil `json:"wait_until,omitempty"`
	// Timeout is as in [ActionOptions].
	Timeout time.Duration `json:"timeout_ns,omitempty"`
	// KeepLastURL leaves [Task.LastURL] unchanged.
	KeepLastURL bool `json:"unnoted,omitempty"`
}

// Document is a document that was loaded.
type Document struct {
	URL   string `json:"url"`   // untrusted text
	Title string `json:"title"` // untrusted text
	// HTTPStatus is the status of the response; 0 if there was none, or the browser does not tell.
	HTTPStatus int `json:"http_status,omitempty"`
	// InputRecovered reports that the tab received no input before, because of a dialog of the browser itself, and that
	// the page that was there is lost: only leaving it closes such a dialog.
	InputRecovered bool `json:"mended,omitempty"`
}

// DownloadOptions says what [Task.Download] downloads: the file that a click on Locator produces.
type DownloadOptions struct {
	Locator Locator `json:"locator,omitzero"`
	// Dir is the directory for the file; it must exist.
	Dir string `json:"dir,omitempty"`
	// Timeout is as in [ActionOptions].
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}
