package proctable

import (
	"strconv"
	"strings"
	"time"
)

// parse reads lines of ps(1): the process, its parent, its user, KiB of memory, its age and its command.
func parse(out string, user int) (list []Process) {
	now := time.Now()
	for line := range strings.Lines(out) {
		var field [5]string
		rest := strings.TrimSpace(line)
		for i := range field {
			field[i], rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " ")
		}
		pid, err := strconv.Atoi(field[0])
		if err != nil {
			continue
		}
		parent, _ := strconv.Atoi(field[1])
		owner, err := strconv.Atoi(field[2])
		memory, _ := strconv.ParseInt(field[3], 10, 64)
		list = append(list, Process{
			PID: pid, Parent: parent, Mine: err == nil && owner == user, Command: rest, Memory: memory << 10, Started: now.Add(-elapsed(field[4])),
		})
	}
	return list
}

// elapsed reads the age of a process: [[days-]hours:]minutes:seconds.
func elapsed(text string) (d time.Duration) {
	days, clock, has := strings.Cut(text, "-")
	if !has {
		days, clock = "0", text
	}
	for _, part := range strings.Split(clock, ":") {
		n, _ := strconv.Atoi(part)
		d = 60*d + time.Duration(n)*time.Second
	}
	n, _ := strconv.Atoi(days)
	return d + time.Duration(n)*24*time.Hour
}
