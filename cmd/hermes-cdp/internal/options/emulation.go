package options

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// credentials are those of `browser.credentials`, by origin. A variable that is not set leaves a text empty, which the
// host refuses where it is the user.
func credentials(list []string, getenv func(string) string) map[string]host.Credentials {
	if len(list) == 0 {
		return nil
	}
	by := map[string]host.Credentials{}
	for _, item := range list {
		if m := config.CredentialsPattern.FindStringSubmatch(item); m != nil {
			by[m[1]+"://"+m[4]] = host.Credentials{User: getenv(m[2]), Password: getenv(m[3])}
		}
	}
	return by
}

// emulation is what `browser.emulation` says.
func emulation(c config.Emulation, getenv func(string) string) host.Emulation {
	e := host.Emulation{
		Width: c.Width, Height: c.Height, UserAgent: c.UserAgent, Locale: c.Locale, Timezone: c.Timezone, ColorScheme: c.ColorScheme,
		Offline: c.Network == "offline",
	}
	if at := strings.Fields(c.Geolocation); len(at) == 2 {
		latitude, _ := strconv.ParseFloat(at[0], 64) // the configuration has checked both
		longitude, _ := strconv.ParseFloat(at[1], 64)
		e.Geolocation = &host.Geolocation{Latitude: latitude, Longitude: longitude, Accuracy: 1}
	}
	for _, item := range c.Permissions {
		if origin, name, ok := strings.Cut(item, " "); ok {
			e.Permissions = append(e.Permissions, host.Permission{Origin: origin, Name: name, State: "granted"})
		}
	}
	if speed, known := host.NetworkNamed(c.Network); known {
		e.Network = &speed
	}
	for name, value := range c.Headers {
		if e.Headers == nil {
			e.Headers = host.Headers{}
		}
		e.Headers[name] = variable.ReplaceAllStringFunc(value, func(found string) string { return cmp.Or(getenv(found[2:len(found)-1]), found) })
	}
	return e
}

// variable is a reference. One to a variable that is not set stays as it is written.
var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
