package toolkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// DownloadInfo is one of the key "downloads" of a result: a file that a tab of the task downloads. The first result
// after it began has it, and the first after it ended, whichever tools were called.
type DownloadInfo struct {
	// Name is what the page suggests, made safe; Path is where the file is once it is complete.
	Name string `json:"name"`
	Path string `json:"path,omitempty"`
	// State is in_progress, completed, canceled (by the host) or failed; Reason says why, or why there is no path.
	State  host.DownloadState `json:"state"`
	Reason string             `json:"reason,omitempty"`
	// Bytes is how much has arrived, Total what the server says.
	Bytes int64  `json:"bytes"`
	Total int64  `json:"total_bytes,omitempty"`
	URL   string `json:"url"`
	Tab   string `json:"tab,omitempty"`
}

// text is what a model reads.
func (d DownloadInfo) text() string {
	text := fmt.Sprintf("download %s: %s, %d bytes", d.State, pagetext.QuoteShown(d.Name), d.Bytes)
	if d.Total > d.Bytes {
		text = fmt.Sprintf("%s of %d", text, d.Total)
	}
	if d.Path != "" {
		text += " in " + d.Path
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return text
}

// Reported notes that a result has reported a download, and whether that is news.
func (k *Kit) Reported(d host.Download) (news bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[string]host.DownloadState{}
	}
	news = k.files[d.ID] != d.State
	k.files[d.ID] = d.State
	return news
}

// tellDownloads adds to one result the downloads that have begun or ended since the last one.
func (k *Kit) tellDownloads(r result.Result) result.Result {
	var list []DownloadInfo
	var lines []string
	for _, d := range k.Task.Snapshot().Downloads {
		if !k.Reported(d) {
			continue
		}
		info := DownloadInfo{
			Name: result.Visible(d.Name), Path: d.Path, State: d.State, Reason: d.Reason, Bytes: d.Bytes, Total: d.Total, URL: result.Visible(d.URL),
			Tab: k.Task.Tab(d.TargetID).Info().Handle,
		}
		list, lines = append(list, info), append(lines, info.text())
	}
	if len(list) == 0 {
		return r
	}
	return k.withUntrusted(r, "downloads", list, lines)
}

// withUntrusted adds to a result what pages or others wrote: a list under a key, and the lines that a model reads.
func (k *Kit) withUntrusted(r result.Result, key string, list any, lines []string) result.Result {
	r = r.With(key, list)
	r.Structured["untrusted"] = k.alsoUntrusted(r.Structured["untrusted"], key)
	r.Text += "\n" + result.Fence(strings.Join(lines, "\n"))
	return r
}

// alsoUntrusted adds a field to those of a result that a page wrote.
func (k *Kit) alsoUntrusted(known any, field string) any {
	switch marked := known.(type) {
	case result.Untrusted:
		marked.Fields = append(slices.Clone(marked.Fields), field)
		return marked
	case map[string]any:
		fields, _ := marked["fields"].([]any)
		marked = maps.Clone(marked)
		marked["fields"] = append(slices.Clone(fields), field)
		return marked
	}
	return k.Untrusted("", field)
}
