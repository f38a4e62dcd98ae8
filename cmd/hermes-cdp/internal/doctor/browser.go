package doctor

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
)

// checkBrowser checks the browser that would be used: the running one, or one to start.
func checkBrowser(ctx context.Context, cfg *config.Config) []Check {
	if cfg.Browser.CDPURL != "" {
		return []Check{checkAddress(ctx, cfg)}
	}
	path, err := host.FindBrowser(cfg.Browser.Executable)
	if err != nil {
		c := fail("browser", err.Error(), "install a Chromium, or set browser.executable")
		if cfg.Browser.Executable == "" && runtime.GOOS == "linux" { // whose package managers need nobody
			c = c.mendable(installBrowser)
		}
		return []Check{c}
	}
	version, err := versionOf(ctx, path)
	if err != nil {
		return []Check{fail("browser", path+" does not tell its version: "+err.Error(), "reinstall it, or set browser.executable to another")}
	}
	return append([]Check{ok("browser", version+" at "+path)}, checkStart(ctx, cfg, path)...)
}

// installBrowser installs Chromium from the distribution's packages, where that needs no password.
func installBrowser(ctx context.Context, out io.Writer) (string, error) {
	path, err := host.EnsureBrowser(ctx, "", out)
	return "installed " + path, err
}

// checkProvider checks from whom a browser would be rented. It sends nothing: a session costs money.
func checkProvider(cfg *config.Config, report *config.Report) []Check {
	const name, fix = "provider", "do what it says, or set browser.provider: local"
	if report == nil || cfg.Browser.CDPURL != "" {
		return nil
	}
	rent := options.Rent(cfg, report)
	if rent == nil {
		return nil
	}
	switch why := provider.Reason(rent.Provider); {
	case why == nil:
		return []Check{ok(name, "browsers are rented from "+rent.Provider.Name()+" (nothing was sent)")}
	case rent.Fallback != nil:
		return []Check{warn(name, why.Error()+"; local browsers take its place", fix)}
	default:
		return []Check{fail(name, why.Error(), fix)}
	}
}

// checkProxy finds browsers that would not use the configured proxy, which are refused.
func checkProxy(cfg *config.Config, report *config.Report) []Check {
	if cfg.Browser.Proxy == "" || report == nil {
		return nil
	}
	var from string
	switch rent := options.Rent(cfg, report); {
	case cfg.Browser.CDPURL != "":
		from = "one at an address (browser.cdp_url)"
	case options.UsesCamofox(cfg, report):
		from = "one of a Camofox server"
	case rent != nil:
		from = "one rented from " + rent.Provider.Name()
	default:
		return []Check{ok("proxy", "the browsers that are started here use browser.proxy")}
	}
	return []Check{fail("proxy", "browser.proxy is set, but would not hold in "+from+", so none is connected",
		"remove browser.proxy, or have browsers started here: browser.provider: local, and no browser.cdp_url")}
}

// versionOf runs a browser with --version, which on Windows would open a window instead.
func versionOf(ctx context.Context, path string) (string, error) {
	if runtime.GOOS == "windows" {
		return filepath.Base(path), nil
	}
	return outputOf(ctx, path, "--version")
}

// outputOf is the first line that a program prints.
func outputOf(ctx context.Context, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second // for the output of what it has started
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line, nil
}

// checkStart starts the browser as the host does, but with a fresh profile, and ends it.
func checkStart(ctx context.Context, cfg *config.Config, path string) []Check {
	const name, task = "browser start", "doctor"
	cannot := func(err error) []Check {
		return []Check{fail(name, startDetail(err, task), "start it by hand with the same arguments; browser.args adds arguments")}
	}
	h, err := host.New(ctx, &host.Options{ConnectTimeout: options.ConnectTimeout(cfg)})
	if err != nil {
		return cannot(err)
	}
	launch := options.Launch(cfg.Browser)
	launch.Executable, launch.UserDataDir = path, ""
	t, err := h.Launch(ctx, task, &launch, nil)
	if err != nil {
		return cannot(errors.Join(err, h.Close(ctx)))
	}
	sandbox := t.BrowserSandbox()
	if err := h.Close(ctx); err != nil {
		return []Check{warn(name, "it started, but: "+err.Error(), "end those processes, remove that directory")}
	}
	return []Check{ok(name, "it starts, answers and ends"), checkSandbox(sandbox)}
}

// checkSandbox says whether the browser that was started ran its sandbox.
func checkSandbox(sandbox string) Check {
	const name = "browser sandbox"
	if sandbox != "on" {
		return warn(name, sandbox+": a page that breaks out of the browser's own checks has the rights of hermes-cdp", sandboxFix("/proc/sys", os.Getuid())+
			"; browser.sandbox: on refuses to start without it")
	}
	return ok(name, "on")
}

// sandboxFix says how the browser gets its sandbox, by the settings of the kernel.
func sandboxFix(settings string, user int) string {
	is := func(setting, value string) bool {
		text, err := os.ReadFile(filepath.Join(settings, filepath.FromSlash(setting)))
		return err == nil && strings.TrimSpace(string(text)) == value
	}
	switch {
	case user == 0:
		return "run hermes-cdp as a user other than root, as its Debian package does"
	case is("kernel/apparmor_restrict_unprivileged_userns", "1"):
		return "use a browser with an AppArmor profile that allows user namespaces, such as the distribution's own, or run: " +
			"sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case is("kernel/unprivileged_userns_clone", "0"):
		return "run: sudo sysctl kernel.unprivileged_userns_clone=1"
	case is("user/max_user_namespaces", "0"):
		return "run: sudo sysctl user.max_user_namespaces=10000"
	}
	return "allow user namespaces: in a container, by its seccomp profile (docs/install.md)"
}

// startDetail is the error of a task's start on one line, without addresses that may be secret.
func startDetail(err error, task string) string {
	text := strings.TrimPrefix(err.Error(), host.ErrTask.Error()+": "+task+": ")
	return config.RedactText(strings.Join(strings.Fields(text), " "))
}

// checkAddress finds out whether something listens at the address of the browser. It sends nothing: some backends
// charge for each session. A failure is only a warning, because a proxy may be on the way.
func checkAddress(ctx context.Context, cfg *config.Config) Check {
	const name = "browser"
	shown := config.RedactAddress(cfg.Browser.CDPURL)
	ctx, cancel := context.WithTimeout(ctx, options.ConnectTimeout(cfg))
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", hostPort(cfg.Browser.CDPURL))
	if err != nil {
		return warn(name, shown+" does not answer: "+err.Error(), "start that browser, correct browser.cdp_url, or ignore this if a proxy is on the way ("+proxyHint()+")")
	}
	if err := conn.Close(); err != nil {
		return warn(name, shown+" answers, but: "+err.Error(), "look at the network")
	}
	return ok(name, shown+" answers (nothing was sent)")
}

func proxyHint() string {
	for _, variable := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		if os.Getenv(variable) != "" {
			return variable + " is set"
		}
	}
	return "none is set"
}

// hostPort is where an address that the configuration accepts leads to.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.Contains(address, "://") {
		return address
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "wss" || u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
