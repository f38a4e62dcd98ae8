package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/storage"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lasturl"
	"github.com/hermes-cdp/hermes-cdp/host/internal/storagestate"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// What a storage state has, in numbers; see [Task.SaveState].
type (
	StorageSummary = storagestate.Summary
	OriginSummary  = storagestate.OriginSummary
)

// SaveStateOptions configures [Task.SaveState]. The zero value works.
type SaveStateOptions struct {
	// Origins are origins to save in addition to those that the task's tabs have shown, such as https://example.com:
	// Chromium does not say which origins of a profile have stored something.
	Origins []string
}

// maxState bounds the file of a storage state, in bytes.
const maxState = 256 << 20

// SaveState writes the cookies, localStorage, sessionStorage and IndexedDB of the task into a file with mode 0600, in
// the format of Playwright's storageState, encrypted if [Options.StateKey] is set. The result has no values of them.
//
// It has the origins that the tabs of the task have shown as top pages, or that it has loaded, each read in a page that
// is open, or else in an empty document of the host's own: no request leaves. sessionStorage is that of open tabs. It
// has all cookies of the task's browser context; of a context that the task shares, those of these origins. What
// frames of other sites have stored, in partitions of their own, is not in it.
//
// Errors: ErrBadArguments for an origin that is none, ErrFailed if the file cannot be written, those of [Tab.Evaluate]
// for an open page that cannot be read, such as [*BlockedError], and of [Tab.Navigate] for one that is not.
func (t *Task) SaveState(ctx context.Context, path string, options *SaveStateOptions) (_ StorageSummary, err error) {
	defer fault.During("save_state", &err)
	origins, forgotten := t.engine.Origins()
	for _, origin := range optional.Or(options).Origins {
		if !storagestate.IsOrigin(origin) {
			return StorageSummary{}, fmt.Errorf("%w: %q is not an origin such as https://example.com", ErrBadArguments, origin)
		}
		if !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	state := &storagestate.State{}
	if state.Origins, err = t.storedBy(ctx, origins); err != nil {
		return StorageSummary{}, err
	}
	cookies, err := t.cookies(ctx)
	if err != nil {
		return StorageSummary{}, err
	}
	state.Cookies = storagestate.FromBrowser(cookies)
	if !t.alone {
		state.Cookies = storagestate.Of(state.Cookies, hostsOf(origins))
	}
	file, err := state.Encode()
	if err != nil {
		return StorageSummary{}, err
	}
	t.host.private.add(path)
	if err := wholefile.Write(path, t.host.stateKey.Seal(file), 0o600); err != nil {
		return StorageSummary{}, fmt.Errorf("%w: the storage state cannot be written: %w", ErrFailed, err)
	}
	summary := state.Summary()
	summary.Forgotten = forgotten
	return summary, nil
}

// LoadState sets the cookies, localStorage and IndexedDB of the task from a file of [Task.SaveState] or of Playwright,
// before any page of an origin sees them: origins are set in an empty document of the host's own, without a request.
// What the file has of an origin replaces what the origin had; other origins and cookies stay. sessionStorage is that
// of one tab: it is set in the tabs that show its origin, and the result says what is left.
//
// The whole file is checked first, and nothing is loaded from one that is damaged, is not a storage state
// (ErrBadState) or does not fit [Options.StateKey] (ErrStateKey). Other errors are ErrFailed, if the browser does not
// take what the file has, or the file cannot be read, and those of [Tab.Navigate]; what was set before them stays.
func (t *Task) LoadState(ctx context.Context, path string) (_ StorageSummary, err error) {
	defer fault.During("load_state", &err)
	t.host.private.add(path)
	state, err := t.host.readState(path)
	if err != nil {
		return StorageSummary{}, err
	}
	summary := state.Summary()
	wanted := storagestate.ToBrowser(state.Cookies, time.Now())
	summary.Cookies, summary.Expired = len(wanted), len(state.Cookies)-len(wanted)
	if err := t.setOrigins(ctx, state.Origins); err != nil {
		return StorageSummary{}, err
	}
	if err := t.setCookies(ctx, wanted); err != nil {
		return StorageSummary{}, err
	}
	for i, o := range state.Origins {
		set, err := t.setSession(ctx, o)
		if err != nil {
			return StorageSummary{}, err
		}
		if !set {
			summary.Origins[i].SessionStorage, summary.Origins[i].Waiting = 0, len(o.SessionStorage)
		}
	}
	return summary, nil
}

// readState reads a file and checks all of it.
func (h *Host) readState(path string) (*storagestate.State, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: the storage state cannot be read: %w", ErrFailed, err)
	case !info.Mode().IsRegular() || info.Size() > maxState:
		return nil, fmt.Errorf("%w: it is not a regular file of at most %d MiB", ErrBadState, maxState>>20)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: the storage state cannot be read: %w", ErrFailed, err)
	}
	plain, err := h.stateKey.Open(file)
	if err != nil {
		return nil, err
	}
	return storagestate.Parse(plain)
}

