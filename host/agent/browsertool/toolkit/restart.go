package toolkit

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// RestartInfo is the key "restarted" of a result: the browser had ended by itself and was restarted for the call. The
// first result after the restart has it, whichever tool was called.
type RestartInfo struct {
	// Reason says how the browser ended.
	Reason string `json:"reason"`
	// Lost and Kept describe what is gone and what is not.
	Lost []string `json:"lost"`
	Kept []string `json:"kept,omitempty"`
	// Tabs are those that were open.
	Tabs []host.TabInfo `json:"tabs,omitempty"`
	// LastURL is what browser_navigate loads without a url.
	LastURL   string            `json:"last_url,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty"`
}

// restartInfo describes what was lost.
func restartInfo(r *host.Restart, last string) RestartInfo {
	info := RestartInfo{Reason: result.Visible(r.Reason), Tabs: VisibleTabs(r.Tabs), LastURL: result.Visible(last)}
	if n := len(r.Tabs); n > 0 {
		info.Lost = append(info.Lost, result.Number(n, "tab"))
	}
	switch r.Storage {
	case host.StorageKept:
		info.Kept = append(info.Kept, "cookies and storage, as far as they were written to the profile")
	case host.StorageUnknown:
		info.Lost = append(info.Lost, "cookies and storage, unless the browser at the address kept them")
	default:
		info.Lost = append(info.Lost, "cookies and storage")
	}
	info.Lost = append(info.Lost, "what pages had in memory", "refs and tab handles")
	if len(r.Dialogs) > 0 {
		info.Lost = append(info.Lost, "pending dialogs "+strings.Join(r.Dialogs, ", "))
	}
	if r.Armed {
		info.Lost = append(info.Lost, "the armed answer")
	}
	if len(r.Calls) > 0 {
		info.Lost = append(info.Lost, "blocked calls "+strings.Join(r.Calls, ", "))
	}
	info.Lost = append(info.Lost, "downloads in progress", "console messages")
	if len(info.Tabs) > 0 || last != "" {
		info.Untrusted = &result.Untrusted{Fields: []string{"tabs", "last_url"}}
	}
	return info
}

// Lines are what a model reads.
func (i RestartInfo) Lines(tools result.Offered) []string {
	lines := []string{"the browser was restarted: " + i.Reason, "lost: " + strings.Join(i.Lost, "; ")}
	if len(i.Kept) > 0 {
		lines = append(lines, "kept: "+strings.Join(i.Kept, "; "))
	}
	var said []string
	for _, t := range i.Tabs {
		said = append(said, fmt.Sprintf("lost tab %s %s %s", t.Handle, t.URL, pagetext.QuoteShown(t.Title)))
	}
	if i.LastURL != "" {
		if back := tools.Advice("browser_navigate without url goes back to the last page"); back != "" {
			lines = append(lines, back)
		}
		said = append(said, "the last page was "+i.LastURL)
	}
	if len(said) > 0 {
		lines = append(lines, result.Fence(strings.Join(said, "\n")))
	}
	return lines
}

// tellRestart adds to one result that the browser had been restarted for the call. Of concurrent calls, it is the first
// to end.
func (k *Kit) tellRestart(r result.Result, tools result.Offered) result.Result {
	restart := k.Task.Restarted()
	if restart == nil || k.told.Swap(true) {
		return r
	}
	info := restartInfo(restart, k.Task.LastURL())
	r = r.With("restarted", info)
	r.Text = strings.Join(append(info.Lines(tools), r.Text), "\n")
	return r
}
