package httpapi

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

const recordingID = "abcdefghijklmnop"

// recordedHost is a host with one recording, of the task default.
func recordedHost(t *testing.T) (h *host.Host, video []byte) {
	t.Helper()
	video, err := os.ReadFile(filepath.Join("..", "..", "internal", "recording", "testdata", "finished.webm"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hermes-cdp-20261121T120000Z-"+recordingID+".webm"), video, 0o600); err != nil {
		t.Fatal(err)
	}
	h, err = host.New(t.Context(), &host.Options{Recording: host.RecordingOptions{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(t.Context()) })
	return h, video
}

func TestRecordingsAreListedAndReadAsTheDocumentSays(t *testing.T) {
	h, video := recordedHost(t)
	address := serve(t, Options{Tools: newFakeTools(), Recordings: h})
	_, doc := ask(t, "GET", address+pathDocument, "")
	schemas := compile(t, doc.(map[string]any))
	for query, want := range map[string]int{"": 1, "?task=default": 1, "?task=another": 0} {
		status, value := ask(t, "GET", address+pathRecordings+query, "")
		list, _ := value.(map[string]any)["recordings"].([]any)
		if err := schemas["GET "+pathRecordings+" 200"].Validate(value); status != http.StatusOK || err != nil || len(list) != want {
			t.Errorf("%s: %d %v, %v", query, status, value, err)
		}
	}
	for _, id := range []string{"another", "..%2Fsecret", "%2E%2E"} {
		status, value := ask(t, "GET", address+pathRecordings+"/"+id, "")
		if err := schemas["GET "+pathRecording+" 404"].Validate(value); status != http.StatusNotFound || err != nil {
			t.Errorf("%s: %d %v, %v", id, status, value, err)
		}
	}

	get := func(ranges string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+pathRecordings+"/"+recordingID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ranges != "" {
			request.Header.Set("Range", ranges)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for ranges, want := range map[string]string{"": string(video), "bytes=4-19": string(video[4:20]), "bytes=-10": string(video[len(video)-10:])} {
		answer := get(ranges)
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		status := http.StatusOK
		if ranges != "" {
			status = http.StatusPartialContent
		}
		if err != nil || answer.StatusCode != status || string(body) != want || answer.Header.Get("Content-Type") != tasks.MIMEVideo ||
			!strings.Contains(answer.Header.Get("Content-Disposition"), recordingID) {
			t.Errorf("%q: %s %q, %v", ranges, answer.Status, body, err)
		}
	}
}
