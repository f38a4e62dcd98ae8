package act

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
)

// maxWatchedDownloads bounds how many downloads an action reports.
const maxWatchedDownloads = 20

type watchedDownload struct {
	Download
	guid  string
	total int64 // in bytes, as the server says; 0: it does not
}

func (w *pageWatch) noteDownload(params []byte) {
	var e struct {
		Frame string `json:"frameId"`
		GUID  string `json:"guid"`
		URL   string `json:"url"`
		Name  string `json:"suggestedFilename"`
	}
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	if e.Frame == string(w.tab) {
		w.navigating = false // the URL of the top frame was a download
	}
	if len(w.downloads) < maxWatchedDownloads {
		w.downloads = append(w.downloads, watchedDownload{Download: Download{URL: stripURL(e.URL), Name: download.FileName(e.Name), State: download.Started}, guid: e.GUID})
	}
}

func (w *pageWatch) noteProgress(params []byte) {
	var e struct {
		GUID     string  `json:"guid"`
		Received float64 `json:"receivedBytes"`
		Total    float64 `json:"totalBytes"`
		State    string  `json:"state"`
	}
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	for i := range w.downloads {
		d := &w.downloads[i]
		if d.guid != e.GUID || d.State != download.Started { // two sessions may announce its end
			continue
		}
		d.Bytes, d.total = max(d.Bytes, int64(e.Received)), int64(e.Total)
		switch e.State {
		case "completed":
			d.State = download.Complete
		case "canceled":
			d.State = download.Canceled
		}
	}
}

// setPath records where the file of a download was put.
func (w *pageWatch) setPath(guid, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.downloads {
		if w.downloads[i].guid == guid {
			w.downloads[i].Path = path
		}
	}
}

// stripURL removes the query and fragment of a URL, which may hold secrets; data: and blob: URLs are cut to their
// scheme.
func stripURL(url string) string {
	if scheme, _, ok := strings.Cut(url, ":"); ok && (scheme == "data" || scheme == "blob") {
		return scheme + ":"
	}
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	return url
}
