package browser

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// inherited are the environment variables that a browser needs: who runs it and where, its language, its display, and
// its access to the network. It gets no others, because a browser passes its environment on to the processes that run
// untrusted content.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TZDIR", "TMPDIR", "TMP", "TEMP",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_*", "DBUS_*", "FONTCONFIG_*", "DESKTOP_SESSION", "GTK_*", "GDK_*", "QT_*",
	"PULSE_*", "LIBGL_*", "MESA_*", "VK_*", "LD_LIBRARY_PATH", "CHROME_DEVEL_SANDBOX",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PATHEXT", "COMSPEC", "SYSTEMROOT",
	"SYSTEMDRIVE", "WINDIR", "USERPROFILE", "USERNAME", "COMMONPROGRAMFILES",
}

// environment is the environment of a browser. Crash handlers leave the process group. They are made to store their
// dumps in the profile, because dumps contain page content, and because the path shows to which browser a handler
// belongs.
func environment(environ, more []string, userDataDir string) []string {
	wanted := slices.Concat(inherited, more)
	var out []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if slices.ContainsFunc(wanted, func(pattern string) bool {
			is, err := path.Match(pattern, name)
			return err == nil && is
		}) {
			out = append(out, variable)
		}
	}
	return append(out, "BREAKPAD_DUMP_LOCATION="+filepath.Join(userDataDir, crashFolder))
}

const crashFolder = "Crash Reports"
