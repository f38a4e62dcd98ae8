package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Tab returns a tab of the task by its handle, such as t1, or its target id; without an id, the tab that is in use at
// the time of each call: the one that was last opened or brought to the front. It asks nobody, so that the tab need not
// exist; then its methods return [ErrUnknownTarget].
func (t *Task) Tab(id string) Tab { return t.pages.Tab(id) }

// Tabs returns the tabs and popups of the task, by their handles, in the order in which they opened.
func (t *Task) Tabs() []Tab { return t.pages.Tabs() }

// ListTabs describes the tabs and popups of the task, with current titles: those in a [Snapshot] may be old, as
// Chromium announces a title only together with other changes. The browser is asked, but no page; if it does not answer
// soon, the known titles are returned. Errors: [ErrDisconnected], [ErrBrowserGone], [ErrClosed] and [ErrTask], because
// then the tabs are unknown.
func (t *Task) ListTabs(ctx context.Context) (_ []TabInfo, err error) {
	defer fault.During("list_tabs", &err)
	return t.pages.ListTabs(ctx)
}

// OpenTab opens a tab that belongs to the task, and returns when it is the tab in use. Its URL is still loading then.
// Errors: [ErrRefused] for a URL whose scheme is not allowed, [ErrEvaluateDisabled] for one that would run script,
// [ErrTask], [ErrClosed], and the context's.
func (t *Task) OpenTab(ctx context.Context, url string) (_ Tab, err error) {
	defer fault.During("open_tab", &err)
	return t.pages.OpenTab(ctx, url)
}

// ResolveRef says where the element of a ref (e5 or @e5) is. It does not ask the browser: it uses the last reading and
// the documents that exist now. Errors: [ErrUnknownRef], and a [*StaleRefError] for an element that the last reading
// did not find or whose document is gone.
func (t *Task) ResolveRef(ref string) (_ ElementRef, err error) {
	defer fault.During("resolve_ref", &err)
	return t.pages.ResolveRef(ref)
}

// Refs lists the elements that have a ref and were present when their frame was last read, in the order in which they
// got their refs. It does not ask the browser.
func (t *Task) Refs() []ElementRef {
	return t.pages.Refs()
}

// LastURL returns the URL of the last page that [Tab.Navigate] loaded in a tab of the task, of the tasks that it
// followed, and of earlier browsers with its profile directory; empty if there is none. HTTP errors (status 400 and
// above), failed navigations, and documents that are not of a site or file, such as about:blank, do not count. It is
// untrusted text: a site may have redirected there.
func (t *Task) LastURL() string {
	return t.pages.LastURL()
}

// CheckURL reports whether the task may load a URL; every way of loading one checks it as well. Errors: ErrRefused
// for a scheme that is not allowed (see [Options.AllowSchemes]), ErrEvaluateDisabled, and ErrNavigate for a URL without
// a scheme that is not completed; see [Tab.Navigate].
func (t *Task) CheckURL(address string) (err error) {
	defer fault.During("check_url", &err)
	return t.host.rules.MayLoad(scheme.Complete(address))
}

// IsPlainURL reports whether loading a URL runs no script except a site's own: its scheme is http:, https: or file:,
// or it is about:blank. If [Options.EvaluateDisabled] is set, no other URL is loaded for an agent: javascript: URLs run
// in the page being left, and data: and blob: URLs bring their own script. Whether the scheme is allowed at all is a
// matter of [Options.AllowSchemes].
func IsPlainURL(address string) bool { return scheme.Plain(address) }
