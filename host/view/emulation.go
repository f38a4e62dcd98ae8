package view

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
	// Offline cuts pages off from the network.
	Offline bool
}

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
