package proctable

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// List lists the processes, from proc(5).
func List() ([]Process, error) {
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	boot, err := bootTime()
	if err != nil {
		return nil, err
	}
	var list []Process
	for _, folder := range folders {
		if p, ok := read(folder, boot); ok {
			list = append(list, p)
		}
	}
	return list, nil
}

// ticks per second of times in proc(5): it is the same on every Linux.
const ticks = 100

// read reads one process; false if it has ended.
func read(folder string, boot time.Time) (p Process, ok bool) {
	info, err := os.Stat(folder)
	if err != nil {
		return p, false
	}
	stat, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return p, false
	}
	// "pid (name) state ppid ...": the name may contain anything, so parsing starts after its last parenthesis.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 22 || fields[0] == "Z" || fields[0] == "X" {
		return p, false
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i]); return n }
	p.PID, _ = strconv.Atoi(filepath.Base(folder))
	p.Parent = number(1)
	p.Started = boot.Add(time.Duration(number(19)) * time.Second / ticks)
	p.Memory = int64(number(21)) * int64(os.Getpagesize())
	owner, known := info.Sys().(*syscall.Stat_t)
	p.Mine = known && int(owner.Uid) == os.Geteuid()
	line, _ := os.ReadFile(folder + "/cmdline") // empty if it has just ended
	p.Command = strings.TrimRight(strings.ReplaceAll(string(line), "\x00", " "), " ")
	return p, true
}

// bootTime is when the machine started.
func bootTime() (time.Time, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}, err
	}
	_, rest, _ := strings.Cut(string(stat), "\nbtime ")
	line, _, _ := strings.Cut(rest, "\n")
	seconds, err := strconv.ParseInt(line, 10, 64)
	return time.Unix(seconds, 0), err
}

// Share is the memory of the process in bytes, in which a page that several processes share counts in parts: those of
// a process and its descendants add up. Of a process that has ended, or is somebody else's, it is what List found.
//
// https://docs.kernel.org/filesystems/proc.html
func (p Process) Share() int64 {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.PID), "smaps_rollup"))
	if _, rest, ok := strings.Cut(string(text), "\nPss:"); ok {
		amount, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if kib, err := strconv.ParseInt(amount, 10, 64); err == nil {
			return kib << 10
		}
	}
	return p.Memory
}
