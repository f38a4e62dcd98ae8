package browser

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// reapAbandoned ends browsers and removes temporary profiles whose owner was killed before it could do so. A browser on
// a pipe has ended with its owner and only left the profile; one on a port is still running.
func reapAbandoned(log *slog.Logger) {
	for _, dir := range TemporaryProfiles() {
		left, ok := lockAbandoned(dir)
		if !ok {
			continue
		}
		if err := left.reap(); err != nil {
			log.Warn("a browser of an earlier run could not be cleaned up", slog.String("profile", dir), slog.Any("error", err))
			continue
		}
		log.Info("cleaned up after a browser whose owner was killed", slog.String("profile", dir))
	}
}

func killAll(pids []int) {
	for _, pid := range pids {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // it may have ended
			_ = p.Release()
		}
	}
}

// TemporaryProfiles lists the existing temporary profiles of all hosts.
func TemporaryProfiles() (list []string) {
	entries, _ := os.ReadDir(os.TempDir()) // what cannot be listed cannot be used either
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), profilePrefix) {
			list = append(list, filepath.Join(os.TempDir(), e.Name()))
		}
	}
	return list
}

// reap ends the processes that use one of our profiles, and removes it. A process that is starting, or that rewrites
// its command line, does not name the profile for a moment and could create it again. It is found by the process group
// of the browser.
func (p profile) reap() error {
	left := usersOf(p.dir)
	group := leaderOf(left)
	look := func() []int {
		if group == 0 {
			return usersOf(p.dir)
		}
		return survivors(group, p.dir)
	}
	for deadline := time.Now().Add(goneGrace); len(left) > 0 && time.Now().Before(deadline); left = look() {
		killAll(left)
		time.Sleep(5 * time.Millisecond)
	}
	if len(left) > 0 {
		p.lock.release()
		return fmt.Errorf("processes %v live on", left)
	}
	return p.remove()
}
