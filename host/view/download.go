package view

import "github.com/hermes-cdp/hermes-cdp/host/internal/supervise"

// Download is a file that a page offered.
type Download struct {
	// ID is the browser's.
	ID string `json:"id"`
	// TargetID is the tab that it came from, which the browser may have closed since.
	TargetID string `json:"target_id"`
	// URL is where the file comes from, without its query; Name is what the page suggests, made safe; both are untrusted.
	URL  string `json:"url"`
	Name string `json:"name"`
	// Path is where the file is; empty until it is complete, and if the host does not know.
	Path string `json:"path,omitempty"`
	// Bytes is how much of it has arrived, Total its size as far as the server says it.
	Bytes int64         `json:"bytes"`
	Total int64         `json:"total_bytes,omitempty"`
	State DownloadState `json:"state"`
	// Reason says why it was canceled or failed, or why the path is not known.
	Reason string `json:"reason,omitempty"`
}

// DownloadState is how far a download is.
type DownloadState string

// The states of a [Download].
const (
	DownloadStarted  = DownloadState(supervise.DownloadRunning)
	DownloadComplete = DownloadState(supervise.DownloadCompleted)
	// DownloadCanceled: the host canceled it.
	DownloadCanceled = DownloadState(supervise.DownloadCanceled)
	DownloadFailed   = DownloadState(supervise.DownloadFailed)
)

func downloadsOf(list []supervise.Download) []Download {
	out := make([]Download, len(list))
	for i, d := range list {
		out[i] = downloadOf(d)
	}
	return out
}

func downloadOf(d supervise.Download) Download {
	return Download{
		ID: d.ID, TargetID: string(d.Target), URL: d.URL, Name: d.Name, Path: d.Path, Bytes: d.Bytes, Total: d.Total,
		State: DownloadState(d.State), Reason: d.Reason,
	}
}
