package browsertool

import (
	"context"
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// EmulateParams are the parameters of browser_emulate. What is left out stays as it is.
type EmulateParams struct {
	// Device sets the viewport, touch and user agent of a well known device; what is given beside it has precedence.
	Device string `json:"device,omitempty" doc:"such as Pixel 7, iPhone 15"`
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
	// Network is a kind of network; LatencyMS and the others are figures of its own, of which 0 is no limit.
	Network      string   `json:"network,omitempty" enum:"slow 3g,fast 3g,4g,offline,none"`
	LatencyMS    *float64 `json:"latency_ms,omitempty" min:"0" max:"60000"`
	DownloadKbps *float64 `json:"download_kbps,omitempty" min:"0" max:"10000000"`
	UploadKbps   *float64 `json:"upload_kbps,omitempty" min:"0" max:"10000000"`
	// CPUSlowdown is how many times slower pages run.
	CPUSlowdown *float64 `json:"cpu_slowdown,omitempty" min:"1" max:"100"`
	// Headers replace those that were set. Their values are not shown again.
	Headers map[string]any `json:"headers,omitempty" doc:"sent with each request to any site; replace those set before"`
	// Reset ends all that was set before.
	Reset bool `json:"reset,omitempty" doc:"first undo all"`
	toolkit.Timeout
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
	// Network is how fast the network is, CPUSlowdown how many times slower pages run.
	Network     *host.NetworkSpeed `json:"network,omitempty"`
	CPUSlowdown float64            `json:"cpu_slowdown,omitempty"`
	// Headers are the names of those that are sent with each request.
	Headers host.Headers `json:"headers,omitempty" schema:"-"`
}

// Emulate changes what the task emulates. Errors are those of [host.Task.Emulate].
func (b *Browser) Emulate(ctx context.Context, p EmulateParams) (EmulateResult, error) {
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	e := b.kit.Task.Emulation()
	if p.Reset {
		e = host.Emulation{}
	}
	if p.Device != "" {
		d, err := b.kit.Task.Device(ctx, p.Device)
		if err != nil {
			return EmulateResult{}, err
		}
		e.Width, e.Height, e.Scale, e.Mobile, e.Touch, e.UserAgent = d.Width, d.Height, d.Scale, d.Mobile, d.Touch, d.UserAgent
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
	if set(&e.CPUSlowdown, p.CPUSlowdown); e.CPUSlowdown == 1 {
		e.CPUSlowdown = 0
	}
	if err := p.network(&e); err != nil {
		return EmulateResult{}, err
	}
	if err := p.headers(&e); err != nil {
		return EmulateResult{}, err
	}
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
		return EmulateResult{}, result.BadArgument("longitude", "it is needed with latitude")
	case p.Longitude != nil:
		return EmulateResult{}, result.BadArgument("latitude", "it is needed with longitude")
	case p.Accuracy != nil:
		return EmulateResult{}, result.BadArgument("latitude", "it is needed with accuracy")
	}
	if err := b.kit.Task.Emulate(ctx, e); err != nil {
		return EmulateResult{}, err
	}
	return EmulateResult(e), nil
}

// network sets what is given of the network.
func (p EmulateParams) network(e *host.Emulation) error {
	figures := p.LatencyMS != nil || p.DownloadKbps != nil || p.UploadKbps != nil
	switch {
	case p.Network != "" && figures:
		return result.BadArgument("network", "give a kind of network, or latency_ms, download_kbps and upload_kbps")
	case p.Network != "" && p.Offline != nil:
		return result.BadArgument("offline", "network says whether there is one")
	case figures:
		e.Network = &host.NetworkSpeed{}
		set(&e.Network.LatencyMS, p.LatencyMS)
		set(&e.Network.DownloadKbps, p.DownloadKbps)
		set(&e.Network.UploadKbps, p.UploadKbps)
		if *e.Network == (host.NetworkSpeed{}) {
			e.Network = nil
		}
	case p.Network != "":
		e.Offline, e.Network = p.Network == "offline", nil
		if speed, known := host.NetworkNamed(p.Network); known {
			e.Network = &speed
		}
	}
	return nil
}

// headers sets the headers, if they are given.
func (p EmulateParams) headers(e *host.Emulation) error {
	if p.Headers == nil {
		return nil
	}
	e.Headers = host.Headers{}
	for name, value := range p.Headers {
		text, ok := value.(string)
		if !ok {
			return result.BadArgument("headers", "the value of %s is not a text", result.Visible(name))
		}
		e.Headers[name] = text
	}
	return e.Headers.Check()
}

// set replaces a value by one that was given.
func set[T any](value *T, given *T) {
	if given != nil {
		*value = *given
	}
}

func (EmulateResult) OwnText() bool { return true }

// Text says what is set.
func (r EmulateResult) Text() string {
	encoded, err := json.Marshal(r)
	if err != nil || string(encoded) == "{}" {
		return "nothing is emulated"
	}
	return "emulated in all tabs: " + result.Visible(string(encoded))
}
