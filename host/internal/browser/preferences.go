package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// preference is a setting of a profile for which Chromium has no switch.
type preference struct{ group, name, value string }

var (
	// In a window, the preview of print() holds the page until a person closes it.
	printNothing = preference{"printing", "enabled", "false"}
	// What a page has fetched ahead by speculation rules, Chromium pauses for no session, so no plugin is asked about it
	// first. 2 is NetworkPredictionOptions::kDisabled.
	//
	// https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/preloading/preloading_prefs.h
	loadNothingAhead = preference{"net", "network_prediction_options", "2"}
	// Some builds of Chromium, and all in a browser context, block the cookies of a frame from another site, without which
	// logins and payments in frames fail. 0 is CookieControlsMode::kOff: they are as in a person's Chrome.
	//
	// https://source.chromium.org/chromium/chromium/src/+/main:components/content_settings/core/browser/cookie_settings.h
	keepCookiesOfFrames = preference{"profile", "cookie_controls_mode", "0"}
	everyProfile        = []preference{loadNothingAhead, keepCookiesOfFrames}
)

// setPreferences sets what a profile does not set itself. A file that cannot be read as preferences is left to
// Chromium, which replaces it.
func setPreferences(dir string, wanted ...preference) error {
	path := filepath.Join(dir, "Default", "Preferences")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("{}"), nil
	}
	if err != nil {
		return fmt.Errorf("read the profile's preferences: %w", err)
	}
	set, changed := object(text), false
	for _, p := range wanted {
		group := map[string]json.RawMessage{}
		if had, ok := set[p.group]; ok {
			group = object(had)
		}
		if set == nil || group == nil || group[p.name] != nil {
			continue
		}
		group[p.name] = json.RawMessage(p.value)
		set[p.group], _ = json.Marshal(group) // it was read from JSON
		changed = true
	}
	if !changed {
		return nil
	}
	text, err = json.Marshal(set)
	if err == nil {
		err = wholefile.Edit(path, text, 0o600, 0o700)
	}
	if err != nil {
		return fmt.Errorf("write the profile's preferences: %w", err)
	}
	return nil
}

// object reads an object of JSON; nil: the text is none.
func object(text []byte) (o map[string]json.RawMessage) {
	if json.Unmarshal(text, &o) != nil {
		return nil
	}
	return o
}
