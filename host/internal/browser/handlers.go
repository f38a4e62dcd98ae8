package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A page's address of another program (tel:, zoommtg:) makes Chromium ask in a dialog of its own, under which the tab
// gets no input, and which no command closes; for mailto: it starts the program without asking. On Linux it first asks
// xdg-settings whether it is that program itself, and then leaves the address alone, which would only come back to it.
// So a browser of ours finds an xdg-settings that always says so.
const (
	handlersFolder = "hermes-cdp-handlers"
	ownHandler     = "#!/bin/sh\necho yes\n"
)

// withOwnHandlers puts that xdg-settings into the profile and before all others of an environment. Where no script can
// be run from there, the system's is used.
func withOwnHandlers(environ []string, userDataDir string) ([]string, error) {
	if runtime.GOOS != "linux" || strings.Contains(userDataDir, string(filepath.ListSeparator)) {
		return environ, nil
	}
	folder := filepath.Join(userDataDir, handlersFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "xdg-settings"), []byte(ownHandler), 0o700); err != nil { //nolint:gosec // a script
		return nil, err
	}
	for i, variable := range environ {
		if path, is := strings.CutPrefix(variable, "PATH="); is {
			environ[i] = "PATH=" + folder + string(filepath.ListSeparator) + path
		}
	}
	return environ, nil
}
