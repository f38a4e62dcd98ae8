//go:build unix

package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// otherBrowser says which browser that was not started here uses a profile; empty: none. Chromium has a link in its
// profile whose target is the name of the machine and its process.
func otherBrowser(dir string) string {
	target, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return ""
	}
	here, _ := os.Hostname()
	number, ours := strings.CutPrefix(target, here+"-")
	pid, err := strconv.Atoi(number)
	if !ours || err != nil {
		return ""
	}
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return ""
	}
	return fmt.Sprintf("another browser (process %d)", pid)
}
