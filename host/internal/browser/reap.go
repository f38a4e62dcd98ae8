package browser

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Leftover is what a host that is gone has left of a browser, or of what a task downloaded.
type Leftover struct {
	// Profile is the directory of its temporary profile; empty if it is one for downloads.
	Profile string
	// Downloads is the temporary directory with the downloads of a task.
	Downloads string
	// PIDs are the processes of the browser that are still running.
	PIDs []int
	// Err says why it could not be cleaned up.
	Err error
}

// Reap ends browsers and removes temporary profiles, and temporary directories for downloads, whose owner was killed
// before it could do so; with dry it only says which. A browser on a pipe has ended with its owner and only left the
// profile; one on a port is still running. Whatever a living host has made is left alone, and so is what belongs to
// another user.
func Reap(dry bool) (list []Leftover) {
	for _, dir := range TemporaryProfiles() {
		if left, ok := lockAbandoned(dir); ok {
			list = append(list, left.end(Leftover{Profile: dir, PIDs: usersOf(dir)}, dry))
		}
	}
	for _, dir := range temporary(os.TempDir(), downloadsPrefix) {
		if left, ok := lockAbandoned(dir); ok {
			list = append(list, left.end(Leftover{Downloads: dir}, dry))
		}
	}
	return list
}

func (p profile) end(left Leftover, dry bool) Leftover {
	if dry {
		p.lock.release()
	} else {
		left.Err = p.reap()
	}
	return left
}

// reapAbandoned is [Reap] at the start of a browser.
func reapAbandoned(log *slog.Logger) {
	for _, left := range Reap(false) {
		if left.Err != nil {
			log.Warn("what an earlier run left could not be cleaned up",
				slog.String("profile", left.Profile), slog.String("downloads", left.Downloads), slog.Any("error", left.Err))
			continue
		}
		log.Info("cleaned up after a host that was killed", slog.String("profile", left.Profile), slog.String("downloads", left.Downloads))
	}
}

func killAll(pids []int) { killThose(pids, func(int) bool { return true }) }

// killThose kills those of the processes that are still meant when they can no longer be mistaken: where the system has
// handles of processes (pidfd_open(2)), another process that gets the id meanwhile is not hit.
func killThose(pids []int, still func(pid int) bool) {
	for _, pid := range pids {
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if still(pid) {
			_ = p.Kill() // it may have ended
		}
		_ = p.Release()
	}
}

// TemporaryProfiles lists the existing temporary profiles of all hosts.
func TemporaryProfiles() []string { return temporary(os.TempDir(), profilePrefix) }

func temporary(in, prefix string) (list []string) {
	entries, _ := os.ReadDir(in) // what cannot be listed cannot be used either
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			list = append(list, filepath.Join(in, e.Name()))
		}
	}
	return list
}

// reap ends the processes that use one of our profiles, and removes it. A process that is starting, or that rewrites
// its command line, does not name the profile for a moment and could create it again. It is found by the process group
// of the browser.
func (p profile) reap() error {
	if p.socket == "" {
		p.socket = socketOf(p.dir) // while what may remove the link is there
	}
	left := usersOf(p.dir)
	group := leaderOf(left)
	look := func() []int {
		if group == 0 {
			return usersOf(p.dir)
		}
		return survivors(group, p.dir)
	}
	for deadline := time.Now().Add(goneGrace); len(left) > 0 && time.Now().Before(deadline); left = look() {
		killThose(left, func(pid int) bool { return uses(pid, group, p.dir) })
		time.Sleep(5 * time.Millisecond)
	}
	if len(left) > 0 {
		p.lock.release()
		return fmt.Errorf("processes %v live on", left)
	}
	return p.remove()
}

// removeSocket removes what [socketOf] has found, and its directory. The browser may have done so in part.
func removeSocket(socket string) {
	if socket == "" {
		return
	}
	dir := filepath.Dir(socket)
	for _, path := range []string{socket, filepath.Join(dir, "SingletonCookie"), dir} {
		_ = os.Remove(path)
	}
}

// socketOf is where a browser that uses a profile has the socket by which a second one would find it: in a directory of
// its own for temporary files, which it leaves there if it is not closed properly. It is empty for any other place:
// what is in a profile may come from whoever got hold of the browser.
func socketOf(profile string) string {
	link, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	dir := filepath.Dir(link)
	known := strings.HasPrefix(filepath.Base(dir), "org.chromium.Chromium.") || strings.HasPrefix(filepath.Base(dir), "com.google.Chrome.")
	if err != nil || !known || filepath.Dir(dir) != filepath.Clean(os.TempDir()) || filepath.Base(link) != "SingletonSocket" {
		return ""
	}
	return link
}
