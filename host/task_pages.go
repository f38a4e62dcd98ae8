package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// Tabs lists the tabs and popups of the task in the order in which they came. Their handles are taken wherever this package
// takes the id of a tab to act on.
func (t *Task) Tabs() []Tab {
	return t.pages.Tabs()
}

// TitledTabs is Tabs with the titles of now. Chromium tells of a title only together with something else, so that what is
// known is often that of the moment in which the document began: it is asked for them, and no page is. Where it does not
// answer soon they are those that are known. Errors: ErrDisconnected, ErrBrowserGone, ErrClosed and ErrTask, as nobody knows
// then which tabs there are.
func (t *Task) TitledTabs(ctx context.Context) ([]Tab, error) {
	return t.pages.TitledTabs(ctx)
}

// OpenTab opens a tab that belongs to the task, and returns when it is the one in use. Its address is loaded then; [Task.Load] with
// the tab's handle waits for it. Errors: ErrRefused for an address whose scheme is not allowed,
// ErrEvaluateDisabled for one that would run script, ErrTask, ErrClosed, and the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (Tab, error) {
	return t.pages.OpenTab(ctx, url)
}

// FocusTab brings a tab to the front, by its handle or id, and makes it the one in use. Errors: ErrUnknownTarget and those of
// [Task.CDP].
func (t *Task) FocusTab(ctx context.Context, tab string) (Tab, error) {
	return t.pages.FocusTab(ctx, tab)
}

// CloseTab closes a tab, by its handle or id, and returns when it is gone. A page that asks before it is left is not asked.
// Errors: ErrUnknownTarget and those of [Task.CDP].
func (t *Task) CloseTab(ctx context.Context, tab string) (Tab, error) {
	return t.pages.CloseTab(ctx, tab)
}

// Navigate loads an address in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that what follows meets the new document, not when the page has loaded. Errors:
// [ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED), [*NavigationDeniedError]
// where a plugin denied the address, or one that it redirects to, ErrRefused where its scheme is not allowed (see
// [Options.AllowSchemes]), [*BlockedError] as soon as a dialog holds the tab, ErrTargetCrashed, ErrTargetGone, ErrDisconnected,
// and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	return t.pages.Navigate(ctx, targetID, url)
}

// Type clicks a field and types a text into it, key by key as on a US keyboard; what that does not have, such as emoji, is
// put in as an input method does, and so is a text of more than 500 bytes as a whole. A line feed is the Enter key. Fields for
// dates, times, colours and ranges get their value as a whole. Errors: as [Task.Click].
func (t *Task) Type(ctx context.Context, l Locator, text string, o TypeOptions) (Acted, error) {
	return t.pages.Type(ctx, l, text, o)
}

// Press presses a key, with modifiers where they stand before it: Enter, a, Control+A, Shift+Tab. Errors: as [Task.Click];
// ErrBadCall names the keys.
func (t *Task) Press(ctx context.Context, key string, o PressOptions) (Acted, error) {
	return t.pages.Press(ctx, key, o)
}

// Select selects the options of a select by their values or labels; the result has the values that are selected then. Errors:
// as [Task.Click], and [*OptionError].
func (t *Task) Select(ctx context.Context, l Locator, values []string, o ActOptions) (Acted, error) {
	return t.pages.Select(ctx, l, values, o)
}

// Upload gives files, by their paths on the browser's machine, to a file input, its label, or what opens a file chooser when
// it is clicked. Errors: as [Task.Click]; ErrBadCall for a path that is no regular file, ErrRefused for one outside of
// [Options.UploadRoots] or in [Options.Private].
func (t *Task) Upload(ctx context.Context, l Locator, paths []string, o ActOptions) (Acted, error) {
	return t.pages.Upload(ctx, l, paths, o)
}

// ExtractText gives the text of an element, or of the whole page in all its frames, as it is seen. Frames that do not answer
// within 1.5 s are left out and named; where none does, it is a [*RendererBusyError]. Errors: as [Task.Click].
func (t *Task) ExtractText(ctx context.Context, o ExtractOptions) (Extracted, error) {
	return t.pages.ExtractText(ctx, o)
}

