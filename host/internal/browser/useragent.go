package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// systemsInUserAgents are how Chromium names systems in its reduced user agents, see
// https://www.chromium.org/updates/ua-reduction/. Chromium on Windows does not print its version.
var systemsInUserAgents = map[string]string{"linux": "X11; Linux x86_64", "darwin": "Macintosh; Intel Mac OS X 10_15_7"}

// versionLimit is how long an executable may take to print its version.
const versionLimit = 5 * time.Second

var (
	majorPattern = regexp.MustCompile(`\b(\d{2,4})\.\d+\.\d+`)
	majors       sync.Map // of executables, by path and time of change
)

// windowedUserAgent is how a browser with a window names itself, which without one adds "Headless" to its name, and
// sites then show it other pages. Empty: not known.
func windowedUserAgent(ctx context.Context, executable string, limit time.Duration) string {
	system, major := systemsInUserAgents[runtime.GOOS], majorVersion(ctx, executable, limit)
	if system == "" || major == "" {
		return ""
	}
	return "Mozilla/5.0 (" + system + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + major + ".0.0.0 Safari/537.36"
}

// majorVersion is the first number of an executable's version; empty: not known.
func majorVersion(ctx context.Context, executable string, limit time.Duration) string {
	if systemsInUserAgents[runtime.GOOS] == "" {
		return ""
	}
	info, err := os.Stat(executable)
	if err != nil {
		return ""
	}
	key := executable + info.ModTime().String()
	if known, ok := majors.Load(key); ok {
		return known.(string)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var printed bytes.Buffer
	cmd := exec.Command(executable, "--version")
	cmd.Stdout = &printed
	group, err := procgroup.Start(cmd) // it may be a script that starts others
	if err != nil {
		return ""
	}
	defer context.AfterFunc(ctx, group.Kill)()
	group.Wait()
	found := majorPattern.FindSubmatch(printed.Bytes())
	if found == nil || !cmd.ProcessState.Success() {
		return ""
	}
	majors.Store(key, string(found[1]))
	return string(found[1])
}
