//go:build unix && !linux

package proctable

import (
	"os"
	"os/exec"
)

// List lists the processes, from ps(1), which is the same on all of these systems.
func List() ([]Process, error) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,ppid=,uid=,rss=,etime=,command=").Output()
	if err != nil {
		return nil, err
	}
	return parse(string(out), os.Geteuid()), nil
}
