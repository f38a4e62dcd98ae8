package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// Endpoints lists the debugging endpoints of the browsers that this user has running here: WebSocket URLs, as the
// browsers have written them into their profiles. So does Chrome for a person who allows remote debugging at
// chrome://inspect/#remote-debugging, where there is no /json/version.
func Endpoints(ctx context.Context) []string {
	var found []string
	for _, dir := range append([]string{DedicatedProfile()}, usualProfiles(runtime.GOOS, os.Getenv)...) {
		if endpoint, port, ok := activePort(dir); ok && listens(ctx, port) { // the file stays after a browser that was killed
			found = append(found, endpoint)
		}
	}
	return found
}

// EndpointAt is the one of [Endpoints] at a port of this machine; empty: there is none.
func EndpointAt(ctx context.Context, port string) string {
	for _, endpoint := range Endpoints(ctx) {
		if strings.HasPrefix(endpoint, "ws://127.0.0.1:"+port+"/") {
			return endpoint
		}
	}
	return ""
}

// activePort reads the file in which a browser writes the port that it listens on and the path of its endpoint.
func activePort(profile string) (endpoint, port string, ok bool) {
	content, err := os.ReadFile(filepath.Join(profile, portFile))
	if err != nil || profile == "" {
		return "", "", false
	}
	// The file is written in one go. An incomplete one is read again.
	port, path, ok := strings.Cut(string(content), "\n")
	if n, err := strconv.ParseUint(port, 10, 16); !ok || !strings.HasPrefix(path, "/") || err != nil || n == 0 {
		return "", "", false
	}
	return "ws://127.0.0.1:" + port + strings.TrimSpace(path), port, true
}

// listenLimit is how long a connection within this machine may take.
const listenLimit = time.Second

// listens reports whether something listens on a port of this machine.
func listens(ctx context.Context, port string) bool {
	conn, err := (&net.Dialer{Timeout: listenLimit}).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// usualProfiles lists the user data directories that browsers have by default. See
// https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md.
func usualProfiles(goos string, getenv func(string) string) []string {
	var root string
	var names []string
	switch goos {
	case "windows":
		root = getenv("LocalAppData")
		names = []string{`Google\Chrome\User Data`, `Google\Chrome Beta\User Data`, `Chromium\User Data`, `Microsoft\Edge\User Data`, `BraveSoftware\Brave-Browser\User Data`}
	case "darwin":
		root = filepath.Join(getenv("HOME"), "Library/Application Support")
		names = []string{"Google/Chrome", "Google/Chrome Beta", "Chromium", "Microsoft Edge", "BraveSoftware/Brave-Browser"}
	default:
		root = getenv("XDG_CONFIG_HOME")
		if root == "" {
			root = filepath.Join(getenv("HOME"), ".config")
		}
		names = []string{"google-chrome", "google-chrome-beta", "chromium", "microsoft-edge", "BraveSoftware/Brave-Browser",
			"../snap/chromium/common/chromium", "../.var/app/org.chromium.Chromium/config/chromium"}
	}
	var dirs []string
	for _, name := range names {
		if root != "" {
			dirs = append(dirs, filepath.Join(root, name))
		}
	}
	return dirs
}

// DedicatedProfile is the user data directory of the browser that [OpenWindow] starts: Chrome refuses to be debugged on
// the one that it uses by default. Empty: the user has no home directory.
//
// https://developer.chrome.com/blog/remote-debugging-port
func DedicatedProfile() string {
	root := os.Getenv("XDG_DATA_HOME")
	switch home, err := os.UserHomeDir(); {
	case runtime.GOOS == "windows":
		root = os.Getenv("LocalAppData")
	case runtime.GOOS == "darwin" && err == nil:
		root = filepath.Join(home, "Library/Application Support")
	case root == "" && err == nil:
		root = filepath.Join(home, ".local/share")
	}
	if root == "" {
		return ""
	}
	return filepath.Join(root, "hermes-cdp", "browser")
}

// DedicatedProfiles is the [DedicatedProfile], if there is one.
func DedicatedProfiles() []string {
	if dir := DedicatedProfile(); dir != "" {
		return []string{dir}
	}
	return nil
}

// OpenWindow starts a browser for a person, with a window, on the [DedicatedProfile], and returns its endpoint. The
// browser belongs to the person: nothing here ends it. Of the options it takes Executable, Args, Environment and
// Sandbox. ctx bounds the start. Errors are a [*NotFoundError] or a [*StartError].
func OpenWindow(ctx context.Context, o LaunchOptions) (endpoint string, err error) {
	o = o.withDefaults()
	path, err := Find(o.Executable)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = &StartError{Executable: path, Err: err}
		}
	}()
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return "", errors.New("there is no screen for its window (DISPLAY and WAYLAND_DISPLAY are empty); run this in a desktop session, or start a browser without a window (connect --launch)")
	}
	if o.UserDataDir, o.User = DedicatedProfile(), "a person"; o.UserDataDir == "" {
		return "", errors.New("there is no home directory for its profile; set HOME")
	}
	limits := detectConstraints(o, path)
	if err := mayStart(o, limits); err != nil {
		return "", err
	}
	profile, err := openProfile(ctx, o)
	if err != nil {
		return "", err
	}
	defer profile.done() // the browser keeps it, by a lock of its own
	args := []string{"--user-data-dir=" + profile.dir, "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check"}
	if limits.noSandbox {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path, append(args, o.Args...)...)
	cmd.Env = environment(os.Environ(), o.Environment, profile.dir)
	process, err := procgroup.Start(cmd)
	if err != nil {
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		process.Wait()
	}()
	if endpoint, err = awaitPortFile(ctx, profile.dir, ended, func() error { return errors.New("it ended before it could be reached") }); err == nil {
		err = process.Release()
	}
	if err != nil {
		process.Kill()
		<-ended
	}
	return endpoint, err
}

// awaitPortFile waits until a browser has written where it can be reached, unless it ends first.
func awaitPortFile(ctx context.Context, profile string, ended <-chan struct{}, reason func() error) (endpoint string, err error) {
	ticker := time.NewTicker(portPoll)
	defer ticker.Stop()
	for {
		if endpoint, _, ok := activePort(profile); ok {
			return endpoint, nil
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("it did not answer: %w", context.Cause(ctx))
		case <-ended:
			return "", reason()
		case <-ticker.C:
		}
	}
}
