package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// survivors lists the live processes of a process group, and those of a profile unless dir is empty.
func survivors(group int, dir string) []int {
	return processes(func(folder string) bool { return inGroup(folder, group) || dir != "" && namesProfile(folder, dir) })
}

// usersOf lists the live processes of a profile.
func usersOf(dir string) []int {
	return processes(func(folder string) bool { return namesProfile(folder, dir) })
}

// uses reports whether a process is in a group, unless that is 0, or uses a profile.
func uses(pid, group int, dir string) bool {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	return group != 0 && inGroup(folder, group) || namesProfile(folder, dir)
}

// leaderOf finds the process that leads a group, as our browsers do; 0 if none does.
func leaderOf(pids []int) int {
	for _, pid := range pids {
		if inGroup(filepath.Join("/proc", strconv.Itoa(pid)), pid) {
			return pid
		}
	}
	return 0
}

// processes walks /proc, and finds those of this user: anybody can write anything on a command line.
func processes(match func(folder string) bool) []int {
	var found []int
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		if isOurs(folder, os.FileMode.IsDir) && match(folder) {
			found = append(found, pid)
		}
	}
	return found
}

// inGroup reads proc_pid_stat(5): "pid (name) state ppid pgrp ...". The name may contain anything, so parsing starts
// after its last parenthesis. A zombie is dead.
func inGroup(folder string, group int) bool {
	stat, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(fields) > 2 && string(fields[0]) != "Z" && string(fields[0]) != "X" && string(fields[2]) == strconv.Itoa(group)
}

// namesProfile looks for the profile's directory on the command line. Chromium's children rewrite theirs with spaces
// between the arguments. A zombie has none.
func namesProfile(folder, dir string) bool {
	line, err := os.ReadFile(folder + "/cmdline")
	if err != nil {
		return false
	}
	for _, mark := range []string{"--user-data-dir=" + dir, "--database=" + dir} {
		if i := bytes.Index(line, []byte(mark)); i >= 0 {
			rest := line[i+len(mark):]
			if len(rest) == 0 || rest[0] == 0 || rest[0] == ' ' || rest[0] == '/' {
				return true
			}
		}
	}
	return false
}
