package doctor

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/clients"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// without takes bits from the mode of a file or directory. It only ever takes: somebody may have put another file in
// its place since it was looked at.
func without(path string, bits fs.FileMode) func(context.Context, io.Writer) (string, error) {
	return func(context.Context, io.Writer) (string, error) {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return "", err
		}
		mode := info.Mode().Perm() &^ bits
		return fmt.Sprintf("%s has mode %04o now", path, mode), f.Chmod(mode)
	}
}

// tooOpen returns the mode of a file that has some of these bits; ok is false for others, and on Windows, which has
// none.
func tooOpen(path string, bits fs.FileMode) (mode fs.FileMode, ok bool) {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return 0, false
	}
	return info.Mode().Perm(), info.Mode().Perm()&bits != 0
}

// checkSecrets looks at the files with secrets: the ones of tokens are their owner's alone, and a configuration may be
// its group's, too.
func checkSecrets(cfg *config.Config, report *config.Report) []Check {
	const name = "secrets"
	closed := map[string]fs.FileMode{cfg.Control.TokenFile: 0o077, cfg.Control.AgentTokens: 0o077, cfg.Vision.APIKeyFile: 0o007}
	order := []string{cfg.Control.TokenFile, cfg.Control.AgentTokens, cfg.Vision.APIKeyFile}
	if report != nil {
		if report.DotEnvFile != "" {
			closed[report.DotEnvFile] = 0o007
			order = append(order, report.DotEnvFile)
		}
		for _, v := range report.Values {
			if v.Origin.Layer == config.LayerFile && closed[v.Origin.File] == 0 && strings.Contains(v.Text(), config.Redacted) {
				closed[v.Origin.File] = 0o007
				order = append(order, v.Origin.File)
			}
		}
	}
	var checks []Check
	for _, path := range order {
		bits := closed[path]
		if mode, open := tooOpen(path, bits); path != "" && open {
			c := warn(name, fmt.Sprintf("%s has mode %04o, so that others can read its secrets", path, mode),
				fmt.Sprintf("run: chmod %04o %s; if others may have read it, replace the secrets", mode&^bits, path))
			checks = append(checks, c.mendable(without(path, bits)))
		}
	}
	if checks == nil {
		checks = []Check{ok(name, "the files with secrets are closed to others")}
	}
	return checks
}

// checkDirectories looks at what is written to: what others may write there could be taken for the host's own.
func checkDirectories(cfg *config.Config) []Check {
	const name = "directories"
	var checks []Check
	for _, one := range [][2]string{
		{"plugin_state_dir", cfg.PluginStateDir}, {"plugin_download_dir", cfg.PluginDownloadDir}, {"browser.lease_dir", cfg.Browser.LeaseDir},
		{"browser.profile_dir", cfg.Browser.ProfileDir}, {"browser.screenshot_dir", cfg.Browser.ScreenshotDir},
		{"browser.recording_dir", cfg.Browser.RecordingDir}, {"browser.download_dir", cfg.Browser.DownloadDir},
		{"browser.state_dir", cfg.Browser.StateDir}, {"journal.dir", cfg.Journal.Dir}, {"audit.dir", cfg.Audit.Dir},
		{"browser.user_data_dir", cfg.Browser.UserDataDir},
	} {
		key, dir := one[0], one[1]
		if dir == "" {
			continue
		}
		info, err := os.Stat(dir)
		if err != nil {
			if !os.IsNotExist(err) {
				checks = append(checks, fail(name, key+": "+err.Error(), "give hermes-cdp access to it, or set "+key+" to another"))
			}
			continue // it is made when it is needed
		}
		if !info.IsDir() {
			checks = append(checks, fail(name, key+": "+dir+" is no directory", "remove it, or set "+key+" to another"))
			continue
		}
		if mode, open := tooOpen(dir, 0o022); open {
			c := warn(name, fmt.Sprintf("%s: %s has mode %04o, so that others can write to it", key, dir, mode), "run: chmod go-w "+dir)
			checks = append(checks, c.mendable(without(dir, 0o022)))
		}
		if err := tryWrite(dir); err != nil {
			checks = append(checks, fail(name, key+": "+err.Error(), "give hermes-cdp the right to write there, or set "+key+" to another"))
		}
	}
	if checks == nil {
		checks = []Check{ok(name, "those that exist are writable, and by nobody else")}
	}
	return checks
}

// checkLeftovers looks for what hosts that are gone have left.
func checkLeftovers(ctx context.Context, cfg *config.Config, report *config.Report) Check {
	const name, fix = "leftovers", "run: hermes-cdp reap"
	if report == nil {
		report = &config.Report{}
	}
	of := options.Host(cfg, report, slog.New(slog.DiscardHandler))
	o := host.ReapOptions{Recording: of.Recording, Rental: of.Rental, DryRun: true}
	left, err := host.Reap(ctx, o)
	switch {
	case err != nil:
		return warn(name, err.Error(), fix)
	case len(left) == 0:
		return ok(name, "none: hosts that are gone have left nothing")
	}
	kinds := map[host.ReapedKind]int{}
	for _, one := range left {
		kinds[one.Kind]++
	}
	var parts []string
	for _, kind := range []host.ReapedKind{host.ReapedBrowser, host.ReapedProfile, host.ReapedSession, host.ReapedRecording} {
		if n := kinds[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, map[bool]string{true: string(kind), false: string(kind) + "s"}[n == 1]))
		}
	}
	c := warn(name, "hosts that are gone have left "+strings.Join(parts, ", "), fix)
	return c.mendable(func(ctx context.Context, _ io.Writer) (string, error) {
		o.DryRun = false
		ended, err := host.Reap(ctx, o)
		for _, one := range ended {
			if one.Error != "" && err == nil {
				err = fmt.Errorf("%s: %s", one.What, one.Error)
			}
		}
		return fmt.Sprintf("ended %d", len(ended)), err
	})
}

// checkClients looks at the MCP clients that are here: whether they have this program, and whether it is where they
// look for it.
func checkClients(m clients.Machine, self clients.Server) []Check {
	const name = "MCP clients"
	var checks []Check
	var with, without []string
	for _, c := range clients.All() {
		if !c.Installed(m) {
			continue
		}
		command, err := c.Command(c.File(m), self)
		switch {
		case err != nil:
			checks = append(checks, warn(name, c.Title+": "+err.Error(), "correct the file, which "+c.Title+" cannot read either"))
		case command == "":
			without = append(without, c.Name)
		case !starts(command):
			checks = append(checks, warn(name, c.Title+" starts "+command+", which is not there", "run: hermes-cdp setup mcp "+c.Name))
		default:
			with = append(with, c.Name)
		}
	}
	switch {
	case len(checks) > 0:
		return checks
	case len(with)+len(without) == 0:
		return []Check{ok(name, "no known client is installed; hermes-cdp setup mcp lists the known ones")}
	}
	var text []string
	if len(with) > 0 {
		text = append(text, "set up: "+strings.Join(with, ", "))
	}
	if len(without) > 0 {
		text = append(text, "without hermes-cdp: "+strings.Join(without, ", ")+" (hermes-cdp setup mcp "+without[0]+")")
	}
	return []Check{ok(name, strings.Join(text, "; "))}
}

// starts tells whether a client finds a command: at its path, or by its name in PATH.
func starts(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}
