package control

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// streamEvents writes one JSON value per line (https://github.com/ndjson/ndjson-spec), each as soon as it happens. The
// headers are sent once the subscription exists, so a client that has them misses nothing.
func streamEvents(api API, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		started := false
		begun := func() {
			started = true
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusOK)
			_ = control.Flush() // a failure recurs at the first event
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		err := api.Events(r.Context(), taskOf(r), begun, func(e host.Event) error {
			if err := encoder.Encode(e); err != nil {
				return err
			}
			return control.Flush()
		})
		if err != nil && !started {
			writeError(w, err, log)
		}
	})
}
