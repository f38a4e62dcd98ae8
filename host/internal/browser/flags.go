package browser

import (
	"fmt"
	"slices"
	"strings"
)

// The default switches, by what they are for. See https://peter.sh/experiments/chromium-command-line-switches/ and what
// Puppeteer and Playwright pass.
var (
	// quiet: no first-run pages, no questions to the user, nothing shared with a keyring.
	quiet = []string{
		"--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-search-engine-choice-screen",
		"--disable-prompt-on-repost", "--password-store=basic", "--use-mock-keychain", "--noerrdialogs",
	}
	// offline: the browser itself talks to no one, only its pages do.
	offline = []string{
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-domain-reliability",
		"--disable-client-side-phishing-detection", "--metrics-recording-only", "--no-pings", "--disable-breakpad",
		"--disable-component-extensions-with-background-pages",
	}
	// honest: a tab that is not in front runs like one that is, and a page that is held by a supervisor is not "hung".
	honest = []string{
		"--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling",
		"--disable-hang-monitor", "--disable-ipc-flooding-protection", "--allow-pre-commit-input",
	}
	// windowless: there is no screen, no GPU and no loudspeaker.
	windowless = []string{"--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio"}
	// unwantedFeatures are turned off by name. HttpsUpgrades would turn an agent's http address into another one first; with
	// the WebUIOmnibox ones each window loads two hidden pages for its address bar, each in a renderer of its own, which cost
	// four times what the window itself does.
	unwantedFeatures = []string{
		"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "AutofillServerCommunication",
		"CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions", "HttpsUpgrades",
		"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
	}
)

// ownedSwitches are set by an option of [LaunchOptions] and refused in Args.
var ownedSwitches = map[string]string{
	"--user-data-dir":         "UserDataDir",
	"--headless":              "Headful",
	"--remote-debugging-pipe": "Transport",
	"--remote-debugging-port": "Transport",
}

// surroundings is what the machine forces on the command line.
type surroundings struct {
	noSandbox   bool
	unusable    string // why the sandbox cannot be used here; empty: nothing is known against it
	smallShared bool   // /dev/shm is too small for renderers
}

// commandLine gives the browser's arguments. It is a pure function of its inputs.
func commandLine(opts LaunchOptions, userDataDir string, around surroundings) ([]string, error) {
	args := []string{"--user-data-dir=" + userDataDir}
	switch opts.Transport {
	case TransportPipe:
		args = append(args, "--remote-debugging-pipe")
	case TransportPort:
		args = append(args, "--remote-debugging-port=0")
	default:
		return nil, fmt.Errorf("unknown transport %q; pipe and port are known", opts.Transport)
	}
	if !opts.Headful {
		args = append(args, windowless...)
	}
	args = slices.Concat(args, quiet, offline, honest)
	if !opts.BlockPopups {
		args = append(args, "--disable-popup-blocking")
	}
	if around.noSandbox {
		args = append(args, "--no-sandbox")
	}
	if around.smallShared {
		args = append(args, "--disable-dev-shm-usage")
	}
	var enabled, disabled []string
	for _, arg := range opts.Args {
		name, value, _ := strings.Cut(arg, "=")
		if option := ownedSwitches[name]; option != "" {
			return nil, fmt.Errorf("the switch %s is set by the option %s: use that instead", name, option)
		}
		switch {
		case name == "--enable-features":
			enabled = append(enabled, features(value)...)
		case name == "--disable-features":
			disabled = append(disabled, features(value)...)
		case !strings.HasPrefix(arg, "-"):
			return nil, fmt.Errorf("%q is no switch: only switches can be added, pages are opened over the connection", arg)
		default:
			args = append(args, arg)
		}
	}
	for _, feature := range unwantedFeatures {
		if !slices.Contains(enabled, feature) {
			disabled = append(disabled, feature)
		}
	}
	// Chromium takes only the last of several switches of one name.
	args = appendFeatures(args, "--enable-features=", enabled)
	args = appendFeatures(args, "--disable-features=", disabled)
	return append(args, "about:blank"), nil
}

func features(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

func appendFeatures(args []string, name string, list []string) []string {
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return args
	}
	return append(args, name+strings.Join(list, ","))
}
