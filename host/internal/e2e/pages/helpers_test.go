package pages

import (
	"context"
	"io"
	"log"
	"net/http"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// discard is the log of a server whose clients are expected to break off.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }

// closeAfter ends a browser with the test.
func closeAfter(t *testing.T, process *browser.Process) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := process.Close(ctx); err != nil {
			t.Errorf("the browser did not end cleanly: %v", err)
		}
	})
}

// file makes a handler that gives a file as an attachment.
func file(disposition, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", disposition)
		_, _ = w.Write([]byte(body)) // a client that is gone needs none
	}
}
