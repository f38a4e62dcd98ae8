package pages

import (
	"io"
	"log"
	"net/http"
)

// discard is the log of a server whose clients are expected to break off.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }

// file makes a handler that gives a file as an attachment.
func file(disposition, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", disposition)
		_, _ = w.Write([]byte(body)) // a client that is gone needs none
	}
}
