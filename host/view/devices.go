package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
)

// The figures are those of the devices that Chrome's developer tools offer, and where they have none those that the
// makers publish: the viewport in CSS pixels, upright, and the device pixels for one of them.

// The user agents, in which %s is the version of the browser.
const (
	iPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	iPad    = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	phone   = "Mozilla/5.0 (Linux; Android %d; %s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%%s Mobile Safari/537.36"
	tablet  = "Mozilla/5.0 (Linux; Android %d; %s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%%s Safari/537.36"
	surface = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Safari/537.36"
)

var devices = map[string]Emulation{
	"iPhone SE":         handheld(375, 667, 2, iPhone),
	"iPhone XR":         handheld(414, 896, 2, iPhone),
	"iPhone 12 Pro":     handheld(390, 844, 3, iPhone),
	"iPhone 14 Pro Max": handheld(430, 932, 3, iPhone),
	"iPhone 15":         handheld(393, 852, 3, iPhone),
	"iPad Mini":         handheld(768, 1024, 2, iPad),
	"iPad Air":          handheld(820, 1180, 2, iPad),
	"iPad Pro":          handheld(1024, 1366, 2, iPad),
	"Pixel 5":           handheld(393, 851, 2.75, fmt.Sprintf(phone, 14, "Pixel 5")),
	"Pixel 7":           handheld(412, 915, 2.625, fmt.Sprintf(phone, 15, "Pixel 7")),
	"Pixel 9":           handheld(412, 923, 2.625, fmt.Sprintf(phone, 15, "Pixel 9")),
	"Galaxy S8+":        handheld(360, 740, 4, fmt.Sprintf(phone, 9, "SM-G955U")),
	"Galaxy S20 Ultra":  handheld(412, 915, 3.5, fmt.Sprintf(phone, 13, "SM-G988B")),
	"Galaxy S24":        handheld(360, 780, 3, fmt.Sprintf(phone, 15, "SM-S921B")),
	"Galaxy A51":        handheld(412, 914, 2.625, fmt.Sprintf(phone, 13, "SM-A515F")),
	"Galaxy Tab S4":     handheld(712, 1138, 2.25, fmt.Sprintf(tablet, 10, "SM-T837A")),
	"Moto G4":           handheld(360, 640, 3, fmt.Sprintf(phone, 7, "Moto G (4)")),
	"Surface Pro 7":     handheld(912, 1368, 2, surface),
	"Nest Hub":          handheld(1024, 600, 2, "Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Safari/537.36 CrKey/1.54.250320"),
	"Laptop 1366x768":   {Width: 1366, Height: 768, Scale: 1},
	"Desktop 1920x1080": {Width: 1920, Height: 1080, Scale: 1},
	"Desktop 2560x1440": {Width: 2560, Height: 1440, Scale: 1},
}

// handheld is a device with a touch screen, for which pages are laid out as on a phone.
func handheld(width, height int, scale float64, userAgent string) Emulation {
	return Emulation{Width: width, Height: height, Scale: scale, Mobile: true, Touch: true, UserAgent: userAgent}
}

// Devices lists the names of the devices that can be emulated.
func Devices() []string { return slices.Sorted(maps.Keys(devices)) }

// Device is what emulates a device, whose name may be written in small letters: its viewport, its touch screen and its
// user agent, which names the version of the browser, such as 141.0.0.0, if the device's own browser is a Chromium. The
// error, ErrBadArguments, names the nearest device.
func Device(name, version string) (Emulation, error) {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }
	for known, e := range devices {
		if plain(known) == plain(name) {
			e.UserAgent = strings.ReplaceAll(e.UserAgent, "%s", version)
			return e, nil
		}
	}
	edits := func(a, b string) int { return misspelt.Edits(plain(a), plain(b)) }
	nearest := misspelt.Nearest(name, Devices(), len(name)/2, edits)
	return Emulation{}, fmt.Errorf("%w: device: there is no %q%s; the devices are %s",
		fault.ErrBadArguments, name, misspelt.DidYouMean(nearest), strings.Join(Devices(), ", "))
}

// networks are those of [NetworkNamed], with the figures of Chrome's developer tools.
var networks = map[string]NetworkSpeed{
	"slow 3g": {LatencyMS: 2000, DownloadKbps: 400, UploadKbps: 400},
	"fast 3g": {LatencyMS: 562.5, DownloadKbps: 1440, UploadKbps: 675},
	"4g":      {LatencyMS: 165, DownloadKbps: 8100, UploadKbps: 1350},
}

// NetworkNamed is the speed of a kind of network: slow 3g, fast 3g or 4g.
func NetworkNamed(name string) (speed NetworkSpeed, known bool) {
	speed, known = networks[name]
	return speed, known
}
