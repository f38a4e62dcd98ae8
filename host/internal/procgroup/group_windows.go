package procgroup

import (
	"os/exec"
	"strconv"
)

// own does nothing: on Windows, taskkill ends a process with its descendants.
func own(*exec.Cmd) {}

func terminate(pid int) { _ = exec.Command("taskkill", "/T", "/PID", strconv.Itoa(pid)).Run() }

func kill(pid int) { _ = exec.Command("taskkill", "/F", "/T", "/PID", strconv.Itoa(pid)).Run() }
