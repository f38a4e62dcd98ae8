package browser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

// The default switches, by purpose. See https://peter.sh/experiments/chromium-command-line-switches/ and those that
// Puppeteer and Playwright use.
var (
	// quiet: no first-run pages, no prompts, nothing shared with a keyring.
	quiet = []string{
		"--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-search-engine-choice-screen",
		"--disable-prompt-on-repost", "--password-store=basic", "--use-mock-keychain", "--noerrdialogs",
	}
	// offline: only pages use the network, not the browser itself.
	offline = []string{
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-domain-reliability",
		"--disable-client-side-phishing-detection", "--metrics-recording-only", "--no-pings", "--disable-breakpad",
		"--disable-component-extensions-with-background-pages",
	}
	// unthrottled: background tabs run like the one in front, and a page that a supervisor blocks is not reported as
	// hung. The protection against floods of navigations stays on, which other tools turn off: a page that pushes
	// states in a loop would answer nothing.
	unthrottled = []string{
		"--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling",
		"--disable-hang-monitor", "--allow-pre-commit-input",
	}
	// windowless: there is no screen, GPU or audio device, and nobody who could choose what is captured.
	windowless = []string{"--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio", "--auto-reject-capture"}
	// withMouse: pages are told of the mouse that agents have, also on a machine without one. Style sheets that show a
	// menu to a pointer that hovers ask for one first, and calendars for desktops for one that is fine. The numbers are
	// those of Blink's HoverType and PointerType, as bits.
	// https://source.chromium.org/chromium/chromium/src/+/main:ui/base/pointer/pointer_device.h
	withMouse = []string{"primaryHoverType=2", "availableHoverTypes=2", "primaryPointerType=4", "availablePointerTypes=4"}
	// unansweredFeatures ask in a dialog over the tab, which nobody sees without a window, and under which the tab gets no
	// input. Pages see that the browser does not have them.
	unansweredFeatures = []string{"WebPayments", "WebIdentityDigitalCredentials"}
	// unwantedFeatures are disabled by name. HttpsUpgrades would change an agent's http URL. With the WebUIOmnibox
	// features each window loads two hidden pages for its address bar, each in a renderer of its own, which cost four
	// times as much as the window itself. DeferRendererTasksAfterInput holds back the timers and messages of a page that
	// has received input until its next frame is drawn, and with them what comes of a click: 8 of its 26 ms.
	unwantedFeatures = []string{
		"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "AutofillServerCommunication",
		"CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions", "HttpsUpgrades", "DeferRendererTasksAfterInput",
		"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
	}
)

const (
	// toolbars is how much higher a window is than its page. Without a window on the screen, too, Chromium lays out its
	// toolbars (seen in Chromium 156).
	toolbars = 87
	// The screen of a browser without a window is at least this large.
	screenWidth  = 1920
	screenHeight = 1080
)

// ownedSwitches are set by options of [LaunchOptions] and refused in Args.
var ownedSwitches = map[string]string{
	"--user-data-dir":         "UserDataDir",
	"--headless":              "Headful",
	"--remote-debugging-pipe": "Transport",
	"--remote-debugging-port": "Transport",
}

// constraints are what the machine imposes on the command line.
type constraints struct {
	noSandbox   bool
	unusable    string // why the sandbox cannot be used here; empty: no reason known
	smallShared bool   // /dev/shm is too small for renderers
}

// commandLine returns the arguments of the browser. It is a pure function.
func commandLine(opts LaunchOptions, userDataDir string, limits constraints) ([]string, error) {
	args := []string{"--user-data-dir=" + userDataDir}
	switch opts.Transport {
	case TransportPipe:
		args = append(args, "--remote-debugging-pipe")
	case TransportPort:
		args = append(args, "--remote-debugging-port=0")
	default:
		return nil, fmt.Errorf("unknown transport %q; pipe and port are known", opts.Transport)
	}
	args = append(args, fmt.Sprintf("--window-size=%d,%d", opts.Width, opts.Height+toolbars))
	if !opts.Headful {
		args = append(args, windowless...)
		args = append(args, fmt.Sprintf("--screen-info={%dx%d}", max(opts.Width, screenWidth), max(opts.Height+toolbars, screenHeight)))
	}
	if opts.UserAgent != "" {
		args = append(args, "--user-agent="+opts.UserAgent)
	}
	args = slices.Concat(args, quiet, offline, unthrottled)
	if !opts.BlockPopups {
		args = append(args, "--disable-popup-blocking")
	}
	if limits.noSandbox {
		args = append(args, "--no-sandbox", "--test-type") // which shows no bar about that, 56 pixels high, over the page
	}
	if limits.smallShared {
		args = append(args, "--disable-dev-shm-usage")
	}
	if opts.Guard != nil {
		args = append(args, opts.Guard.Switches()...)
	}
	var enabled, disabled, blink []string
	if !opts.Headful {
		blink = withMouse
	}
	for _, arg := range opts.Args {
		name, value, _ := strings.Cut(arg, "=")
		name = strings.ToLower("--" + strings.TrimLeft(name, "-")) // Chromium takes one dash, too, and Windows any case
		if option := ownedSwitches[name]; option != "" {
			return nil, fmt.Errorf("the switch %s is set by the option %s; use that instead", name, option)
		}
		if opts.Guard != nil && slices.Contains(netguard.Owned(), name) {
			return nil, fmt.Errorf("the switch %s would lead around the network guard: use browser.proxy for a proxy, or set %s to [all] for none", name, netrules.Key)
		}
		switch {
		case name == "--enable-features":
			enabled = append(enabled, features(value)...)
		case name == "--disable-features":
			disabled = append(disabled, features(value)...)
		case name == "--blink-settings":
			blink = append(slices.Clip(blink), value) // of two values of a setting, the last counts
		case !strings.HasPrefix(arg, "-"):
			return nil, fmt.Errorf("%q is not a switch; only switches can be added, and pages are opened over the connection", arg)
		default:
			args = append(args, arg)
		}
	}
	unwanted := unwantedFeatures
	if !opts.Headful {
		unwanted = slices.Concat(unwanted, unansweredFeatures)
	}
	for _, feature := range unwanted {
		if !slices.Contains(enabled, feature) {
			disabled = append(disabled, feature)
		}
	}
	// Chromium only uses the last of several switches of the same name.
	args = appendFeatures(args, "--enable-features=", enabled)
	args = appendFeatures(args, "--disable-features=", disabled)
	if len(blink) > 0 {
		args = append(args, "--blink-settings="+strings.Join(blink, ","))
	}
	if opts.NoTab {
		return append(args, "--no-startup-window"), nil
	}
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
