package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Tabs lists the tabs and popups of the task in the order in which they appeared. Their handles are accepted wherever
// this package takes a tab's id.
func (t *Task) Tabs() []Tab {
	return t.pages.Tabs()
}

// TitledTabs is Tabs with current titles. Chromium reports a title only together with other changes, so the known one
// is often that of the document's start. TitledTabs asks the browser for the titles, not the pages; if it does not
// answer soon, the known ones are returned. Errors: ErrDisconnected, ErrBrowserGone, ErrClosed and ErrTask, as the tabs
// are unknown then.
func (t *Task) TitledTabs(ctx context.Context) ([]Tab, error) {
	return t.pages.TitledTabs(ctx)
}

// OpenTab opens a tab for the task and returns once it is the tab in use. Its URL is still loading then; [Task.Load]
// with the tab's handle waits for it. Errors: ErrRefused for a URL whose scheme is not allowed, ErrEvaluateDisabled for
// one that would run script, ErrTask, ErrClosed, and the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (Tab, error) {
	return t.pages.OpenTab(ctx, url)
}

// FocusTab brings a tab to the front, by its handle or id, and makes it the tab in use. Errors: ErrUnknownTarget and
// those of [Task.CDP].
func (t *Task) FocusTab(ctx context.Context, tab string) (Tab, error) {
	return t.pages.FocusTab(ctx, tab)
}

// CloseTab closes a tab, by its handle or id, and returns when it is gone. The page's beforeunload handlers do not run.
// Errors: ErrUnknownTarget and those of [Task.CDP].
func (t *Task) CloseTab(ctx context.Context, tab string) (Tab, error) {
	return t.pages.CloseTab(ctx, tab)
}

// Navigate loads a URL in a tab of the task; an empty targetID means its first tab. It returns when the browser has
// committed the navigation, so that what follows sees the new document, not when the page has loaded. Errors:
// [ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED),
// [*NavigationDeniedError] if a plugin denied the URL or one that it redirects to, ErrRefused if its scheme is not
// allowed (see [Options.AllowSchemes]), [*BlockedError] as soon as a dialog holds the tab, ErrTargetCrashed,
// ErrTargetGone, ErrDisconnected, and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	return t.pages.Navigate(ctx, targetID, url)
}

// Type clicks a field and types a text into it, key by key as on a US keyboard. Characters that the keyboard lacks,
// such as emoji, and texts of more than 500 bytes are inserted as by an input method. A line feed is the Enter key.
// Fields for dates, times, colours and ranges get their value as a whole. Errors: as for [Task.Click].
func (t *Task) Type(ctx context.Context, l Locator, text string, o TypeOptions) (ActionResult, error) {
	return t.pages.Type(ctx, l, text, o)
}

// Press presses a key, optionally with modifiers: Enter, a, Control+A, Shift+Tab. Errors: as for [Task.Click];
// ErrBadCall lists the keys.
func (t *Task) Press(ctx context.Context, key string, o PressOptions) (ActionResult, error) {
	return t.pages.Press(ctx, key, o)
}

// Select selects the options of a select element by their values or labels; the result has the values that are then
// selected. Errors: as for [Task.Click], and [*OptionError].
func (t *Task) Select(ctx context.Context, l Locator, values []string, o ActionOptions) (ActionResult, error) {
	return t.pages.Select(ctx, l, values, o)
}

// Upload gives files, by their paths on the browser's machine, to a file input, to its label, or to an element that
// opens a file chooser when clicked. Errors: as for [Task.Click]; ErrBadCall for a path that is not a regular file, and
// ErrRefused for one that is outside [Options.UploadRoots] or within [Options.Private].
func (t *Task) Upload(ctx context.Context, l Locator, paths []string, o ActionOptions) (ActionResult, error) {
	return t.pages.Upload(ctx, l, paths, o)
}

// ExtractText returns the visible text of an element, or of the whole page in all its frames. Frames that do not answer
// within 1.5 s are left out and named; if none answers, the error is a [*RendererBusyError]. Errors: as for
// [Task.Click].
func (t *Task) ExtractText(ctx context.Context, o TextOptions) (Text, error) {
	return t.pages.ExtractText(ctx, o)
}

