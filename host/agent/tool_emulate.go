package agent

import (
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// EmulateParams are the parameters of browser_emulate. What is left out stays as it is.
type EmulateParams struct {
	// Width and Height are those of the viewport, Scale the device pixels of a CSS pixel; 0: the browser's own.
	Width  *int     `json:"width,omitempty" min:"0" max:"10000"`
	Height *int     `json:"height,omitempty" min:"0" max:"10000"`
	Scale  *float64 `json:"device_scale_factor,omitempty" min:"0" max:"10"`
	Mobile *bool    `json:"mobile,omitempty"`
	Touch  *bool    `json:"touch,omitempty"`
	// An empty text ends what was set.
	UserAgent     *string `json:"user_agent,omitempty"`
	Locale        *string `json:"locale,omitempty" doc:"such as de-DE"`
	Timezone      *string `json:"timezone,omitempty" doc:"such as Europe/Berlin"`
	ColorScheme   string  `json:"color_scheme,omitempty" enum:"light,dark"`
	ReducedMotion *bool   `json:"reduced_motion,omitempty"`
	Media         string  `json:"media,omitempty" enum:"screen,print"`
	// Latitude and Longitude are given together. Pages also need the permission geolocation.
	Latitude  *float64 `json:"latitude,omitempty" min:"-90" max:"90"`
	Longitude *float64 `json:"longitude,omitempty" min:"-180" max:"180"`
	Accuracy  *float64 `json:"accuracy,omitempty" min:"0" max:"1000000" doc:"metres"`
	// Permissions replace those that were set.
	Permissions *[]host.Permission `json:"permissions,omitempty" doc:"replace those set before"`
	Offline     *bool              `json:"offline,omitempty"`
	// Reset ends all that was set before.
	Reset bool `json:"reset,omitempty" doc:"first undo all"`
	Timeout
}

// EmulateResult is the result of browser_emulate: what is set now.
type EmulateResult struct {
	Width         int               `json:"width,omitempty"`
	Height        int               `json:"height,omitempty"`
	Scale         float64           `json:"device_scale_factor,omitempty"`
	Mobile        bool              `json:"mobile,omitempty"`
	Touch         bool              `json:"touch,omitempty"`
	UserAgent     string            `json:"user_agent,omitempty"`
	Locale        string            `json:"locale,omitempty"`
	Timezone      string            `json:"timezone,omitempty"`
	ColorScheme   string            `json:"color_scheme,omitempty"`
	Media         string            `json:"media,omitempty"`
	ReducedMotion bool              `json:"reduced_motion,omitempty"`
	Geolocation   *host.Geolocation `json:"geolocation,omitempty"`
	Permissions   []host.Permission `json:"permissions,omitempty"`
	Offline       bool              `json:"offline,omitempty"`
}

// Emulate changes what the task emulates. Errors are those of [host.Task.Emulate].
func (b *Browser) Emulate(ctx context.Context, p EmulateParams) (EmulateResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	e := b.task.Emulation()
	if p.Reset {
		e = host.Emulation{}
	}
	set(&e.Width, p.Width)
	set(&e.Height, p.Height)
	set(&e.Scale, p.Scale)
	set(&e.Mobile, p.Mobile)
	set(&e.Touch, p.Touch)
	set(&e.UserAgent, p.UserAgent)
	set(&e.Locale, p.Locale)
	set(&e.Timezone, p.Timezone)
	set(&e.ReducedMotion, p.ReducedMotion)
	set(&e.Permissions, p.Permissions)
	set(&e.Offline, p.Offline)
	if p.ColorScheme != "" {
		e.ColorScheme = p.ColorScheme
	}
	if p.Media != "" {
		e.Media = p.Media
	}
	switch {
	case p.Latitude != nil && p.Longitude != nil:
		e.Geolocation = &host.Geolocation{Latitude: *p.Latitude, Longitude: *p.Longitude, Accuracy: 1}
		set(&e.Geolocation.Accuracy, p.Accuracy)
	case p.Latitude != nil:
		return EmulateResult{}, badArgument("longitude", "it is needed with latitude")
	case p.Longitude != nil:
		return EmulateResult{}, badArgument("latitude", "it is needed with longitude")
	case p.Accuracy != nil:
		return EmulateResult{}, badArgument("latitude", "it is needed with accuracy")
	}
	if err := b.task.Emulate(ctx, e); err != nil {
		return EmulateResult{}, err
	}
	return EmulateResult(e), nil
}

// set replaces a value by one that was given.
func set[T any](value *T, given *T) {
	if given != nil {
		*value = *given
	}
}

func (EmulateResult) ownText() bool { return true }

// Text says what is set.
func (r EmulateResult) Text() string {
	encoded, err := json.Marshal(r)
	if err != nil || string(encoded) == "{}" {
		return "nothing is emulated"
	}
	return "emulated in all tabs: " + visible(string(encoded))
}
