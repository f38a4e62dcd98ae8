package emulate

import (
	"cmp"
	"regexp"
	"strings"

	emulationcdp "github.com/chromedp/cdproto/emulation"
)

var (
	chromeVersion  = regexp.MustCompile(`Chrome/((\d+)[\d.]*)`)
	androidVersion = regexp.MustCompile(`Android ([\d.]+)(?:; ([^;)]+))?`)
)

// systems are what user agents call the operating systems, what client hints call them, and navigator.platform there.
var systems = []struct{ agent, hint, platform string }{
	{"iPhone", "", "iPhone"}, {"iPad", "", "iPad"}, {"Android", "Android", "Linux armv81"}, {"Windows NT", "Windows", "Win32"},
	{"Macintosh", "macOS", "MacIntel"}, {"CrOS", "Chrome OS", "Linux x86_64"}, {"Linux aarch64", "Linux", "Linux aarch64"},
	{"Linux", "Linux", "Linux x86_64"},
}

// userAgentOverride is what makes pages see a user agent and a language, with the platform and the client hints that go
// with the user agent. Of those, only the browsers of the Chromium family have any.
func userAgentOverride(userAgent, language string) *emulationcdp.SetUserAgentOverrideParams {
	p := &emulationcdp.SetUserAgentOverrideParams{UserAgent: userAgent, AcceptLanguage: language}
	for _, system := range systems {
		if strings.Contains(userAgent, system.agent) {
			p.Platform = system.platform
			if version := chromeVersion.FindStringSubmatch(userAgent); version != nil && system.hint != "" {
				p.UserAgentMetadata = clientHints(userAgent, system.hint, version[1], version[2])
			}
			break
		}
	}
	return p
}

// clientHints are those of a browser of the Chromium family.
func clientHints(userAgent, system, version, major string) *emulationcdp.UserAgentMetadata {
	brand := "Google Chrome"
	if strings.Contains(userAgent, "Edg") {
		brand = "Microsoft Edge"
	}
	brands := func(version, other string) []*emulationcdp.UserAgentBrandVersion {
		return []*emulationcdp.UserAgentBrandVersion{{Brand: "Chromium", Version: version}, {Brand: brand, Version: version}, {Brand: "Not_A Brand", Version: other}}
	}
	hints := &emulationcdp.UserAgentMetadata{
		Brands: brands(major, "99"), FullVersionList: brands(version, "99.0.0.0"), Platform: system, Mobile: strings.Contains(userAgent, "Mobile"),
	}
	if android := androidVersion.FindStringSubmatch(userAgent); android != nil {
		hints.PlatformVersion, hints.Model = android[1], android[2]
		hints.FormFactors = []string{"Tablet"}
	} else {
		hints.Architecture, hints.Bitness, hints.FormFactors = "x86", "64", []string{"Desktop"}
	}
	if hints.Mobile {
		hints.FormFactors = []string{"Mobile"}
	}
	hints.PlatformVersion = cmp.Or(hints.PlatformVersion, "10.0.0")
	return hints
}