// prepare sets what the first page is to find.
func (t *Task) prepare(ctx context.Context, o TaskOptions) error {
	e, err := t.emulationOf(ctx, o)
	if err != nil {
		return err
	}
	if err := t.Emulate(ctx, e); err != nil {
		return err
	}
	if o.StorageState != "" {
		if _, err := t.LoadState(ctx, o.StorageState); err != nil {
			return fmt.Errorf("the storage state %s: %w", o.StorageState, err)
		}
	}
	return nil
}

// cookies are those of the task's browser context.
func (t *Task) cookies(ctx context.Context) ([]storagestate.BrowserCookie, error) {
	var got struct {
		Cookies []storagestate.BrowserCookie `json:"cookies"`
	}
	err := t.engine.Link.Call(ctx, storage.CommandGetCookies, &storage.GetCookiesParams{BrowserContextID: t.engine.Context()}, &got)
	return got.Cookies, err
}

// setCookies sets cookies, and makes sure that the browser has them: it drops some without a word, such as those with
// the prefix __Host- and a domain.
func (t *Task) setCookies(ctx context.Context, wanted []storagestate.BrowserCookie) error {
	if len(wanted) == 0 {
		return nil
	}
	params := map[string]any{"cookies": wanted}
	if id := t.engine.Context(); id != "" {
		params["browserContextId"] = id
	}
	if err := t.engine.Link.Call(ctx, storage.CommandSetCookies, params, nil); err != nil {
		return err
	}
	present, err := t.cookies(ctx)
	if err != nil {
		return err
	}
	if domains := storagestate.Missing(wanted, present); len(domains) > 0 {
		return fmt.Errorf("%w: the browser did not take the cookies of %s; those of the others are set", ErrFailed, strings.Join(domains, ", "))
	}
	return nil
}

// storedBy returns what origins have stored, without those that have nothing.
func (t *Task) storedBy(ctx context.Context, origins []string) (list []storagestate.Origin, err error) {
	open, err := t.storedByOpen(ctx, origins)
	if err != nil {
		return nil, err
	}
	closed := slices.DeleteFunc(slices.Clone(origins), func(origin string) bool { _, is := open[origin]; return is })
	err = t.visit(ctx, closed, func(pages *act.Pages, tab, origin string) error {
		open[origin], err = collect(ctx, pages, tab, origin)
		return err
	})
	for _, origin := range origins {
		if o := open[origin]; err == nil && !o.IsEmpty() {
			list = append(list, o)
		}
	}
	return list, err
}

// storedByOpen reads the origins that tabs show. The tab in use comes first: each has a sessionStorage of its own.
func (t *Task) storedByOpen(ctx context.Context, origins []string) (map[string]storagestate.Origin, error) {
	by := map[string]storagestate.Origin{}
	for _, shown := range t.shownOrigins() {
		if _, known := by[shown.origin]; known || !slices.Contains(origins, shown.origin) {
			continue
		}
		o, err := collect(ctx, t.pages, shown.tab, shown.origin)
		switch {
		case errors.Is(err, ErrTargetCrashed), errors.Is(err, ErrTargetGone), errors.Is(err, ErrUnknownTarget):
			continue // it is read without the tab
		case err != nil:
			return nil, fmt.Errorf("reading what %s has stored: %w", shown.origin, err)
		}
		by[shown.origin] = o
	}
	return by, nil
}

