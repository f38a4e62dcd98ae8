//go:build !linux

package browser

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/proctable"
)

// usersOf lists the live processes of a profile.
func usersOf(dir string) (pids []int) {
	all, _ := proctable.List() // what cannot be listed cannot be ended either
	for _, p := range all {
		if p.Mine && names(p.Command, dir) {
			pids = append(pids, p.PID)
		}
	}
	return pids
}

// uses reports whether a process uses a profile.
func uses(pid, _ int, dir string) bool {
	for _, user := range usersOf(dir) {
		if user == pid {
			return true
		}
	}
	return false
}

// names reports whether a command line names a profile.
func names(command, dir string) bool {
	for _, mark := range []string{"--user-data-dir=" + dir, "--database=" + dir} {
		if _, rest, found := strings.Cut(command, mark); found && (rest == "" || strings.IndexByte(` "/\`, rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// leaderOf finds nothing here.
func leaderOf([]int) int { return 0 }