// WaitFor waits until an element, or a text, is there in the state that is wanted, in any frame. Errors: [*WaitError] when the
// time is over, a [*RendererBusyError] where the page did not answer then, ErrBadCall, and those of [Task.Click].
func (t *Task) WaitFor(ctx context.Context, o WaitOptions) error {
	return t.pages.WaitFor(ctx, o)
}

// Click clicks an element as a person would: it is scrolled into view, has to be visible, enabled, at rest and not covered
// (Click waits for that, and for the element to come, most of the time that it has), and gets real mouse events. It returns
// with what came of it.
//
// The errors of all actions: [*NotActionableError] with what is in the way, [*NotDeliveredError], ErrNoElement, ErrUnknownRef, [*StaleRefError],
// ErrBadCall, [*WaitError], and those of [Task.Evaluate]: a [*BlockedError] as soon as a dialog holds the tab, with the CallID
// by which [Task.Resume] gives the [Acted] once it was answered, a [*DeliveredError] likewise, [*StoppedError], [*RendererBusyError], and so on.
func (t *Task) Click(ctx context.Context, l Locator, o ClickOptions) (Acted, error) {
	return t.pages.Click(ctx, l, o)
}

// Hover moves the pointer onto an element. Errors: as [Task.Click].
func (t *Task) Hover(ctx context.Context, l Locator, o ActOptions) (Acted, error) {
	return t.pages.Hover(ctx, l, o)
}

// Check clicks a checkbox, a radio button, a switch or the label of one, unless it is in that state already. Errors: as
// [Task.Click]; an element that stays as it was is a [*NotActionableError].
func (t *Task) Check(ctx context.Context, l Locator, on bool, o ActOptions) (Acted, error) {
	return t.pages.Check(ctx, l, on, o)
}

// Drag presses on one element, moves to another and releases there; both are in one tab. A drag that carries data, as HTML's
// drag and drop does, is dropped, too. Errors: as [Task.Click].
func (t *Task) Drag(ctx context.Context, from, to Locator, o ActOptions) (Acted, error) {
	return t.pages.Drag(ctx, from, to, o)
}

// Scroll turns the mouse wheel, and returns when the page is at rest again. Errors: as [Task.Click].
func (t *Task) Scroll(ctx context.Context, o ScrollOptions) (Acted, error) {
	return t.pages.Scroll(ctx, o)
}

// Download clicks an element and keeps the file that it gives in a folder, under the name that the page suggests, made safe
// and never that of a file which is there already. It returns when the file is complete; at the end of its time the browser
// gives the file up. The file may come from any frame, and from a tab that the click opens for it. The browser has to run on
// this machine. While it waits, other files that the same browser context gets are put into the folder, too. Errors: as
// [Task.Click]; ErrDownload where no file came of the click, or it was not completed.
func (t *Task) Download(ctx context.Context, o DownloadOptions) (Download, error) {
	return t.pages.Download(ctx, o)
}

// Load loads an address in a tab and waits until the document is as far as LoadOptions.WaitUntil says. Errors: those of
// [Task.Navigate]; where a beforeunload dialog was dismissed, or the address is a download, the ErrNavigate says so. A
// [*BlockedError] has the CallID by which [Task.Resume] gives the [Loaded] later.
func (t *Task) Load(ctx context.Context, url string, o LoadOptions) (Loaded, error) {
	return t.pages.Load(ctx, url, o)
}

// Back goes to the page before the one that a tab shows, and mends a tab that got no input; targetID may be a handle, and is empty for the tab in use. Errors: as
// [Task.Click]; ErrNavigate where there is no such page.
func (t *Task) Back(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.pages.Back(ctx, targetID, o)
}

// Forward goes to the page after the one that a tab shows, likewise, but mends none: to leave the page for another would lose
// the one after it.
func (t *Task) Forward(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.pages.Forward(ctx, targetID, o)
}

// Reload loads the page of a tab again, likewise. It revives a tab whose renderer crashed, and mends one that got no input.
func (t *Task) Reload(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.pages.Reload(ctx, targetID, o)
}

// Images lists the images of a tab, in all frames and shadow roots, frame by frame in the order of the documents; an empty
// targetID is the tab in use. Of a frame that does not answer there are none. Data addresses are cut to their kind,
// and what could be a secret in an address is left out. Errors are those of [Task.ReadPage], a [*BlockedError],
// and a [*RendererBusyError] where the page does not answer.
func (t *Task) Images(ctx context.Context, targetID string) ([]Image, error) {
	return t.pages.Images(ctx, targetID)
}

