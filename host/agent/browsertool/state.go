package browsertool

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/profilename"
)

// StateParams are the parameters of browser_state.
type StateParams struct {
	// Action is save or load.
	Action string `json:"action" enum:"save,load" need:"yes"`
	// Name is the file in [BrowserOptions.StateDir], without its extension.
	Name string `json:"name" need:"yes" doc:"of the state, as shop"`
	// Origins are those to save in addition to those that the tabs have shown.
	Origins []string `json:"origins,omitempty" doc:"to save although no tab has shown them, as https://example.com"`
	toolkit.Timeout
}

// StateResult is the result of browser_state: how much there is, and nothing of what it says.
type StateResult struct {
	host.StorageSummary
	// Path is the file.
	Path string `json:"state_path"`

	loaded bool
}

// State saves what pages have stored, or loads it. Only files in [BrowserOptions.StateDir] are written and read. Errors
// are those of [host.Task.SaveState] and [host.Task.LoadState].
func (b *Browser) State(ctx context.Context, p StateParams) (StateResult, error) {
	dir := b.kit.Options.StateDir
	if dir == "" {
		return StateResult{}, fmt.Errorf("%w: no directory for storage states is configured; an operator sets browser.state_dir", host.ErrRefused)
	}
	if !profilename.Valid(p.Name) {
		return StateResult{}, result.BadArgument("name", "it must be %s", profilename.Rule)
	}
	if p.Action == "load" && p.Origins != nil {
		return StateResult{}, result.BadArgument("origins", "a state is loaded as a whole; leave it out")
	}
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	out := StateResult{Path: filepath.Join(dir, p.Name+".json"), loaded: p.Action == "load"}
	var err error
	if out.loaded {
		out.StorageSummary, err = b.kit.Task.LoadState(ctx, out.Path)
		return out, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return StateResult{}, fmt.Errorf("%w: the directory for storage states: %w", host.ErrFailed, err)
	}
	out.StorageSummary, err = b.kit.Task.SaveState(ctx, out.Path, &host.SaveStateOptions{Origins: p.Origins})
	return out, err
}

func (StateResult) OwnText() bool { return true }

// Text counts what was saved or loaded.
func (r StateResult) Text() string {
	did := map[bool]string{true: "loaded from ", false: "saved in "}[r.loaded]
	lines := []string{fmt.Sprintf("%s%s: %s, and what %s stored", did, r.Path, result.Number(r.Cookies, "cookie"), result.Number(len(r.Origins), "origin"))}
	for _, o := range r.Origins {
		var parts []string
		for _, part := range []struct {
			n    int
			what string
		}{
			{o.LocalStorage, "of localStorage"}, {o.SessionStorage, "of sessionStorage"}, {o.Records, "of IndexedDB"},
			{o.Skipped, "left out: no file can hold them"},
			{o.Waiting, "of sessionStorage not loaded: load again while a tab shows the origin"},
		} {
			if part.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
			}
		}
		lines = append(lines, o.Origin+": "+cmp.Or(strings.Join(parts, ", "), "nothing"))
	}
	if r.Expired > 0 {
		lines = append(lines, result.Number(r.Expired, "cookie")+" left out: expired")
	}
	if r.Forgotten > 0 {
		lines = append(lines, result.Number(r.Forgotten, "origin")+" left out, of too many that tabs have shown; name those that matter in origins")
	}
	return strings.Join(lines, "\n")
}
