package browser

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
)

func TestCommandLine(t *testing.T) {
	for _, tc := range []struct {
		name   string
		opts   LaunchOptions
		limits constraints
		has    []string
		hasNot []string
	}{
		{"the default is headless over the pipe", LaunchOptions{Transport: TransportPipe}, constraints{},
			[]string{"--headless=new", "--disable-gpu", "--remote-debugging-pipe", "--user-data-dir=/profile", "--no-first-run",
				"--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-popup-blocking",
				"--auto-reject-capture", "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"},
			[]string{"--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-port=0"}},
		{"the port", LaunchOptions{Transport: TransportPort}, constraints{},
			[]string{"--remote-debugging-port=0"}, []string{"--remote-debugging-pipe"}},
		{"a window", LaunchOptions{Transport: TransportPipe, Headful: true}, constraints{},
			nil, []string{"--headless=new", "--disable-gpu", "--mute-audio", "--auto-reject-capture"}},
		{"settings of Blink in a window", LaunchOptions{Transport: TransportPipe, Headful: true, Args: []string{"--blink-settings=imagesEnabled=false"}}, constraints{},
			[]string{"--blink-settings=imagesEnabled=false"}, nil},
		{"settings of Blink without one", LaunchOptions{Transport: TransportPipe, Args: []string{"--blink-settings=imagesEnabled=false"}}, constraints{},
			[]string{"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,imagesEnabled=false"}, nil},
		{"blocked popups", LaunchOptions{Transport: TransportPipe, BlockPopups: true}, constraints{},
			nil, []string{"--disable-popup-blocking"}},
		{"a poor container", LaunchOptions{Transport: TransportPipe}, constraints{noSandbox: true, smallShared: true},
			[]string{"--no-sandbox", "--disable-dev-shm-usage"}, nil},
		{"a size and a name", LaunchOptions{Transport: TransportPipe, Width: 3000, Height: 500, UserAgent: "Me/1"}, constraints{},
			[]string{"--window-size=3000,587", "--screen-info={3000x1080}", "--user-agent=Me/1"}, []string{"--test-type"}},
		{"more switches", LaunchOptions{Transport: TransportPipe, Args: []string{"--lang=de", "--window-size=1,2"}}, constraints{},
			[]string{"--lang=de", "--window-size=1,2"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args, err := commandLine(tc.opts, "/profile", tc.limits)
			if err != nil {
				t.Fatal(err)
			}
			for _, arg := range tc.has {
				if !slices.Contains(args, arg) {
					t.Errorf("%s is missing", arg)
				}
			}
			for _, arg := range tc.hasNot {
				if slices.Contains(args, arg) {
					t.Errorf("%s is there", arg)
				}
			}
			if args[len(args)-1] != "about:blank" {
				t.Errorf("the last argument is %q, want the first page", args[len(args)-1])
			}
		})
	}
}

func TestNoSwitchLeadsAroundTheGuard(t *testing.T) {
	guard, err := netguard.Start(netguard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer guard.Close()
	args, err := commandLine(LaunchOptions{Transport: TransportPipe, Guard: guard, Args: []string{"--disable-features=A", "--disable-features=B"}}, "/profile", constraints{})
	if err != nil {
		t.Fatal(err)
	}
	disabled := 0
	for _, arg := range args {
		if strings.HasPrefix(arg, "--disable-features=") {
			disabled++
		}
		if strings.Contains(arg, guard.Password()) {
			t.Errorf("%s has the password", arg)
		}
	}
	for _, want := range guard.Switches() {
		if !slices.Contains(args, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if disabled != 1 {
		t.Errorf("there are %d lists of disabled features, and Chromium uses the last", disabled)
	}
	for _, name := range netguard.Owned() {
		for _, arg := range []string{name, name + "=x", name[1:] + "=x", strings.ToUpper(name)} {
			_, err := commandLine(LaunchOptions{Transport: TransportPipe, Guard: guard, Args: []string{arg}}, "/profile", constraints{})
			if err == nil || !strings.Contains(err.Error(), "browser.network.allow") {
				t.Errorf("%s: %v", arg, err)
			}
		}
	}
}

func TestCommandLineRefusesWhatWouldContradictAnOption(t *testing.T) {
	for _, tc := range []struct{ arg, names string }{
		{"--user-data-dir=/x", "UserDataDir"},
		{"--headless", "Headful"},
		{"--headless=old", "Headful"},
		{"--remote-debugging-pipe", "Transport"},
		{"--remote-debugging-port=9222", "Transport"},
		{"https://example.com", "only switches"},
	} {
		_, err := commandLine(LaunchOptions{Transport: TransportPipe, Args: []string{tc.arg}}, "/p", constraints{})
		if err == nil || !strings.Contains(err.Error(), tc.names) {
			t.Errorf("%s: got %v, want an error that names %s", tc.arg, err, tc.names)
		}
	}
	if _, err := commandLine(LaunchOptions{Transport: "smoke"}, "/p", constraints{}); err == nil || !strings.Contains(err.Error(), `"smoke"`) {
		t.Errorf("got %v for an unknown transport", err)
	}
}

func TestFeaturesAreMergedIntoOneSwitch(t *testing.T) {
	name := rapid.SampledFrom([]string{"A", "B", "C", "Translate", "HttpsUpgrades"})
	lists := rapid.SliceOfN(rapid.SliceOfN(name, 0, 3), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		enable, disable := lists.Draw(t, "enable"), lists.Draw(t, "disable")
		var given []string
		for _, list := range enable {
			given = append(given, "--enable-features="+strings.Join(list, ","))
		}
		for _, list := range disable {
			given = append(given, "--disable-features="+strings.Join(list, ","))
		}
		args, err := commandLine(LaunchOptions{Transport: TransportPipe, Args: given}, "/p", constraints{})
		if err != nil {
			t.Fatal(err)
		}
		on, off := onlyFeatures(t, args, "--enable-features="), onlyFeatures(t, args, "--disable-features=")
		for _, feature := range slices.Concat(enable...) {
			if !slices.Contains(on, feature) {
				t.Errorf("%s was enabled by the user and is not in %v", feature, on)
			}
		}
		for _, feature := range slices.Concat(disable...) {
			if !slices.Contains(off, feature) {
				t.Errorf("%s was disabled by the user and is not in %v", feature, off)
			}
		}
		for _, feature := range slices.Concat(unwantedFeatures, unansweredFeatures) {
			byUser := slices.Contains(slices.Concat(enable...), feature) && !slices.Contains(slices.Concat(disable...), feature)
			if slices.Contains(off, feature) == byUser {
				t.Errorf("%s: disabled is %v although enabled by the user is %v", feature, !byUser, byUser)
			}
		}
	})
}

// onlyFeatures gives the features of the one switch of that name.
func onlyFeatures(t *rapid.T, args []string, name string) []string {
	var found [][]string
	for _, arg := range args {
		if list, ok := strings.CutPrefix(arg, name); ok {
			found = append(found, strings.Split(list, ","))
		}
	}
	if len(found) > 1 {
		t.Fatalf("%s is there %d times, the browser takes only the last", name, len(found))
	}
	return slices.Concat(found...)
}
