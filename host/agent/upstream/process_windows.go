package upstream

import (
	"os/exec"
	"strconv"
)

// ownGroup does nothing: Windows ends a process with its descendants by taskkill.
func ownGroup(*exec.Cmd) {}

func terminateGroup(pid int) { _ = exec.Command("taskkill", "/T", "/PID", strconv.Itoa(pid)).Run() }

func killGroup(pid int) { _ = exec.Command("taskkill", "/F", "/T", "/PID", strconv.Itoa(pid)).Run() }
