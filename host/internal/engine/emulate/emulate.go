// Package emulate knows the commands that make tabs emulate another device, place or network.
package emulate

import (
	"slices"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	emulationcdp "github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// emulateNetworkConditions also changes what navigator.onLine says. The generated protocol only has the commands that
// are to replace it, which older browsers do not know.
const emulateNetworkConditions = "Network.emulateNetworkConditions"

type networkConditions struct {
	Offline  bool    `json:"offline"`
	Latency  float64 `json:"latency"`
	Download float64 `json:"downloadThroughput"` // -1: unlimited
	Upload   float64 `json:"uploadThroughput"`
}

// Parameter names the parameter that a command stands for.
func Parameter(method string) string { return parameters[method] }

var parameters = map[string]string{
	emulationcdp.CommandSetDeviceMetricsOverride: "width, height or device_scale_factor",
	emulationcdp.CommandSetTouchEmulationEnabled: "touch",
	emulationcdp.CommandSetUserAgentOverride:     "user_agent or locale",
	emulationcdp.CommandSetLocaleOverride:        "locale",
	emulationcdp.CommandSetTimezoneOverride:      "timezone",
	emulationcdp.CommandSetEmulatedMedia:         "media",
	emulationcdp.CommandSetGeolocationOverride:   "latitude or longitude",
	cdpbrowser.CommandSetPermission:              "permissions",
	emulateNetworkConditions:                     "network or offline",
	emulationcdp.CommandSetCPUThrottlingRate:     "cpu_slowdown",
	network.CommandSetExtraHTTPHeaders:           "headers",
}

// Commands returns the commands that emulate something, and those that end it.
func Commands(e view.Emulation, of cdproto.BrowserContextID) (set, undo []supervise.EmulationCommand) {
	// One permission does not replace another, and in place of a timezone that is set the browser takes an unknown one
	// without an error.
	anew := []string{cdpbrowser.CommandSetPermission, emulationcdp.CommandSetTimezoneOverride, emulationcdp.CommandSetLocaleOverride}
	add := func(where supervise.EmulationPlace, method string, params any, undoMethod string, undoParams any) {
		set = append(set, supervise.EmulationCommand{Method: method, Params: params, Where: where, Anew: slices.Contains(anew, method)})
		undo = append(undo, supervise.EmulationCommand{Method: undoMethod, Params: undoParams, Where: where})
	}
	if e.Width != 0 || e.Height != 0 || e.Scale != 0 || e.Mobile {
		add(supervise.InTabs, emulationcdp.CommandSetDeviceMetricsOverride, &emulationcdp.SetDeviceMetricsOverrideParams{
			Width: int64(e.Width), Height: int64(e.Height), DeviceScaleFactor: e.Scale, Mobile: e.Mobile,
		}, emulationcdp.CommandClearDeviceMetricsOverride, nil)
	}
	if e.Touch {
		const method = emulationcdp.CommandSetTouchEmulationEnabled
		add(supervise.InDocuments, method, &emulationcdp.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5},
			method, &emulationcdp.SetTouchEmulationEnabledParams{})
	}
	if e.UserAgent != "" || e.Locale != "" {
		const method = emulationcdp.CommandSetUserAgentOverride
		add(supervise.Everywhere, method, userAgentOverride(e.UserAgent, e.Locale), method, &emulationcdp.SetUserAgentOverrideParams{})
	}
	if e.Locale != "" {
		const method = emulationcdp.CommandSetLocaleOverride
		add(supervise.InDocuments, method, &emulationcdp.SetLocaleOverrideParams{Locale: e.Locale}, method, &emulationcdp.SetLocaleOverrideParams{})
	}
	if e.Timezone != "" {
		const method = emulationcdp.CommandSetTimezoneOverride
		add(supervise.InDocuments, method, &emulationcdp.SetTimezoneOverrideParams{TimezoneID: e.Timezone}, method, &emulationcdp.SetTimezoneOverrideParams{})
	}
	if features := mediaFeatures(e); e.Media != "" || features != nil {
		const method = emulationcdp.CommandSetEmulatedMedia
		add(supervise.InDocuments, method, &emulationcdp.SetEmulatedMediaParams{Media: e.Media, Features: features}, method, &emulationcdp.SetEmulatedMediaParams{})
	}
	if g := e.Geolocation; g != nil {
		add(supervise.InTabs, emulationcdp.CommandSetGeolocationOverride, &emulationcdp.SetGeolocationOverrideParams{
			Latitude: &g.Latitude, Longitude: &g.Longitude, Accuracy: &g.Accuracy,
		}, emulationcdp.CommandClearGeolocationOverride, nil)
	}
	for _, p := range e.Permissions {
		add(supervise.InBrowser, cdpbrowser.CommandSetPermission, &cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: p.Name}, Setting: cdpbrowser.PermissionSetting(p.State), Origin: p.Origin, BrowserContextID: of,
		}, cdpbrowser.CommandResetPermissions, &cdpbrowser.ResetPermissionsParams{BrowserContextID: of})
	}
	if e.Offline || e.Network != nil {
		const method = emulateNetworkConditions
		add(supervise.Everywhere, method, conditionsOf(e), method, networkConditions{Download: -1, Upload: -1})
	}
	if e.CPUSlowdown > 1 {
		const method = emulationcdp.CommandSetCPUThrottlingRate
		add(supervise.InDocuments, method, &emulationcdp.SetCPUThrottlingRateParams{Rate: e.CPUSlowdown}, method, &emulationcdp.SetCPUThrottlingRateParams{Rate: 1})
	}
	if len(e.Headers) > 0 {
		const method = network.CommandSetExtraHTTPHeaders
		sent := network.Headers{}
		for name, value := range e.Headers {
			sent[name] = value
		}
		add(supervise.Everywhere, method, &network.SetExtraHTTPHeadersParams{Headers: sent}, method, &network.SetExtraHTTPHeadersParams{Headers: network.Headers{}})
	}
	return set, undo
}

// conditionsOf are those of a network that is slow or absent.
func conditionsOf(e view.Emulation) networkConditions {
	c := networkConditions{Offline: e.Offline, Download: -1, Upload: -1}
	if speed := e.Network; speed != nil {
		c.Latency = speed.LatencyMS
		if speed.DownloadKbps > 0 {
			c.Download = speed.DownloadKbps * bytesPerKbit
		}
		if speed.UploadKbps > 0 {
			c.Upload = speed.UploadKbps * bytesPerKbit
		}
	}
	return c
}

const bytesPerKbit = 1000 / 8

func mediaFeatures(e view.Emulation) (list []*emulationcdp.MediaFeature) {
	if e.ColorScheme != "" {
		list = append(list, &emulationcdp.MediaFeature{Name: "prefers-color-scheme", Value: e.ColorScheme})
	}
	if e.ReducedMotion {
		list = append(list, &emulationcdp.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	}
	return list
}