// WaitFor waits until an element or a text is in the given state, in any frame. Errors: [*WaitError] when the time is
// over, [*RendererBusyError] if the page did not answer then, ErrBadCall, and those of [Task.Click].
func (t *Task) WaitFor(ctx context.Context, o WaitOptions) error {
	return t.pages.WaitFor(ctx, o)
}

// Click clicks an element as a person would, with real mouse events. The element is scrolled into view and must be
// visible, enabled, at rest and not covered; Click waits for that, and for the element to appear, for most of its time.
// It returns with the observed effects.
//
// The errors of all actions: [*NotActionableError], which says what is in the way, [*NotDeliveredError], ErrNoElement,
// ErrUnknownRef, [*StaleRefError], ErrBadCall, [*WaitError], and those of [Task.Evaluate]: a [*BlockedError] as soon as
// a dialog holds the tab, with the CallID by which [Task.Resume] returns the [ActionResult] once the dialog is
// answered; a [*DeliveredError] likewise; [*StoppedError]; [*RendererBusyError]; and so on.
func (t *Task) Click(ctx context.Context, l Locator, o ClickOptions) (ActionResult, error) {
	return t.pages.Click(ctx, l, o)
}

// Hover moves the pointer onto an element. Errors: as for [Task.Click].
func (t *Task) Hover(ctx context.Context, l Locator, o ActionOptions) (ActionResult, error) {
	return t.pages.Hover(ctx, l, o)
}

// Check clicks a checkbox, a radio button, a switch or its label, unless it is in the given state already. Errors: as
// for [Task.Click]; an element whose state does not change is a [*NotActionableError].
func (t *Task) Check(ctx context.Context, l Locator, on bool, o ActionOptions) (ActionResult, error) {
	return t.pages.Check(ctx, l, on, o)
}

// Drag presses the mouse button on one element, moves to another and releases it there; both are in one tab. An HTML
// drag and drop, which carries data, is dropped as well. Errors: as for [Task.Click].
func (t *Task) Drag(ctx context.Context, from, to Locator, o ActionOptions) (ActionResult, error) {
	return t.pages.Drag(ctx, from, to, o)
}

// Scroll turns the mouse wheel and returns when the page is at rest again. Errors: as for [Task.Click].
func (t *Task) Scroll(ctx context.Context, o ScrollOptions) (ActionResult, error) {
	return t.pages.Scroll(ctx, o)
}

// Download clicks an element and saves the resulting file in a directory, under the name that the page suggests, made
// safe and never that of an existing file. It returns when the file is complete; when its time is over, the download is
// canceled. The file may come from any frame, or from a tab that the click opens for it. The browser must run on this
// machine. While Download waits, other files that the same browser context downloads are saved in the directory, too.
// Errors: as for [Task.Click]; ErrDownload if the click gave no file, or it was not completed.
func (t *Task) Download(ctx context.Context, o DownloadOptions) (Download, error) {
	return t.pages.Download(ctx, o)
}

// Load loads a URL in a tab and waits until the document has reached the state in NavigateOptions.WaitUntil. Errors:
// those of [Task.Navigate]; ErrNavigate says so if a beforeunload dialog was dismissed or the URL is a download. A
// [*BlockedError] has the CallID by which [Task.Resume] returns the [Document] later.
func (t *Task) Load(ctx context.Context, url string, o NavigateOptions) (Document, error) {
	return t.pages.Load(ctx, url, o)
}

// Back goes back one page in a tab's history. It also repairs a tab that gets no input. targetID may be a handle;
// empty: the tab in use. Errors: as for [Task.Click]; ErrNavigate if there is no such page.
func (t *Task) Back(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	return t.pages.Back(ctx, targetID, o)
}

// Forward goes forward one page in a tab's history, like [Task.Back], but does not repair the tab: leaving the page for
// another would lose the next one.
func (t *Task) Forward(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	return t.pages.Forward(ctx, targetID, o)
}

// Reload reloads the page of a tab. It revives a tab whose renderer crashed, and repairs one that gets no input.
func (t *Task) Reload(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	return t.pages.Reload(ctx, targetID, o)
}

// Images lists the images of a tab, in all frames and shadow roots, frame by frame in document order; an empty targetID
// is the tab in use. Frames that do not answer are left out. Data URLs are shortened to their type, and possible
// secrets in URLs are removed. Errors: those of [Task.ReadPage], a [*BlockedError], and a [*RendererBusyError] if the
// page does not answer.
func (t *Task) Images(ctx context.Context, targetID string) ([]Image, error) {
	return t.pages.Images(ctx, targetID)
}

