package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Emulation is what the pages of a task are told about the device, the user and the network. The zero value emulates
// nothing: each field that is zero leaves what the browser has.
type Emulation struct {
	// Width and Height are those of the viewport in CSS pixels, Scale is the number of device pixels for one of them.
	Width, Height int
	Scale         float64
	// Mobile lays pages out as on a phone, and Touch makes them see a touch screen.
	Mobile, Touch bool
	// UserAgent replaces that of scripts and of requests.
	UserAgent string
	// Locale, such as de-DE, is that of scripts, and the language that is asked for.
	Locale string
	// Timezone is an IANA name, such as Europe/Berlin.
	Timezone string
	// ColorScheme is light or dark, and Media is screen or print.
	ColorScheme, Media string
	ReducedMotion      bool
	// Geolocation is told to pages that have the permission to know it.
	Geolocation *Geolocation
	// Permissions are granted or denied instead of asking a user.
	Permissions []Permission
	// Offline cuts pages off from the network, and Network slows it down.
	Offline bool
	Network *NetworkSpeed
	// CPUSlowdown is how many times slower pages run; at most 1: not slower.
	CPUSlowdown float64
	// Headers are sent with each request of the task's pages, whichever server it is for.
	Headers Headers
}

// NetworkSpeed is a limit for each request. What is zero is not limited.
type NetworkSpeed struct {
	LatencyMS    float64 `json:"latency_ms,omitempty"`
	DownloadKbps float64 `json:"download_kbps,omitempty"`
	UploadKbps   float64 `json:"upload_kbps,omitempty"`
}

// Headers are HTTP headers by name. The values may be secrets, so that only the names are ever printed.
type Headers map[string]string

// String names the headers.
func (h Headers) String() string { return strings.Join(slices.Sorted(maps.Keys(h)), ", ") }

// GoString names the headers.
func (h Headers) GoString() string { return h.String() }

// MarshalJSON lists the names.
func (h Headers) MarshalJSON() ([]byte, error) { return json.Marshal(slices.Sorted(maps.Keys(h))) }

// Check rejects what is no name or no value of a header.
func (h Headers) Check() error {
	for name, value := range h {
		if !headerName.MatchString(name) {
			return fmt.Errorf("%w: headers: %q is not the name of a header", fault.ErrBadArguments, name)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return fmt.Errorf("%w: headers: the value of %s has a control character", fault.ErrBadArguments, name)
		}
	}
	return nil
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// Geolocation is a place, in degrees and metres.
type Geolocation struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Accuracy  float64 `json:"accuracy"`
}

// Permission is one decision about the pages of an origin. Name is one of the Permissions API, such as geolocation.
type Permission struct {
	Origin string `json:"origin" need:"yes"`
	Name   string `json:"name" need:"yes" doc:"geolocation, notifications, camera, clipboard-read, ..."`
	State  string `json:"state" need:"yes" enum:"granted,denied"`
}
