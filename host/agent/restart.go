package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
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
	LastURL   string     `json:"last_url,omitempty"`
	Untrusted *Untrusted `json:"untrusted,omitempty"`
}

// restartInfo describes what was lost.
func restartInfo(r *host.Restart, last string) RestartInfo {
	info := RestartInfo{Reason: visible(r.Reason), Tabs: tabs(r.Tabs), LastURL: visible(last)}
	if n := len(r.Tabs); n > 0 {
		info.Lost = append(info.Lost, number(n, "tab"))
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
		info.Untrusted = &Untrusted{Fields: []string{"tabs", "last_url"}}
	}
	return info
}

func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// lines are what a model reads.
func (i RestartInfo) lines(tools offered) []string {
	lines := []string{"the browser was restarted: " + i.Reason, "lost: " + strings.Join(i.Lost, "; ")}
	if len(i.Kept) > 0 {
		lines = append(lines, "kept: "+strings.Join(i.Kept, "; "))
	}
	var said []string
	for _, t := range i.Tabs {
		said = append(said, fmt.Sprintf("lost tab %s %s %s", t.Handle, t.URL, pagetext.QuoteShown(t.Title)))
	}
	if i.LastURL != "" {
		if back := tools.advice("browser_navigate without url goes back to the last page"); back != "" {
			lines = append(lines, back)
		}
		said = append(said, "the last page was "+i.LastURL)
	}
	if len(said) > 0 {
		lines = append(lines, fence(strings.Join(said, "\n")))
	}
	return lines
}

// tellRestart adds to one result that the browser had been restarted for the call. Of concurrent calls, it is the first
// to end.
func (b *Browser) tellRestart(r Result, tools offered) Result {
	restart := b.task.Restarted()
	if restart == nil || b.told.Swap(true) {
		return r
	}
	info := restartInfo(restart, b.task.LastURL())
	r = r.with("restarted", info)
	r.Text = strings.Join(append(info.lines(tools), r.Text), "\n")
	return r
}

// openWhole opens a task and waits until its browser is either usable or gone for good. A launched browser whose
// process has ended cannot be reconnected to, so the next one is started before the call begins.
func (r *Registry) openWhole(ctx context.Context, id string) (*host.Task, error) {
	t, err := r.open(ctx, id)
	if err != nil || r.options.Open == nil {
		return t, err
	}
	s := t.Snapshot()
	if s.Disconnected == "" || s.Reconnecting && !t.Launched() {
		return t, nil
	}
	wait, cancel := context.WithTimeout(ctx, NewBrowser(t, r.options.Browser).options.Timeout)
	defer cancel()
	s, _ = t.Wait(wait, func(s *host.Snapshot) bool { return s.Disconnected == "" || !s.Reconnecting })
	if s.Disconnected == "" || s.Reconnecting {
		return t, nil
	}
	select { // its end is about to be announced
	case <-t.Done():
	case <-wait.Done():
	}
	return r.open(ctx, id)
}