// ResolveRef says where the element of a ref (e5 or @e5) is. It does not ask the browser: it uses the last reading and
// the documents that exist now. Errors: [ErrUnknownRef], and a [*StaleRefError] for an element that the last reading
// did not find or whose document is gone.
func (t *Task) ResolveRef(ref string) (ElementRef, error) {
	return t.pages.ResolveRef(ref)
}

// Refs lists the elements that have a ref and were present when their frame was last read, in the order in which they
// got their refs. It does not ask the browser.
func (t *Task) Refs() []ElementRef {
	return t.pages.Refs()
}

// ReadPage reads a page, in all frames and shadow roots, as text for a model, with refs for the elements that can be
// acted on.
//
// While a dialog holds the page, or its main thread does not answer, it returns the last known reading, marked as
// stale. It waits only a moment for a frame of another process, and notes one that does not answer. Errors:
// [ErrBadCall] for options that make no sense, [ErrUnknownRef] and [*StaleRefError] for the scope, [ErrUnknownTarget],
// [ErrTargetCrashed], [ErrTargetGone], [ErrDisconnected], [ErrClosed], and a [*StoppedError] when the context or the
// timeout ends.
func (t *Task) ReadPage(ctx context.Context, o ReadOptions) (*Reading, error) {
	return t.pages.ReadPage(ctx, o)
}

// Screenshot takes a PNG picture of a tab: of its viewport, of the whole page, or of one element, which is scrolled
// into view. Annotate draws the boxes and numbers of what can be acted on onto the picture, without touching the page.
// Errors: those of [Task.ReadPage], a [*BlockedError] while a dialog holds the page, a [*RendererBusyError] if it does
// not answer, [ErrHidden], and [ErrTooLarge].
func (t *Task) Screenshot(ctx context.Context, o ScreenshotOptions) (Screenshot, error) {
	return t.pages.Screenshot(ctx, o)
}

// Evaluate runs a JavaScript expression in a frame and returns its value. The expression is run once, or not at all.
//
// It ends at once with a [*BlockedError] when a dialog holds the tab: the expression goes on in the page, and
// [Task.Resume] returns its value. When the context or the timeout ends, a running script is terminated and a pending
// promise is left alone; the [*StoppedError] says which. An expression is sent only to a page whose main thread
// answers; a [*RendererBusyError] says that nothing was run and what keeps the thread busy. Other errors:
// [*EvaluateError] for an exception, [*NotSerialisableError], [ErrTooLarge], [ErrUnknownFrame], [ErrUnknownTarget],
// [ErrNoElement], [ErrUnknownRef], a [*StaleRefError], [ErrFrameGone], [ErrTargetCrashed], [ErrTargetGone],
// [ErrDisconnected], [ErrClosed], [ErrEvaluateDisabled], [*ProtocolError]. [ErrorKind] classifies them.
func (t *Task) Evaluate(ctx context.Context, expression string, o EvaluateOptions) (Evaluation, error) {
	return t.pages.Evaluate(ctx, expression, o)
}

// LastURL returns the URL of the last page that [Task.Load] loaded in a tab of the task, of the tasks that it
// followed, and of earlier browsers with its profile directory; empty if there is none. HTTP errors (status 400 and
// above), failed navigations, and documents that are not of a site or file, such as about:blank, do not count. It is
// untrusted text: a site may have redirected there.
func (t *Task) LastURL() string {
	return t.pages.LastURL()
}

// CheckURL reports whether the task may load a URL; every way of loading one checks it as well. Errors: ErrRefused
// for a scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for an incomplete
// URL.
func (t *Task) CheckURL(address string) error { return t.host.rules.MayLoad(address) }

// IsPlainURL reports whether loading a URL runs no script except a site's own: its scheme is http:, https: or file:,
// or it is about:blank. If [Options.EvaluateDisabled] is set, no other URL is loaded for an agent: javascript: URLs run
// in the page being left, and data: and blob: URLs bring their own script. Whether the scheme is allowed at all is a
// matter of [Options.AllowSchemes].
func IsPlainURL(address string) bool { return scheme.Plain(address) }
