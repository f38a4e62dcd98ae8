package emulate

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Whatever is set can be undone in the same place, and an error about it can name the parameter that it came from.
func TestEachCommandHasOneThatEndsItAndAParameter(t *testing.T) {
	set, undo := Commands(view.Emulation{
		Width: 390, Height: 844, Scale: 3, Mobile: true, Touch: true, UserAgent: "Mozilla/5.0", Locale: "de-DE", Timezone: "Europe/Berlin",
		Media: "print", ColorScheme: "dark", ReducedMotion: true, Geolocation: &view.Geolocation{Latitude: 1}, Permissions: []view.Permission{{Name: "geolocation"}},
		Offline: true, CPUSlowdown: 4, Headers: view.Headers{"X-Test": "1"},
	}, "context")
	if len(set) != 11 || len(undo) != len(set) {
		t.Fatalf("%d commands, %d that end them", len(set), len(undo))
	}
	for i, c := range set {
		if Parameter(c.Method) == "" {
			t.Errorf("%s has no parameter", c.Method)
		}
		if undo[i].Where != c.Where {
			t.Errorf("%s is set in %v and ended in %v", c.Method, c.Where, undo[i].Where)
		}
	}
	if set, undo := Commands(view.Emulation{}, "context"); len(set)+len(undo) != 0 {
		t.Errorf("nothing is emulated by %v and ended by %v", set, undo)
	}
}
