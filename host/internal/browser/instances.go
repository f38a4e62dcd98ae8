package browser

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/proctable"
)

// Instance is a browser with a temporary profile that a host on this machine has started, or what is left of it.
type Instance struct {
	// PID is the browser; 0: only its profile is left.
	PID int
	// Profile is the directory of its profile.
	Profile string
	// Host is the process that made it, User what for, such as "the task shop", and Since when; zero: unknown.
	Host  int
	User  string
	Since time.Time
	// Left says that its host is gone.
	Left bool
}

// Instances lists the browsers with temporary profiles, as far as they belong to this user.
func Instances(processes []proctable.Process) (list []Instance) {
	for _, dir := range TemporaryProfiles() {
		by := ownerOf(dir)
		one := Instance{Profile: dir, Host: by.PID, User: by.Who, Since: by.Since, PID: browserOf(processes, dir)}
		if left, free := lockAbandoned(dir); free {
			left.lock.release()
			one.Left = true
		}
		if one.PID != 0 || one.Left || one.Host != 0 {
			list = append(list, one)
		}
	}
	return list
}

// browserOf finds the process of this user that is the browser on a profile, and none of its children; 0: there is
// none.
func browserOf(processes []proctable.Process, dir string) int {
	mark := "--user-data-dir=" + filepath.Clean(dir)
	for _, p := range processes {
		_, rest, names := strings.Cut(p.Command, mark)
		if p.Mine && names && (rest == "" || rest[0] == ' ' || rest[0] == '"') && !strings.Contains(p.Command, " --type=") && !strings.Contains(p.Command, "--database=") {
			return p.PID
		}
	}
	return 0
}