// shownOrigin is a tab and the origin of its top document.
type shownOrigin struct{ tab, origin string }

// shownOrigins lists the tabs with a document of a site, the tab in use first.
func (t *Task) shownOrigins() (list []shownOrigin) {
	s := t.Snapshot()
	for _, target := range s.Targets {
		if target.RawFrameTree == nil || !storagestate.IsOrigin(target.RawFrameTree.Top.Origin) {
			continue
		}
		shown := shownOrigin{target.ID, target.RawFrameTree.Top.Origin}
		if target.ID == s.TabInUse {
			list = slices.Insert(list, 0, shown)
		} else {
			list = append(list, shown)
		}
	}
	return list
}

func collect(ctx context.Context, pages *act.Pages, tab, origin string) (storagestate.Origin, error) {
	var text string
	if err := pages.Isolated(ctx, tab, storagestate.Collect, []any{origin}, &text); err != nil {
		return storagestate.Origin{}, err
	}
	return storagestate.Collected(text)
}

// setOrigins sets localStorage and IndexedDB.
func (t *Task) setOrigins(ctx context.Context, list []storagestate.Origin) error {
	by := map[string]storagestate.Origin{}
	var origins []string
	for _, o := range list {
		by[o.Origin], origins = o, append(origins, o.Origin)
	}
	err := t.visit(ctx, origins, func(pages *act.Pages, tab, origin string) error {
		o := by[origin]
		o.SessionStorage = nil // which is not the tab's
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		var set storagestate.Restored
		if err := pages.Isolated(ctx, tab, storagestate.Restore, []any{origin, string(text)}, &set); err != nil {
			return err
		}
		if set.LocalStorage != len(o.LocalStorage) {
			return fmt.Errorf("%w: of %d items of localStorage the browser has %d", ErrFailed, len(o.LocalStorage), set.LocalStorage)
		}
		return nil
	})
	if err == nil {
		t.engine.NoteOrigins(origins)
	}
	return err
}

// setSession sets sessionStorage in the tabs that show an origin, and reports whether it had none to set or there was
// one.
func (t *Task) setSession(ctx context.Context, o storagestate.Origin) (set bool, err error) {
	set = len(o.SessionStorage) == 0
	if set {
		return set, nil
	}
	items, err := json.Marshal(o.SessionStorage)
	if err != nil {
		return false, err
	}
	for _, shown := range t.shownOrigins() {
		if shown.origin != o.Origin {
			continue
		}
		if err := t.pages.Isolated(ctx, shown.tab, storagestate.RestoreSession, []any{o.Origin, string(items)}, nil); err != nil {
			return set, fmt.Errorf("the sessionStorage of %s: %w", o.Origin, err)
		}
		set = true
	}
	return set, nil
}

// visit shows a document of each origin in a tab that the task does not have, without a request.
func (t *Task) visit(ctx context.Context, origins []string, do func(pages *act.Pages, tab, origin string) error) (err error) {
	if len(origins) == 0 {
		return nil
	}
	aside, err := t.engine.Aside(ctx)
	if err != nil {
		return err
	}
	defer func() {
		left, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
		defer cancel()
		err = errors.Join(err, aside.Leave(left))
	}()
	pages := act.NewPages(aside, t.host.rules, lasturl.New("", t.host.log))
	for _, origin := range origins {
		tab := pages.Tab("")
		if _, err := tab.Navigate(ctx, origin+"/", nil); err != nil {
			return fmt.Errorf("the storage of %s: %w", origin, err)
		}
		if err := do(pages, aside.Snapshot().TabInUse, origin); err != nil {
			return fmt.Errorf("the storage of %s: %w", origin, err)
		}
	}
	return nil
}

func hostsOf(origins []string) (hosts []string) {
	for _, origin := range origins {
		if u, err := url.Parse(origin); err == nil {
			hosts = append(hosts, u.Hostname())
		}
	}
	return hosts
}