// ResolveRef tells where the element of a ref is: e5, or @e5. It asks nothing of the browser: what it knows is the last
// reading, and which documents there are now. Errors: [ErrUnknownRef], and a [*StaleRefError] for an element that the last
// reading did not meet, or whose document is gone.
func (t *Task) ResolveRef(ref string) (ElementRef, error) {
	return t.pages.ResolveRef(ref)
}

// Refs lists the elements that have a ref and were there when their frame was read last, in the order in which they got
// theirs. It asks nothing of the browser, like [Task.ResolveRef].
func (t *Task) Refs() []ElementRef {
	return t.pages.Refs()
}

// ReadPage reads a page in all frames and shadow roots, as text that a model reads, with refs for what can be acted on.
//
// While a dialog holds the page, or its main thread does not answer, it returns what was last known of it, marked as stale.
// A frame of another process that does not answer is waited for a moment only, and noted. Errors: [ErrBadCall] for options
// that make no sense, [ErrUnknownRef] and a [*StaleRefError] for the scope, [ErrUnknownTarget], [ErrTargetCrashed],
// [ErrTargetGone], [ErrDisconnected], [ErrClosed], and a [*StoppedError] at the end of the context or of the timeout.
func (t *Task) ReadPage(ctx context.Context, o ReadOptions) (*PageReading, error) {
	return t.pages.ReadPage(ctx, o)
}

// Screenshot takes a picture of a tab as a PNG: of what its viewport shows, of the whole page, or of one element, which is
// scrolled into view. With Annotate the boxes and the numbers of what can be acted on are drawn on the picture; the page is
// not touched by that. Errors are those of [Task.ReadPage], a [*BlockedError] while a dialog holds the page, a
// [*RendererBusyError] where it does not answer, [ErrHidden],
// and [ErrTooLarge].
func (t *Task) Screenshot(ctx context.Context, o ScreenshotOptions) (Screenshot, error) {
	return t.pages.Screenshot(ctx, o)
}

// Evaluate runs a JavaScript expression in a frame and returns its value. The expression is run once, or not at all.
//
// It ends at once with a [*BlockedError] when a dialog holds the tab: the expression goes on in the page, and
// [Task.Resume] gives its value. At the end of the context or of the timeout, script that still runs is terminated, and a
// promise that is still pending is left alone: the [*StoppedError] says which. An expression is only sent to a page whose
// main thread answers; a [*RendererBusyError] says that nothing was run and what keeps the thread busy. Other errors:
// [*EvaluateError] for an exception, [*NotSerialisableError], [ErrTooLarge], [ErrUnknownFrame], [ErrUnknownTarget],
// [ErrNoElement], [ErrUnknownRef], a [*StaleRefError], [ErrFrameGone], [ErrTargetCrashed], [ErrTargetGone], [ErrDisconnected], [ErrClosed],
// [ErrEvaluateDisabled], [*ProtocolError]. [ErrorKind] sorts them.
func (t *Task) Evaluate(ctx context.Context, expression string, o EvaluateOptions) (Evaluation, error) {
	return t.pages.Evaluate(ctx, expression, o)
}

// LastAddress is the address of the last page to which [Task.Load] brought a tab of the task, of its former lives, and of
// the browsers that had its profile folder before; empty where there was none. An answer of the server's with a status from
// 400 on, a navigation that failed, and what is no page of a site or file, as about:blank, leave it as it was. It is
// untrusted text: a site may have redirected there.
func (t *Task) LastAddress() string {
	return t.pages.LastAddress()
}

// CheckAddress tells whether the task may load an address; every way to load one asks it as well. Errors: ErrRefused for a
// scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for what is no whole address.
func (t *Task) CheckAddress(address string) error { return t.host.rules.MayLoad(address) }

// PlainAddress tells whether loading an address runs no script but that of a site: it is http:, https:, file: or about:blank.
// Where [Options.EvaluateDisabled] is set no other is loaded for an agent. javascript: addresses run in the page
// that is left, data: and blob: bring their own. Whether it is loaded at all is [Options.AllowSchemes]'s matter.
func PlainAddress(address string) bool { return scheme.Plain(address) }
